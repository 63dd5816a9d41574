import { expect } from "vitest";
import type { ConfigKey } from "../../src/config/schema.ts";
import { internalsOf } from "../../src/engine.ts";
import type { Engine, OpenOptions } from "../../src/index.ts";
import { meaningEmbedder } from "../meaning-embedder.ts";
import { reply, type Script } from "../scripted-model.ts";

type Key = Extract<
  ConfigKey,
  | `memory${string}`
  | `auto${"Capture" | "Recall"}${string}`
  | `capture${string}`
  | "admission"
  | `recall${string}`
  | "searchByMeaning"
>;
type OpenWith = (config: object, options?: OpenOptions) => Promise<Engine>;
type OpenWithModel = (
  script: Script,
  config?: object,
  options?: OpenOptions,
) => Promise<{
  readonly server: { readonly requests: readonly { readonly model: string }[] };
  readonly engine: Engine;
}>;

const say = (content: string) => ({ role: "user", content });
const NO_VECTORS = { embeddingModel: "off" };
const MANUAL = { background: "manual" } as const;

async function commit({ context, background }: Engine, ...contents: readonly string[]): Promise<void> {
  await context.commitTurn({
    conversation: "s",
    key: contents.join("|").slice(0, 100),
    messages: contents.map(say),
  });
  await background?.run();
}

async function abstracts({ memory }: Engine): Promise<readonly string[]> {
  return (await memory.list()).rows.map(({ abstract }) => abstract);
}

/** One memory, resting on the first of the messages. */
function extracted(quote: string): Script {
  const memory = {
    category: "preferences",
    abstract: "Drink: tea",
    overview: "",
    content: "",
    message: 1,
    quote,
  };
  return reply(JSON.stringify({ memories: [memory] }));
}

