/** What the settings for embeddings and reranking change, as the engine opens them. */
import { expect } from "vitest";
import { type Config, configSchema } from "../../src/config/schema.ts";
import { SILENT } from "../../src/log.ts";
import { openEmbedder } from "../../src/model/embed/open-embedder.ts";
import { openReranker } from "../../src/model/rerank/open-reranker.ts";
import { wait } from "../../src/model/wait.ts";
import { embedAll, startEmbeddings } from "../scripted-embeddings.ts";
import { type JsonAnswer, startJsonServer } from "../scripted-json-server.ts";

type Key = Extract<keyof Config, `embedding${string}` | `rerank${string}`>;
type Keep = (opened: { close(): Promise<void> }) => void;

const AROUND = { keys: {}, clock: () => 0, wait, chance: () => 0, onCall: () => {}, log: SILENT };
const PASSAGE = { purpose: "passage" } as const;

function embedderOf(config: object) {
  const embedder = openEmbedder(configSchema.parse(config), AROUND);
  if (embedder === null) throw new Error("an embedder is configured");
  return embedder;
}

/** `keep` is given what must be closed in the end. */
export function embeddingEffects(keep: Keep): Record<Key, () => Promise<void>> {
  const remote = async (config: object, answer: Parameters<typeof startEmbeddings>[0] = embedAll) => {
    const server = await startEmbeddings(answer);
    keep(server);
    const model = { embeddingModel: "openai-compatible/m", embeddingBaseUrl: `${server.url}/v1` };
    return { server, embedder: embedderOf({ ...model, modelRetries: 0, ...config }) };
  };
  const rerank = async (config: object, answer?: JsonAnswer) => {
    const server = await startJsonServer(
      () => answer ?? { body: { results: [{ index: 0, relevance_score: 1 }] } },
    );
    keep(server);
    const service = { rerankProvider: "jina", rerankEndpoint: `${server.url}/here`, rerankApiKey: "k" };
    const opened = openReranker(configSchema.parse({ ...service, ...config }), AROUND);
    return { server, outcome: await opened?.("q", ["d"], { topN: 1 }) };
  };
  return {
    embeddingModel: async () => {
      expect(openEmbedder(configSchema.parse({ embeddingModel: "off" }), AROUND)).toBeNull();
      expect(embedderOf({}).model).toMatch(/^local\//);
      const { server, embedder } = await remote({ embeddingModel: "openai-compatible/other" });
      await embedder.embed(["x"], PASSAGE);
      expect(server.requests[0]?.body).toMatchObject({ model: "other" });
    },
    embeddingBaseUrl: async () => {
      const { server, embedder } = await remote({});
      await embedder.embed(["x"], PASSAGE);
      expect(server.requests[0]?.path).toBe("/v1/embeddings");
    },
    embeddingApiKey: async () => {
      const { server, embedder } = await remote({ embeddingApiKey: "a-key" });
      await embedder.embed(["x"], PASSAGE);
      expect(server.requests[0]?.headers.authorization).toBe("Bearer a-key");
    },
    embeddingDimensions: async () => {
      const { server, embedder } = await remote({ embeddingDimensions: 7 });
      await embedder.embed(["x"], PASSAGE);
      expect(server.requests[0]?.body).toMatchObject({ dimensions: 7 });
    },
    embeddingTimeoutMs: async () => {
      const { embedder } = await remote({ embeddingTimeoutMs: 20 }, () => "hang");
      await expect(embedder.embed(["x"], PASSAGE)).rejects.toThrow("did not answer within 0.02 s");
    },
    rerankProvider: async () => {
      expect(openReranker(configSchema.parse({}), AROUND)).toBeNull();
      const { server } = await rerank({ rerankProvider: "voyage" });
      expect(server.requests[0]?.body).toMatchObject({ model: "rerank-2.5", top_k: 1 });
    },
    rerankModel: async () => {
      const { server } = await rerank({ rerankModel: "mine" });
      expect(server.requests[0]?.body).toMatchObject({ model: "mine" });
    },
    rerankEndpoint: async () => {
      expect((await rerank({})).server.requests[0]?.path).toBe("/here");
    },
    rerankApiKey: async () => {
      const { server } = await rerank({ rerankApiKey: "a-key" });
      expect(server.requests[0]?.headers.authorization).toBe("Bearer a-key");
    },
    rerankTimeoutMs: async () => {
      const { outcome } = await rerank({ rerankTimeoutMs: 20 }, "hang");
      expect(outcome).toMatchObject({ ok: false, reason: "timeout" });
    },
  };
}
