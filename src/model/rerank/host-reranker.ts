/** A host's own function as a dependable call: what it throws becomes ours, and what it answers is looked at. */
import type { Clock } from "../../types.ts";
import type { Call } from "../call.ts";
import { modelFailure, unavailable } from "../model-failure.ts";
import type { RerankRequest, RerankResult } from "./call-reranker.ts";
import { readRanking } from "./read-ranking.ts";
import type { HostRerank } from "./rerank.ts";

export const HOST_RERANKER = "the host's reranker";

export function callHostReranker(
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
