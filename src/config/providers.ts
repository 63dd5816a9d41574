/** The providers whose models can be named in the configuration, and how to reach them. */
interface ProviderFacts {
  /** The provider's address. Null: must be configured. */
  readonly baseUrl: string | null;
  /** Environment variables for its key, by precedence. Empty: it works without a key. */
  readonly keyVariables: readonly string[];
}

export const PROVIDERS = {
  anthropic: { baseUrl: "https://api.anthropic.com/v1", keyVariables: ["ANTHROPIC_API_KEY"] },
  openai: { baseUrl: "https://api.openai.com/v1", keyVariables: ["OPENAI_API_KEY"] },
  google: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
  },
  openrouter: { baseUrl: "https://openrouter.ai/api/v1", keyVariables: ["OPENROUTER_API_KEY"] },
  ollama: { baseUrl: "http://127.0.0.1:11434/v1", keyVariables: [] },
  "openai-compatible": { baseUrl: null, keyVariables: [] },
} as const satisfies Readonly<Record<string, ProviderFacts>>;

export type Provider = keyof typeof PROVIDERS;

export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly Provider[];

export function isProvider(name: string): name is Provider {
  return Object.hasOwn(PROVIDERS, name);
}
