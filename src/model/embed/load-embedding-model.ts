/** Makes the AI SDK's object for an embedding model. Each provider's package is imported when it is first called. */
import type { wrapEmbeddingModel } from "ai";
import type { Provider } from "../../config/providers.ts";
import { PalimpsestError } from "../../errors.ts";
import type { ModelAccess } from "../model-access.ts";
import { optionsOf } from "../provider-options.ts";

type LoadedEmbeddingModel = Parameters<typeof wrapEmbeddingModel>[0]["model"];
type Load = (access: ModelAccess) => Promise<LoadedEmbeddingModel>;

const LOADERS: Readonly<Record<Provider, Load>> = {
  anthropic: async () => {
    throw new PalimpsestError("config-invalid", "anthropic has no embedding models", {
      advice: 'Set embeddingModel to "local", or to a model of openai, google, openrouter or ollama.',
    });
  },
  openai: async (access) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI(optionsOf(access)).embeddingModel(access.model.model);
  },
  google: async (access) => {
    const { createGoogle } = await import("@ai-sdk/google");
    return createGoogle(optionsOf(access)).embeddingModel(access.model.model);
  },
  openrouter: loadCompatible,
  ollama: loadCompatible,
  "openai-compatible": loadCompatible,
};

export function loadEmbeddingModel(access: ModelAccess): Promise<LoadedEmbeddingModel> {
  return LOADERS[access.model.provider](access);
}

async function loadCompatible(access: ModelAccess): Promise<LoadedEmbeddingModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const { provider, model } = access.model;
  return createOpenAICompatible({ ...optionsOf(access), name: provider }).embeddingModel(model);
}
