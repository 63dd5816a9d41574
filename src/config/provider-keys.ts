/**
 * The keys that providers' own tools read from the environment. They are not settings of ours: they have no
 * `LCM_` name, are not listed by `lcm config show`, and never become part of the configuration.
 */
import { PROVIDER_NAMES, PROVIDERS, type Provider } from "./providers.ts";

export type ProviderKeys = Readonly<Partial<Record<Provider, string>>>;

export function readProviderKeys(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ProviderKeys {
  const keys: Partial<Record<Provider, string>> = {};
  for (const provider of PROVIDER_NAMES) {
    const values = PROVIDERS[provider].keyVariables.map((name) => environment[name]?.trim());
    const key = values.find((value) => value !== undefined && value !== "");
    if (key !== undefined) keys[provider] = key;
  }
  return keys;
}
