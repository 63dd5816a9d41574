/** Checks of settings that depend on each other. */
import { problemWithModelName, splitModelName } from "./model-name.ts";
import { RERANK_PROVIDERS, type RerankProvider } from "./rerank-providers.ts";

/** Checks the order of thresholds: target < soft ≤ hard, or compaction would never end or never begin. */
interface Thresholds {
  readonly compactTarget: number;
  readonly contextThreshold: number;
  readonly hardThreshold: number;
}

interface Findings {
  addIssue(issue: { code: "custom"; path: string[]; message: string }): void;
}

export function checkThresholds(settings: Thresholds, findings: Findings): void {
  const refuse = (key: keyof Thresholds, message: string) =>
    findings.addIssue({ code: "custom", path: [key], message });
  if (settings.compactTarget >= settings.contextThreshold)
    refuse("compactTarget", `must be less than contextThreshold (${settings.contextThreshold})`);
  if (settings.hardThreshold < settings.contextThreshold)
    refuse("hardThreshold", `must be at least contextThreshold (${settings.contextThreshold})`);
}

interface ModelSettings {
  readonly summaryModel: string | null;
  readonly summaryFallbackModels: readonly string[];
  readonly expansionModel: string | null;
  readonly largeFileModel: string | null;
  readonly memoryModel: string | null;
  readonly modelBaseUrl: string | null;
}

/**
 * Checks that model settings are consistent. Address and key belong to one provider, that of summaryModel:
 * a key is never sent to a provider it was not given for.
 */
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

interface EmbeddingSettings {
  readonly embeddingModel: string;
  readonly embeddingBaseUrl: string | null;
  readonly rerankProvider: RerankProvider | "none";
  readonly rerankEndpoint: string | null;
}

/**
 * Checks that the settings for embeddings and reranking are consistent, and rejects invalid names of embedding
 * models.
 */
export function checkEmbeddingSettings(settings: EmbeddingSettings, findings: Findings): void {
  const refuse = (key: keyof EmbeddingSettings, message: string) =>
    findings.addIssue({ code: "custom", path: [key], message });
  const { embeddingModel, embeddingBaseUrl, rerankProvider, rerankEndpoint } = settings;
  if (splitModelName(embeddingModel)?.provider === "openai-compatible" && embeddingBaseUrl === null)
    refuse("embeddingBaseUrl", `must be set: ${embeddingModel} has no default address`);
  if (rerankProvider === "none" || rerankEndpoint !== null) return;
  if (RERANK_PROVIDERS[rerankProvider].endpoint === null)
    refuse("rerankEndpoint", `must be set: ${rerankProvider} has no default address`);
}

/** Null when the name can be used. */
export function problemWithEmbeddingModel(name: string): string | null {
  if (name === "local" || name === "off") return null;
  if (splitModelName(name)?.provider === "anthropic")
    return "anthropic has no embedding models; use local, or a model of openai, google, openrouter or ollama";
  const problem = problemWithModelName(name)?.replaceAll("modelBaseUrl", "embeddingBaseUrl");
  return problem === undefined ? null : `must be local, off or provider/model: ${problem}`;
}
