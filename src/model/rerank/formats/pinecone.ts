/** Pinecone: POST /rerank. Documents are objects, the key has a header of its own, and the version is part of the request. */

import { valueAt } from "../../value-at.ts";
import type { RerankFormat } from "../rerank-format.ts";

export const pinecone: RerankFormat = {
  mostDocuments: 100,
  givesLogits: false,
  headers: (apiKey) => ({ "api-key": apiKey, "x-pinecone-api-version": "2025-10" }),
  body: ({ model, query, documents, topN }) => ({
    model,
    query,
    documents: documents.map((text) => ({ text })),
    top_n: topN,
    return_documents: false,
    parameters: { truncate: "END" },
  }),
  results: (answer) => valueAt(answer, "data"),
  scoreField: "score",
};