/** For every setting of memory, what changes when it is changed. */
export function memoryEffects(
  openWith: OpenWith,
  openWithModel: OpenWithModel,
): Record<Key, () => Promise<void>> {
  return {
    searchByMeaning: async () => {
      const options = { ...MANUAL, embedder: meaningEmbedder() };
      const [on, off] = [
        await openWith({ searchByMeaning: true }, options),
        await openWith({}, { ...options, embedder: meaningEmbedder() }),
      ];
      for (const engine of [on, off]) await commit(engine, "The dog sleeps.");
      expect((await on.store.info()).messageVectors).toBe(1);
      expect((await off.store.info()).messageVectors).toBe(0);
      const { hits } = await on.context.grep({ pattern: "kennel", mode: "hybrid" });
      expect(hits.map(({ snippet }) => snippet.text)).toEqual(["The dog sleeps."]);
      await expect(off.context.grep({ pattern: "kennel", mode: "hybrid" })).rejects.toMatchObject({
        code: "invalid-input",
      });
    },
    memoryModel: async () => {
      const { server, engine } = await openWithModel(
        extracted("I only drink tea"),
        { ...NO_VECTORS, memoryModel: "openai-compatible/scribe", captureMinMessages: 1 },
        MANUAL,
      );
      await commit(engine, "I only drink tea");
      expect(server.requests.map(({ model }) => model)).toEqual(["scribe"]);
      expect(await abstracts(engine)).toEqual(["Drink: tea"]);
    },
    memoryScope: async () => {
      const { memory } = await openWith({ ...NO_VECTORS, memoryScope: "global" });
      expect((await memory.store({ text: "The office is in Oslo" })).memory.scope).toBe("global");
    },
    memoryAccess: async () => {
      const { memory } = await openWith({ ...NO_VECTORS, memoryAccess: { default: ["project:web"] } });
      const stored = await memory.store({ text: "The office is in Oslo", scope: "project:web" });
      expect(stored.memory.scope).toBe("project:web");
      await expect(memory.store({ text: "x", scope: "global" })).rejects.toMatchObject({
        code: "invalid-input",
      });
    },
    autoCapture: async () => {
      const engine = await openWith({ ...NO_VECTORS, autoCapture: false }, MANUAL);
      await commit(engine, "Please remember that the office is in Oslo.");
      expect(await abstracts(engine)).toEqual([]);
    },
    captureAssistant: async () => {
      const answers = async (captureAssistant: boolean) => {
        const { engine } = await openWithModel(
          extracted("The office moved to Oslo"),
          { ...NO_VECTORS, captureAssistant, captureMinMessages: 1 },
          MANUAL,
        );
        await engine.context.commitTurn({
          conversation: "s",
          key: "t",
          messages: [say("Where is it?"), { role: "assistant", content: "The office moved to Oslo" }],
        });
        await engine.background?.run();
        return abstracts(engine);
      };
      expect(await answers(true)).toEqual(["Drink: tea"]);
      expect(await answers(false)).toEqual([]);
    },
    captureMinMessages: async () => {
      const { server, engine } = await openWithModel(
        extracted("I only drink tea"),
        { ...NO_VECTORS, captureMinMessages: 2 },
        MANUAL,
      );
      await commit(engine, "I only drink tea");
      expect(server.requests).toHaveLength(0);
      await commit(engine, "And you?");
      expect(server.requests.length).toBeGreaterThan(0);
    },
    captureMaxTokens: async () => {
      const { server, engine } = await openWithModel(
        reply('{"memories":[]}'),
        { ...NO_VECTORS, captureMinMessages: 1, captureMaxTokens: 50 },
        MANUAL,
      );
      await commit(engine, "tea ".repeat(40), "coffee ".repeat(40), "water ".repeat(40));
      expect(server.requests).toHaveLength(3);
    },
    captureMaxPerHour: async () => {
      const { server, engine } = await openWithModel(
        reply('{"memories":[]}'),
        { ...NO_VECTORS, captureMinMessages: 1, captureMaxPerHour: 1 },
        MANUAL,
      );
      await commit(engine, "I only drink tea");
      await commit(engine, "And never coffee");
      expect(server.requests).toHaveLength(1);
    },
    captureSkipLowValue: async () => {
      const { server, engine } = await openWithModel(
        reply('{"memories":[]}'),
        { ...NO_VECTORS, captureMinMessages: 1, captureSkipLowValue: true },
        MANUAL,
      );
      await commit(engine, "Nice weather");
      expect(server.requests).toHaveLength(0);
    },
    admission: async () => {
      const { engine } = await openWithModel(
        extracted("I only drink tea"),
        { ...NO_VECTORS, captureMinMessages: 1, admission: "conservative" },
        MANUAL,
      );
      await commit(engine, "I only drink tea");
      const { rows } = await engine.memory.history.decisions({ limit: 10 });
      expect(rows.some(({ detail }) => detail.includes('"conservative"'))).toBe(true);
    },
    autoRecall: async () => {
      const recalled = async (autoRecall: boolean) => {
        const engine = await openWith({ ...NO_VECTORS, autoRecall });
        await engine.memory.store({ text: "The office is in Oslo" });
        await commit(engine, "Good to be back");
        const { recalled } = await engine.context.assemble({
          conversation: "s",
          prompt: "Where is the office?",
        });
        return recalled?.ids.length ?? 0;
      };
      expect(await recalled(true)).toBe(1);
      expect(await recalled(false)).toBe(0);
    },
    autoRecallMaxItems: async () => {
      const engine = await openWith({ ...NO_VECTORS, autoRecallMaxItems: 1 });
      await engine.memory.store({ text: "The office is in Oslo" });
      await engine.memory.store({ text: "The office has a garden" });
      const block = await internalsOf(engine).turnMemory.recallFor({
        prompt: "Where is the office?",
      });
      expect(block?.ids).toHaveLength(1);
    },
    autoRecallMaxTokens: async () => {
      const engine = await openWith({ ...NO_VECTORS, autoRecallMaxTokens: 10 });
      await engine.memory.store({ text: "The office is in Oslo" });
      expect(await internalsOf(engine).turnMemory.recallFor({ prompt: "Where is the office?" })).toBeNull();
    },
    autoRecallTimeoutMs: async () => {
      const embedder = { model: "slow", dimensions: 2, embed: () => new Promise<never>(() => {}) };
      const engine = await openWith({ autoRecallTimeoutMs: 20 }, { embedder, background: "off" });
      const block = internalsOf(engine).turnMemory.recallFor({
        prompt: "Where is the office?",
      });
      expect(await block).toBeNull();
    },
    recallMode: async () => {
      const { memory } = await openWith({ ...NO_VECTORS, recallMode: "seed" });
      await memory.store({ text: "The office is in Oslo" });
      const { mode, trace } = await memory.recall({ query: "Where is the office?" }, { explain: true });
      expect(mode).toBe("seed");
      expect(trace.map(({ stage }) => stage)).toContain("hard_min_score");
    },
    recallDiversity: async () => {
      const { memory } = await openWith({ ...NO_VECTORS, recallDiversity: true });
      await memory.store({ text: "The office is in Oslo" });
      const { trace } = await memory.recall({ query: "Where is the office?" }, { explain: true });
      expect(trace.find(({ stage }) => stage === "diversity")?.note).not.toBe("This stage is off.");
    },
  };
}
