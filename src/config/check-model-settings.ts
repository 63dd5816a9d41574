/**
 * What one model setting demands of another. Address and key belong to one provider, that of summaryModel:
 * a key is never sent to a provider it was not given for.
 */
import { splitModelName } from "./model-name.ts";

interface ModelSettings {
  readonly summaryModel: string | null;
  readonly summaryFallbackModels: readonly string[];
  readonly modelBaseUrl: string | null;
}

interface Findings {
  addIssue(issue: { code: "custom"; path: string[]; message: string }): void;
}

export function checkModelSettings(settings: ModelSettings, findings: Findings): void {
  const refuse = (key: keyof ModelSettings, message: string) =>
    findings.addIssue({ code: "custom", path: [key], message });
  const own = settings.summaryModel === null ? null : splitModelName(settings.summaryModel);
  if (own === null) {
    if (settings.summaryFallbackModels.length > 0)
      refuse("summaryFallbackModels", "needs a summaryModel to fall back from");
    return;
  }
  if (own.provider === "openai-compatible" && settings.modelBaseUrl === null)
    refuse("modelBaseUrl", `must be set: ${settings.summaryModel} does not say where the model is`);
  for (const name of settings.summaryFallbackModels)
    if (splitModelName(name)?.provider === "openai-compatible" && own.provider !== "openai-compatible")
      refuse("summaryFallbackModels", `${name} has no address: modelBaseUrl is that of ${own.provider}`);
}
