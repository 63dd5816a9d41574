/** Jina: POST /v1/rerank. Scores lie between 0 and 1, or slightly below with models that compare vectors. */

import { valueAt } from "../../value-at.ts";
import { bearer, type RerankFormat } from "../rerank-format.ts";

export const jina: RerankFormat = {
  mostDocuments: 512,
  givesLogits: false,
  headers: bearer,
  body: ({ model, query, documents, topN }) => ({
    model,
    query,
    documents,
    top_n: topN,
    return_documents: false,
  }),
  results: (answer) => valueAt(answer, "results"),
  scoreField: "relevance_score",
};
