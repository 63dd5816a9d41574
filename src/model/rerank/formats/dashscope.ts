/** Alibaba's DashScope: POST …/services/rerank/text-rerank/text-rerank. Input and parameters stand apart. */

import { valueAt } from "../../value-at.ts";
import { bearer, type RerankFormat } from "../rerank-format.ts";

export const dashscope: RerankFormat = {
  mostDocuments: 500,
  givesLogits: false,
  headers: bearer,
  body: ({ model, query, documents, topN }) => ({
    model,
    input: { query, documents },
    parameters: { top_n: topN, return_documents: false },
  }),
  results: (answer) => valueAt(answer, "output", "results"),
  scoreField: "relevance_score",
};
