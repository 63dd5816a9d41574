/**
 * The keys that providers' own tools read from the environment. They are not settings of ours: they have no
 * `LCM_` name, are not listed by `lcm config show`, and never become part of the configuration.
 */
import { PROVIDERS, type Provider } from "./providers.ts";
import { RERANK_PROVIDERS, type RerankProvider } from "./rerank-providers.ts";

type KeyOwner = Provider | RerankProvider;
export type ProviderKeys = Readonly<Partial<Record<KeyOwner, string>>>;

export function readProviderKeys(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ProviderKeys {
  const keys: Partial<Record<KeyOwner, string>> = {};
  for (const [owner, { keyVariables }] of Object.entries({ ...PROVIDERS, ...RERANK_PROVIDERS })) {
    const values = keyVariables.map((name) => environment[name]?.trim());
    const key = values.find((value) => value !== undefined && value !== "");
    if (key !== undefined) keys[owner as KeyOwner] = key;
  }
  return keys;
}
