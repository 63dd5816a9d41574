/**
 * The configured reranker, or the host's own. A user waits for the search, so there are no retries; a service that
 * rejects its key is not called for a while, like models.
 */
import { RERANK_PROVIDERS, type RerankProvider } from "../../config/rerank-providers.ts";
import type { Config } from "../../config/schema.ts";
import { isPalimpsestError, messageOf, PalimpsestError } from "../../errors.ts";
import type { Clock } from "../../types.ts";
import type { Call } from "../call.ts";
import { type CircuitSettings, guardCall, type ModelSurroundings } from "../guard-call.ts";
import { factsOf, isAuthenticationFailure, modelFailure, unavailable } from "../model-failure.ts";
import { callReranker, type RerankAccess, type RerankRequest, type RerankResult } from "./call-reranker.ts";
import { bestFirst, readRanking } from "./read-ranking.ts";
import type { HostRerank, RankedDocument, Rerank, RerankFailure, RerankOutcome } from "./rerank.ts";
import { RERANK_FORMATS } from "./rerank-formats.ts";

type RerankerSettings = CircuitSettings &
  Pick<Config, "rerankProvider" | "rerankModel" | "rerankEndpoint" | "rerankApiKey" | "rerankTimeoutMs">;

interface RerankerSurroundings extends ModelSurroundings {
  /** Replaces the configured reranker. */
  readonly host?: HostRerank | null;
}

/** Null if results are not reranked. */
export function openReranker(settings: RerankerSettings, around: RerankerSurroundings): Rerank | null {
  const { host } = around;
  const guard = (call: Call<RerankRequest, RerankResult>, model: string) =>
    guardCall(call, {
      model,
      timeoutMs: settings.rerankTimeoutMs,
      timeoutSetting: "rerankTimeoutMs",
      retries: 0,
      settings,
      around,
      window: null,
    });
  if (host !== undefined && host !== null)
    return rankInBatches(guard(callHostReranker(host, around), HOST_RERANKER), Number.POSITIVE_INFINITY);
  const { rerankProvider: provider } = settings;
  if (provider === "none") return null;
  const access = accessOf(provider, settings, around);
  const format = RERANK_FORMATS[provider];
  const call = refusingWithoutKey(callReranker(access, format, around), provider, access);
  return rankInBatches(guard(call, access.name), format.mostDocuments);
}

function accessOf(
  provider: RerankProvider,
  { rerankModel, rerankEndpoint, rerankApiKey }: RerankerSettings,
  { keys }: RerankerSurroundings,
): RerankAccess {
  const usual = RERANK_PROVIDERS[provider];
  const model = rerankModel ?? usual.model;
  const endpoint = rerankEndpoint ?? usual.endpoint;
  if (endpoint === null)
    throw new PalimpsestError("config-invalid", `${provider} needs rerankEndpoint, its address`);
  const name = model === null ? provider : `${provider}/${model}`;
  return { name, endpoint, model, apiKey: rerankApiKey ?? keys[provider] ?? null };
}

/** Fails here, with a clearer error than the service's. */
function refusingWithoutKey(
  call: Call<RerankRequest, RerankResult>,
  provider: RerankProvider,
  { apiKey }: RerankAccess,
): Call<RerankRequest, RerankResult> {
  const [variable] = RERANK_PROVIDERS[provider].keyVariables;
  if (apiKey !== null || variable === undefined) return call;
  return async () => {
    throw new PalimpsestError("model-authentication", `no API key for ${provider}`, {
      advice: `Set ${variable}, or rerankApiKey.`,
    });
  };
}

/** A host's own function as a reliable call: its errors are converted, and its results are checked. */
const HOST_RERANKER = "the host's reranker";

function callHostReranker(
  rerank: HostRerank,
  { clock }: { readonly clock: Clock },
): Call<RerankRequest, RerankResult> {
  return async ({ query, documents, topN, signal }) => {
    try {
      const answered = await rerank(query, documents, { topN, ...(signal === undefined ? {} : { signal }) });
      const shape = { documents: documents.length, scoreField: "score", givesLogits: false };
      const ranking = readRanking(answered, shape);
      if (ranking === null) throw noRanking();
      return { ranking, finish: "stop", usage: { inputTokens: null, outputTokens: null, cost: null } };
    } catch (error) {
      throw modelFailure(error, { model: HOST_RERANKER, apiKey: null, now: clock() });
    }
  };
}

function noRanking() {
  return unavailable(
    `${HOST_RERANKER} returned no valid ranking`,
    { status: 200, temporary: false, retryAfterMs: null },
    "It must resolve to a list of { index, score }, each index once.",
  );
}

/**
 * A `Rerank` from a call that takes a limited number of documents. Each pair of question and document is scored
 * separately, so that scores of several batches can be merged into one order.
 */
function rankInBatches(call: Call<RerankRequest, RerankResult>, mostDocuments: number): Rerank {
  return async (query, documents, { topN, signal }) => {
    const ranking: RankedDocument[] = [];
    const wanted = Math.max(0, Math.min(Math.floor(topN), documents.length));
    if (wanted === 0) return { ok: true, ranking };
    try {
      const starts = placesOf(documents.length, mostDocuments);
      const results = starts.map(async (start) => {
        const batch = documents.slice(start, start + mostDocuments);
        const request = { query, documents: batch, topN: Math.min(wanted, batch.length) };
        const result = await call({
          purpose: "reranking",
          ...request,
          ...(signal === undefined ? {} : { signal }),
        });
        return result.ranking.map(({ index, score }) => ({ index: index + start, score }));
      });
      ranking.push(...(await Promise.all(results)).flat());
    } catch (error) {
      return rerankFailure(error);
    }
    return { ok: true, ranking: bestFirst(ranking).slice(0, wanted) };
  };
}

function placesOf(documents: number, mostDocuments: number): number[] {
  const batches = Math.ceil(documents / Math.min(mostDocuments, documents));
  return Array.from({ length: batches }, (_, batch) => batch * Math.min(mostDocuments, documents));
}

/** The reason for a missing ranking, from any error. */
function rerankFailure(error: unknown): Extract<RerankOutcome, { ok: false }> {
  return { ok: false, reason: reasonOf(error), message: messageOf(error) };
}

function reasonOf(error: unknown): RerankFailure {
  if (isPalimpsestError(error, "cancelled")) return "cancelled";
  if (isAuthenticationFailure(error)) return "authentication";
  const facts = factsOf(error);
  if (facts?.isTooLate === true) return "timeout";
  if (facts?.status === 429) return "rate-limit";
  return facts?.status === 200 ? "invalid-answer" : "unavailable";
}
