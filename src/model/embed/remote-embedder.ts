/** A provider's embedding model, called like chat models: guarded, recorded, and with its own key. */
import { PROVIDERS } from "../../config/providers.ts";
import type { Config } from "../../config/schema.ts";
import { PalimpsestError } from "../../errors.ts";
import { type CircuitSettings, guardCall, type ModelSurroundings } from "../guard-call.ts";
import type { ModelAccess } from "../model-access.ts";
import { parseProviderModel } from "../provider-model.ts";
import { callEmbeddingModel } from "./call-embedding-model.ts";
import { CheckedEmbedder } from "./checked-embedder.ts";
import type { Embedder } from "./embedder.ts";

export type RemoteEmbedderSettings = CircuitSettings &
  Pick<
    Config,
    | "embeddingModel"
    | "embeddingBaseUrl"
    | "embeddingApiKey"
    | "embeddingDimensions"
    | "embeddingTimeoutMs"
    | "modelRetries"
  >;

/** Nearly every model accepts this length, and one vector represents longer texts less well. */
export const LONGEST_REMOTE_INPUT = 512;
/** Google accepts at most 100; with fewer, a failed call repeats less work. */
export const MOST_TEXTS = 64;

export function remoteEmbedder(settings: RemoteEmbedderSettings, around: ModelSurroundings): Embedder {
  const { embeddingDimensions: dimensions } = settings;
  const access = accessOf(settings, around);
  const { name } = access.model;
  const call = guardCall(callEmbeddingModel(access, { dimensions, clock: around.clock }), {
    model: name,
    timeoutMs: settings.embeddingTimeoutMs,
    timeoutSetting: "embeddingTimeoutMs",
    retries: settings.modelRetries,
    settings,
    around,
    window: null,
  });
  return new CheckedEmbedder({
    model: dimensions === null ? name : `${name}@${dimensions}`,
    dimensions,
    longestInput: LONGEST_REMOTE_INPUT,
    mostTexts: MOST_TEXTS,
    embed: async (texts, { purpose: textsAre, signal }) =>
      (await call({ purpose: "embedding", texts, textsAre, ...(signal === undefined ? {} : { signal }) }))
        .vectors,
  });
}

/** A key configured for embeddings takes precedence over the environment. */
function accessOf(settings: RemoteEmbedderSettings, { keys }: ModelSurroundings): ModelAccess {
  const model = parseProviderModel(settings.embeddingModel);
  const baseUrl = settings.embeddingBaseUrl ?? PROVIDERS[model.provider].baseUrl;
  if (baseUrl === null)
    throw new PalimpsestError(
      "config-invalid",
      `${model.name} needs embeddingBaseUrl, the address of its API`,
    );
  return { model, baseUrl, apiKey: settings.embeddingApiKey ?? keys[model.provider] ?? null };
}
