/** The reranking services, and how to reach them. */
interface RerankProviderFacts {
  /** Its address. Null: must be configured. */
  readonly endpoint: string | null;
  /** Null: the service runs one model. */
  readonly model: string | null;
  /** Environment variables for its key. Empty: it works without a key. */
  readonly keyVariables: readonly string[];
}

export const RERANK_PROVIDERS = {
  jina: {
    endpoint: "https://api.jina.ai/v1/rerank",
    model: "jina-reranker-v3",
    keyVariables: ["JINA_API_KEY"],
  },
  siliconflow: {
    endpoint: "https://api.siliconflow.com/v1/rerank",
    model: "BAAI/bge-reranker-v2-m3",
    keyVariables: ["SILICONFLOW_API_KEY"],
  },
  voyage: {
    endpoint: "https://api.voyageai.com/v1/rerank",
    model: "rerank-2.5",
    keyVariables: ["VOYAGE_API_KEY"],
  },
  pinecone: {
    endpoint: "https://api.pinecone.io/rerank",
    model: "bge-reranker-v2-m3",
    keyVariables: ["PINECONE_API_KEY"],
  },
  dashscope: {
    endpoint: "https://dashscope.aliyuncs.com/api/v1/services/rerank/text-rerank/text-rerank",
    model: "gte-rerank-v2",
    keyVariables: ["DASHSCOPE_API_KEY"],
  },
  tei: { endpoint: null, model: null, keyVariables: [] },
} as const satisfies Readonly<Record<string, RerankProviderFacts>>;

export type RerankProvider = keyof typeof RERANK_PROVIDERS;

export const RERANK_PROVIDER_NAMES = Object.keys(RERANK_PROVIDERS) as readonly RerankProvider[];
