/**
 * The configured embedder, or the host's own. Nothing is loaded, called or started before the first text; questions that
 * were asked before are not embedded again.
 */
import type { Log } from "../../log.ts";
import type { ModelSurroundings } from "../guard-call.ts";
import type { Embedder, HostEmbedder } from "./embedder.ts";
import { hostEmbedder } from "./host-embedder.ts";
import { localEmbedder } from "./local/local-embedder.ts";
import { type RemoteEmbedderSettings, remoteEmbedder } from "./remote-embedder.ts";
import { withQueryCache } from "./with-query-cache.ts";

export interface EmbedderSurroundings extends ModelSurroundings {
  readonly log: Log;
  /** Takes the place of whatever is configured. */
  readonly host?: HostEmbedder | null;
}

/** Null when vectors are switched off and no host brings its own. */
export function openEmbedder(
  settings: RemoteEmbedderSettings,
  around: EmbedderSurroundings,
): Embedder | null {
  const embedder = choose(settings, around);
  return embedder === null ? null : withQueryCache(embedder);
}

function choose(settings: RemoteEmbedderSettings, around: EmbedderSurroundings): Embedder | null {
  const { host, log } = around;
  if (host !== undefined && host !== null) return hostEmbedder(host, settings.embeddingTimeoutMs, around);
  if (settings.embeddingModel === "off") return null;
  if (settings.embeddingModel === "local") return localEmbedder({ log });
  return remoteEmbedder(settings, around);
}
