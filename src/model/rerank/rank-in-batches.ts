/**
 * A `Rerank` from a call that takes a limited number of documents. Each pair of question and document is scored
 * separately, so that scores of several batches can be merged into one order.
 */

import { isPalimpsestError, messageOf } from "../../errors.ts";
import type { Call } from "../call.ts";
import { factsOf, isAuthenticationFailure } from "../model-failure.ts";
import type { RerankRequest, RerankResult } from "./call-reranker.ts";
import { bestFirst } from "./read-ranking.ts";
import type { RankedDocument, Rerank, RerankFailure, RerankOutcome } from "./rerank.ts";

export function rankInBatches(call: Call<RerankRequest, RerankResult>, mostDocuments: number): Rerank {
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

/** Why there is no ranking, from whatever was thrown. */
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
