/**
 * Creates the AI SDK's model object. Each provider's package is imported only when one of its models is called:
 * the import alone takes 0.2 s and 25 MB.
 */
import type { LanguageModel } from "ai";
import type { Provider } from "../config/providers.ts";
import type { ModelAccess } from "./model-access.ts";
import { optionsOf } from "./provider-options.ts";

/** Model objects, as opposed to names of models that the SDK would look up elsewhere. */
export type LoadedModel = Exclude<LanguageModel, string>;
type Load = (access: ModelAccess) => Promise<LoadedModel>;

const LOADERS: Readonly<Record<Provider, Load>> = {
  anthropic: async (access) => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic(optionsOf(access))(access.model.model);
  },
  openai: async (access) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI(optionsOf(access))(access.model.model);
  },
  google: async (access) => {
    const { createGoogle } = await import("@ai-sdk/google");
    return createGoogle(optionsOf(access))(access.model.model);
  },
  openrouter: (access) => loadCompatible(access, { usage: { include: true } }),
  ollama: (access) => loadCompatible(access, {}),
  "openai-compatible": (access) => loadCompatible(access, {}),
};

export function loadLanguageModel(access: ModelAccess): Promise<LoadedModel> {
  return LOADERS[access.model.provider](access);
}

async function loadCompatible(access: ModelAccess, extra: object): Promise<LoadedModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const { provider, model } = access.model;
  const transformRequestBody = (body: Record<string, unknown>) => ({ ...body, ...extra });
  return createOpenAICompatible({ ...optionsOf(access), name: provider, transformRequestBody })(model);
}
