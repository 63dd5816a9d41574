/**
 * What one model setting demands of another. Address and key belong to one provider, that of summaryModel:
 * a key is never sent to a provider it was not given for.
 */
import { splitModelName } from "./model-name.ts";

interface ModelSettings {
  readonly summaryModel: string | null;
  readonly summaryFallbackModels: readonly string[];
  readonly expansionModel: string | null;
  readonly largeFileModel: string | null;
  readonly memoryModel: string | null;
  readonly modelBaseUrl: string | null;
}

interface Findings {
  addIssue(issue: { code: "custom"; path: string[]; message: string }): void;
}

export function checkModelSettings(settings: ModelSettings, findings: Findings): void {
  const refuse = (key: keyof ModelSettings, message: string) =>
    findings.addIssue({ code: "custom", path: [key], message });
  const { summaryModel, summaryFallbackModels, modelBaseUrl, ...others } = settings;
  if (summaryModel === null && summaryFallbackModels.length > 0)
    refuse("summaryFallbackModels", "needs summaryModel to be set");
  const owner = summaryModel ?? others.expansionModel ?? others.largeFileModel ?? others.memoryModel;
  const own = owner === null ? null : splitModelName(owner);
  if (own === null) return;
  if (own.provider === "openai-compatible" && modelBaseUrl === null)
    refuse("modelBaseUrl", `must be set: ${owner} has no default address`);
  const hasNoAddress = (name: string | null) =>
    name !== null &&
    splitModelName(name)?.provider === "openai-compatible" &&
    own.provider !== "openai-compatible";
  const explain = (name: string) => `${name} has no address: modelBaseUrl is that of ${own.provider}`;
  for (const name of summaryFallbackModels)
    if (hasNoAddress(name)) refuse("summaryFallbackModels", explain(name));
  for (const key of ["expansionModel", "largeFileModel", "memoryModel"] as const) {
    const name = others[key];
    if (name !== null && hasNoAddress(name)) refuse(key, explain(name));
  }
}
