/**
 * The configured embedder, or the host's own. Nothing is loaded, called or started before the first text; questions that
 * were asked before are not embedded again.
 */
import path from "node:path";
import type { Config } from "../../config/schema.ts";
import type { Log } from "../../log.ts";
import type { ModelSurroundings } from "../guard-call.ts";
import type { Embedder, HostEmbedder } from "./embedder.ts";
import { hostEmbedder } from "./host-embedder.ts";
import { localEmbedder } from "./local/local-embedder.ts";
import { type RemoteEmbedderSettings, remoteEmbedder } from "./remote-embedder.ts";
import { withQueryCache } from "./with-query-cache.ts";

export type EmbedderSettings = RemoteEmbedderSettings & Pick<Config, "dataDir">;

export interface EmbedderSurroundings extends ModelSurroundings {
  readonly log: Log;
  /** Takes the place of whatever is configured. */
  readonly host?: HostEmbedder | null;
}

/** Null when vectors are switched off and no host brings its own. */
export function openEmbedder(settings: EmbedderSettings, around: EmbedderSurroundings): Embedder | null {
  const embedder = choose(settings, around);
  return embedder === null ? null : withQueryCache(embedder);
}

function choose(settings: EmbedderSettings, around: EmbedderSurroundings): Embedder | null {
  const { host, log } = around;
  if (host !== undefined && host !== null) return hostEmbedder(host, settings.embeddingTimeoutMs, around);
  if (settings.embeddingModel === "off") return null;
  if (settings.embeddingModel === "local")
    return localEmbedder({ log, cacheFolder: cacheFolderOf(settings) });
  return remoteEmbedder(settings, around);
}

/** Where the fast engine keeps what it builds. */
export function cacheFolderOf({ dataDir }: Pick<EmbedderSettings, "dataDir">): string {
  return path.join(dataDir, "cache");
}
