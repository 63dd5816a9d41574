/**
 * The configured embedder, or the host's own. Nothing is loaded, called or started before the first text; questions that
 * are cached are not embedded again.
 */
import { PalimpsestError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Call } from "../call.ts";
import type { ModelSurroundings } from "../guard-call.ts";
import { modelFailure } from "../model-failure.ts";
import { withTimeout } from "../with-timeout.ts";
import { withUsageLog } from "../with-usage-log.ts";
import { EMBEDDING_ADVICE, type EmbedRequest, type EmbedResult } from "./call-embedding-model.ts";
import { CheckedEmbedder } from "./checked-embedder.ts";
import type { Embedder, HostEmbedder } from "./embedder.ts";
import { localEmbedder } from "./local/local-embedder.ts";
import {
  LONGEST_REMOTE_INPUT,
  MOST_TEXTS,
  type RemoteEmbedderSettings,
  remoteEmbedder,
} from "./remote-embedder.ts";
import { withQueryCache } from "./with-query-cache.ts";

export interface EmbedderSurroundings extends ModelSurroundings {
  readonly log: Log;
  /** Replaces the configured embedder. */
  readonly host?: HostEmbedder | null;
}

/** Null when embeddings are disabled and the host provides no embedder. */
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

/** A host's own function as a reliable `Embedder`: with time limit, record and checks, and only our errors. */
const UNKNOWN = { inputTokens: null, outputTokens: null, cost: null };

function hostEmbedder(host: HostEmbedder, timeoutMs: number, around: ModelSurroundings): Embedder {
  const { model } = host;
  if (typeof model !== "string" || model.trim() === "")
    throw new PalimpsestError("invalid-input", "the host's embedder has no model", {
      advice:
        "Set model to a name that changes whenever its embeddings change: it is stored with each of them.",
    });
  const setting = "embeddingTimeoutMs";
  const timed = withTimeout(callHost(host, around), { model, timeoutMs, setting, wait: around.wait });
  const call = withUsageLog(timed, { model, clock: around.clock, onCall: around.onCall });
  return new CheckedEmbedder({
    model,
    dimensions: host.dimensions ?? null,
    longestInput: host.longestInput ?? LONGEST_REMOTE_INPUT,
    mostTexts: MOST_TEXTS,
    embed: async (texts, { purpose: textsAre, signal }) =>
      (await call({ purpose: "embedding", texts, textsAre, ...(signal === undefined ? {} : { signal }) }))
        .vectors,
  });
}

function callHost(host: HostEmbedder, { clock }: ModelSurroundings): Call<EmbedRequest, EmbedResult> {
  return async ({ texts, textsAre: purpose, signal }) => {
    try {
      const vectors = await host.embed(texts, { purpose, ...(signal === undefined ? {} : { signal }) });
      return { vectors, finish: "stop", usage: UNKNOWN };
    } catch (error) {
      throw modelFailure(error, { model: host.model, apiKey: null, now: clock(), advice: EMBEDDING_ADVICE });
    }
  };
}
