/** `provider/model` names: parsing, and advice for invalid names. */
import { isProvider, PROVIDER_NAMES, type Provider } from "./providers.ts";

export interface ModelNameParts {
  readonly provider: Provider;
  /** The provider's name of the model; it may contain slashes. */
  readonly model: string;
}

/** Common names of providers, with the name here. */
const NICKNAMES: ReadonlyMap<string, Provider> = new Map([
  ["claude", "anthropic"],
  ["gemini", "google"],
  ["gpt", "openai"],
  ["llama.cpp", "openai-compatible"],
  ["lmstudio", "openai-compatible"],
  ["vllm", "openai-compatible"],
]);

/** Model families that identify the provider. */
const FAMILIES: readonly (readonly [RegExp, Provider])[] = [
  [/^claude/i, "anthropic"],
  [/^(gpt|chatgpt|o\d)/i, "openai"],
  [/^(gemini|gemma)/i, "google"],
];

export function splitModelName(name: string): ModelNameParts | null {
  const slash = name.indexOf("/");
  const [provider, model] = [name.slice(0, slash), name.slice(slash + 1)];
  return slash > 0 && isProvider(provider) && /^\S+$/.test(model) ? { provider, model } : null;
}

/** Null when the name can be used; else what is wrong with it and what to write instead. */
export function problemWithModelName(name: string): string | null {
  if (splitModelName(name) !== null) return null;
  const [provider = "", ...rest] = name.split("/");
  if (rest.length === 0) return `"${name}" has no provider; ${suggestionFor(name)}`;
  if (isProvider(provider)) return `"${name}" has no model name; write ${provider}/ and the model's name`;
  const known = NICKNAMES.get(provider.toLowerCase());
  if (known !== undefined) return `unknown provider "${provider}"; write ${known}/${rest.join("/")}`;
  return `unknown provider "${provider}"; use ${PROVIDER_NAMES.join(", ")} (for any other service with an OpenAI-compatible API: openai-compatible/${rest.join("/")} with modelBaseUrl)`;
}

function suggestionFor(model: string): string {
  const provider = FAMILIES.find(([pattern]) => pattern.test(model))?.[1];
  const example = provider === undefined ? "such as ollama/llama3" : `such as ${provider}/${model}`;
  return `write provider/model, ${example}`;
}
