/** A provider's embedding model, reached as chat models are: guarded, recorded, and with a key of its own. */
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

/** Nearly every model reads as much, and one vector says less about what is longer. */
export const LONGEST_REMOTE_INPUT = 512;
/** Google takes 100 at most; with fewer, less is done again when a call fails. */
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

/** A key that was given for this is meant for this, whatever else the environment holds. */
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
