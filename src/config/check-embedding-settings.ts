/**
 * Checks that the settings for embeddings and reranking are consistent, and rejects invalid names of embedding
 * models.
 */
import { problemWithModelName, splitModelName } from "./model-name.ts";
import { RERANK_PROVIDERS, type RerankProvider } from "./rerank-providers.ts";

interface EmbeddingSettings {
  readonly embeddingModel: string;
  readonly embeddingBaseUrl: string | null;
  readonly rerankProvider: RerankProvider | "none";
  readonly rerankEndpoint: string | null;
}

interface Findings {
  addIssue(issue: { code: "custom"; path: string[]; message: string }): void;
}

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
