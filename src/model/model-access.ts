/** The address and key of a configured model. */
import type { ProviderKeys } from "../config/provider-keys.ts";
import { PROVIDERS } from "../config/providers.ts";
import type { Config } from "../config/schema.ts";
import { PalimpsestError } from "../errors.ts";
import { type ProviderModel, parseProviderModel } from "./provider-model.ts";

export interface ModelAccess {
  readonly model: ProviderModel;
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

type AccessSettings = Pick<Config, "summaryModel" | "modelBaseUrl" | "modelApiKey"> &
  Partial<Pick<Config, "expansionModel" | "largeFileModel" | "memoryModel">>;

/**
 * `modelBaseUrl` and `modelApiKey` are for the provider of `summaryModel` alone (of `expansionModel`, `largeFileModel` or
 * `memoryModel`, in this order, where there is no other); others use their own.
 */
export function accessTo(name: string, settings: AccessSettings, keys: ProviderKeys): ModelAccess {
  const model = parseProviderModel(name);
  const { summaryModel, expansionModel, largeFileModel, memoryModel } = settings;
  const owner = summaryModel ?? expansionModel ?? largeFileModel ?? memoryModel ?? name;
  const isOwn = parseProviderModel(owner).provider === model.provider;
  const given = isOwn ? settings : { modelBaseUrl: null, modelApiKey: null };
  const baseUrl = given.modelBaseUrl ?? PROVIDERS[model.provider].baseUrl;
  if (baseUrl === null)
    throw new PalimpsestError("config-invalid", `${name} needs modelBaseUrl, the address of its API`);
  return { model, baseUrl, apiKey: keys[model.provider] ?? given.modelApiKey };
}

/** Calls without a key fail here, with a clearer error than the provider's. */
export function refuseMissingKey({ model, apiKey }: ModelAccess, setting = keySettingOf(model)): void {
  const [variable] = PROVIDERS[model.provider].keyVariables;
  if (apiKey !== null || variable === undefined) return;
  throw new PalimpsestError("model-authentication", `no API key for ${model.name}`, {
    advice: `Set ${variable} or ${setting}.`,
  });
}

function keySettingOf({ provider }: ProviderModel): string {
  return `modelApiKey if ${provider} is the provider of summaryModel`;
}
