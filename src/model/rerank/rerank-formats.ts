/** The request and response format of each reranking service. Pure: no request is made here. */
import type { RerankProvider } from "../../config/rerank-providers.ts";
import { valueAt } from "../value-at.ts";

/** The request and response format of a service. */
export interface RerankFormat {
  /** Maximum documents of one request. */
  readonly mostDocuments: number;
  /** Whether scores are logits, which a sigmoid brings between 0 and 1. */
  readonly givesLogits: boolean;
  headers(apiKey: string): Readonly<Record<string, string>>;
  body(asked: RerankQuestion): object;
  /** The list of results; any value if the response is invalid. */
  results(answer: unknown): unknown;
  /** The field of a result that contains its score. */
  readonly scoreField: string;
}

interface RerankQuestion {
  /** Null if the service runs only one model. */
  readonly model: string | null;
  readonly query: string;
  readonly documents: readonly string[];
  readonly topN: number;
}

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

const USUAL = {
  givesLogits: false,
  headers: bearer,
  results: (answer: unknown) => valueAt(answer, "results"),
  scoreField: "relevance_score",
};

/** Jina: POST /v1/rerank. Scores are between 0 and 1, or slightly below with models that compare vectors. */
const jina: RerankFormat = {
  ...USUAL,
  mostDocuments: 512,
  body: ({ model, query, documents, topN }) => ({
    model,
    query,
    documents,
    top_n: topN,
    return_documents: false,
  }),
};

/** SiliconFlow: POST /v1/rerank, in Jina's form. */
const siliconflow: RerankFormat = { ...jina, mostDocuments: 256 };

/** Voyage AI: POST /v1/rerank. It uses `top_k` instead of `top_n`, and returns results in `data`. */
const voyage: RerankFormat = {
  ...USUAL,
  mostDocuments: 1000,
  body: ({ model, query, documents, topN }) => ({
    model,
    query,
    documents,
    top_k: topN,
    return_documents: false,
    truncation: true,
  }),
  results: (answer) => valueAt(answer, "data"),
};

/** Pinecone: POST /rerank. Documents are objects, the key has its own header, and the request contains the version. */
const pinecone: RerankFormat = {
  ...USUAL,
  mostDocuments: 100,
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

/** Alibaba's DashScope: POST …/services/rerank/text-rerank/text-rerank. Input and parameters are separate. */
const dashscope: RerankFormat = {
  ...USUAL,
  mostDocuments: 500,
  body: ({ model, query, documents, topN }) => ({
    model,
    input: { query, documents },
    parameters: { top_n: topN, return_documents: false },
  }),
  results: (answer) => valueAt(answer, "output", "results"),
};

/**
 * Text Embeddings Inference, on a machine of your own: POST /rerank. It runs one model, ranks all documents, accepts
 * 32 texts at a time by default, and returns a bare list. Raw scores are requested, because
 * their normalisation depends on the model.
 */
const tei: RerankFormat = {
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

export const RERANK_FORMATS: Readonly<Record<RerankProvider, RerankFormat>> = {
  jina,
  siliconflow,
  voyage,
  pinecone,
  dashscope,
  tei,
};
