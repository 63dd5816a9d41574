/** Voyage AI: POST /v1/rerank. It says `top_k` where others say `top_n`, and answers in `data`. */

import { valueAt } from "../../value-at.ts";
import { bearer, type RerankFormat } from "../rerank-format.ts";

export const voyage: RerankFormat = {
  mostDocuments: 1000,
  givesLogits: false,
  headers: bearer,
  body: ({ model, query, documents, topN }) => ({
    model,
    query,
    documents,
    top_k: topN,
    return_documents: false,
    truncation: true,
  }),
  results: (answer) => valueAt(answer, "data"),
  scoreField: "relevance_score",
};
