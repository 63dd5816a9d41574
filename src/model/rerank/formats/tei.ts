/**
 * Text Embeddings Inference, on a machine of your own: POST /rerank. It runs one model, ranks all that it is sent, takes
 * 32 texts at a time unless it was started otherwise, and answers with a bare list. Raw scores are asked for, because
 * what it makes of them otherwise depends on the model.
 */
import { bearer, type RerankFormat } from "../rerank-format.ts";

export const tei: RerankFormat = {
  mostDocuments: 32,
  givesLogits: true,
  headers: bearer,
  body: ({ query, documents }) => ({
    query,
    texts: documents,
    raw_scores: true,
    return_text: false,
    truncate: true,
  }),
  results: (answer) => answer,
  scoreField: "score",
};
