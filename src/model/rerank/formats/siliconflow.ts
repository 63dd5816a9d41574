/** SiliconFlow: POST /v1/rerank, in Jina's form. */

import { valueAt } from "../../value-at.ts";
import { bearer, type RerankFormat } from "../rerank-format.ts";

export const siliconflow: RerankFormat = {
  mostDocuments: 256,
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
