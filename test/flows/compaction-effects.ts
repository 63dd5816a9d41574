/** What each setting of compaction and assembly changes, seen through the engine. */
import { expect } from "vitest";
import type { CompactionSettings } from "../../src/context/compact/plan/compaction-settings.ts";
import type { CompactInput, CompletionRequest, Engine, OpenOptions } from "../../src/index.ts";

type OpenWith = (config: object, options?: OpenOptions) => Promise<Engine>;

type CompactionKey =
  | Exclude<keyof CompactionSettings, "timezone">
  | "autocompactDisabled"
  | "newSessionRetainDepth";

const TURNS = 40;
/** Small enough that forty turns make three levels. */
const SMALL = {
  freshTailCount: 4,
  leafChunkTokens: 1_000,
  leafMinFanout: 2,
  condensedMinFanout: 2,
  condensedTargetTokens: 100,
  leafTargetTokens: 200,
};

export function compactionEffects(openWith: OpenWith): Record<CompactionKey, () => Promise<void>> {
  const openLong = async (config: object, options: OpenOptions = {}) => {
    const engine = await openWith({ ...SMALL, ...config }, { background: "off", ...options });
    for (let turn = 0; turn < TURNS; turn++) await commit(engine, turn);
    return engine;
  };
  const compacted = async (config: object, input: Partial<CompactInput> = {}, options: OpenOptions = {}) => {
    const engine = await openLong(config, options);
    return { engine, report: await engine.context.compact({ conversation: "s", ...input }) };
  };
  const depthsWith = async (config: object, input: Partial<CompactInput> = {}) =>
    (await compacted(config, input)).report.passes.map((pass) => pass.depth);
  const backgroundRuns = async (config: object) => {
    const engine = await openLong(config, { background: "manual" });
    await engine.background?.run();
    return (await engine.context.conversations.summaries("s")).summaries;
  };

  /** How long the model is told to write, in each call. */
  const targetsWith = async (config: object) => {
    const requests: CompletionRequest[] = [];
    await compacted(config, {}, { complete: answering("The tide was logged. ".repeat(9), requests) });
    return requests.map(({ prompt }) => /about \d+ tokens/.exec(prompt)?.[0]);
  };

  return {
    stubLargeToolPayloads: async () => {
      const shown = async (stubLargeToolPayloads: boolean) => {
        const settings = { stubLargeToolPayloads, toolOutputStubBytes: 1_000 };
        const engine = await openWith({ ...SMALL, ...settings }, { background: "off" });
        for (let turn = 0; turn < 4; turn++) await commitResult(engine, turn);
        const { messages } = await engine.context.assemble({ conversation: "s", budget: 8_000 });
        return JSON.stringify(messages);
      };
      expect(await shown(true)).toContain("[LCM Tool Output: file_");
      expect(await shown(false)).not.toContain("[LCM Tool Output: ");
    },
    contextBudget: async () => {
      const engine = await openLong({ contextBudget: 3_000 });
      expect((await engine.context.assemble({ conversation: "s" })).budget).toBe(3_000);
    },
    maxAssemblyTokenBudget: async () => {
      const engine = await openLong({ maxAssemblyTokenBudget: 2_000 });
      const { budget, tokens } = await engine.context.assemble({ conversation: "s", budget: 50_000 });
      expect(budget).toBe(2_000);
      expect(tokens).toBeLessThanOrEqual(2_000);
    },
    autocompactDisabled: async () => {
      const engine = await openLong(
        { contextBudget: 2_000, autocompactDisabled: true },
        { background: "auto" },
      );
      expect(engine.background).toBeNull();
      expect((await engine.context.assemble({ conversation: "s" })).waited).toBe(false);
      expect((await engine.context.conversations.summaries("s")).summaries).toEqual([]);
    },
    contextThreshold: async () => {
      const settings = { contextBudget: 14_000, hardThreshold: 1 };
      expect(await backgroundRuns({ ...settings, contextThreshold: 0.99 })).toEqual([]);
      expect(await backgroundRuns({ ...settings, contextThreshold: 0.5 })).not.toEqual([]);
    },
    hardThreshold: async () => {
      const waits = async (hardThreshold: number) => {
        const engine = await openLong({ contextThreshold: 0.5, hardThreshold }, { background: "manual" });
        return (await engine.context.assemble({ conversation: "s", budget: 14_000 })).waited;
      };
      expect([await waits(0.6), await waits(1)]).toEqual([true, false]);
    },
    compactTarget: async () => {
      const engine = await openLong({ compactTarget: 0.25 });
      expect((await engine.context.evaluate({ conversation: "s", budget: 10_000 })).target).toBe(2_500);
    },
    maxActiveMessages: async () => {
      expect(await backgroundRuns({ maxActiveMessages: 1_000 })).toEqual([]);
      expect(await backgroundRuns({ maxActiveMessages: 30 })).not.toEqual([]);
    },
    incremental: async () => {
      expect(await backgroundRuns({})).toEqual([]);
      const made = await backgroundRuns({ incremental: true });
      expect(made.map((summary) => summary.kind)).toContain("leaf");
    },
    incrementalMaxDepth: async () => {
      const deepest = async (incrementalMaxDepth: number) => {
        const engine = await openWith(
          { ...SMALL, incremental: true, incrementalMaxDepth },
          { background: "manual" },
        );
        for (let turn = 0; turn < TURNS; turn++) {
          await commit(engine, turn);
          await engine.background?.run();
        }
        const { summaries } = await engine.context.conversations.summaries("s");
        return Math.max(...summaries.map((summary) => summary.depth));
      };
      expect([await deepest(0), await deepest(2)]).toEqual([0, 2]);
    },
    sweepDeadlineMs: async () => {
      const time = { now: 0 };
      const clock = () => (time.now += 10);
      const settings = { contextBudget: 2_000, sweepDeadlineMs: 1 };
      const engine = await openLong(settings, { background: "manual", clock });
      await engine.background?.run();
      const { summaries } = await engine.context.conversations.summaries("s");
      const all = (await compacted({ contextBudget: 2_000 }, { untilUnder: 800 })).report.passes;
      expect(summaries.length).toBeLessThan(all.length);
    },
    freshTailCount: async () => {
      const left = async (freshTailCount: number) =>
        (await compacted({ freshTailCount, leafMinFanout: 100 })).report.passes.reduce(
          (sum, pass) => sum - pass.sources,
          2 * TURNS,
        );
      expect(await left(4)).toBeLessThan(20);
      expect(await left(40)).toBeGreaterThanOrEqual(40);
    },
    freshTailMaxTokens: async () => {
      const settings = { freshTailCount: 60, leafMinFanout: 100 };
      const [wide, narrow] = [
        await compacted(settings),
        await compacted({ ...settings, freshTailMaxTokens: 500 }),
      ];
      expect(narrow.report.passes.length).toBeGreaterThan(wide.report.passes.length);
    },
    leafChunkTokens: async () => {
      const sizes = async (leafChunkTokens: number) =>
        (await compacted({ leafChunkTokens })).report.passes
          .filter((pass) => pass.kind === "leaf")
          .map((pass) => pass.sourceTokens);
      expect(Math.max(...(await sizes(700)))).toBeLessThanOrEqual(700);
      expect(Math.max(...(await sizes(3_000)))).toBeGreaterThan(2_000);
    },
    leafTargetTokens: async () => {
      expect(await targetsWith({ leafTargetTokens: 250 })).toContain("about 250 tokens");
    },
    condensedTargetTokens: async () => {
      const settings = { condensedTargetTokens: 222, leafTargetTokens: 350, leafMinFanout: 8 };
      expect(await targetsWith(settings)).toContain("about 222 tokens");
    },
    leafMinFanout: async () => {
      expect(await depthsWith({ leafMinFanout: 2 })).toContain(1);
      expect(await depthsWith({ leafMinFanout: 100 })).not.toContain(1);
    },
    condensedMinFanout: async () => {
      expect(await depthsWith({ condensedMinFanout: 2 })).toContain(2);
      expect(await depthsWith({ condensedMinFanout: 100 })).not.toContain(2);
    },
    condensedMinFanoutHard: async () => {
      const settings = { leafMinFanout: 100, condensedMinFanout: 100 };
      expect(await depthsWith({ ...settings, condensedMinFanoutHard: 2 }, { untilUnder: 100 })).toContain(1);
      expect(
        await depthsWith({ ...settings, condensedMinFanoutHard: 100 }, { untilUnder: 100 }),
      ).not.toContain(1);
    },
    newSessionRetainDepth: async () => {
      const kept = async (newSessionRetainDepth: number) => {
        const { engine } = await compacted({ newSessionRetainDepth });
        await engine.context.conversations.reset({ conversation: "s", mode: "new" });
        return (await engine.context.conversations.get("s")).contextItems;
      };
      expect(await kept(0)).toBeGreaterThan(0);
      expect(await kept(50)).toBe(0);
    },
    summaryMaxOverageFactor: async () => {
      const qualities = async (summaryMaxOverageFactor: number) => {
        const options = { complete: answering(`The tide was logged. `.repeat(80)) };
        const { passes } = (await compacted({ summaryMaxOverageFactor }, {}, options)).report;
        return new Set(passes.map((pass) => pass.quality));
      };
      expect(await qualities(1)).not.toContain("normal");
      expect(await qualities(8)).toContain("normal");
    },
    customInstructions: async () => {
      const requests: CompletionRequest[] = [];
      const complete = answering("The tide was logged.", requests);
      await compacted({ customInstructions: "Mention the moon." }, {}, { complete });
      expect(requests[0]?.prompt).toContain("Mention the moon.");
    },
  };
}

/** A turn of about 300 tokens, in plain words so that a summary of any of them invents nothing. */
async function commit(engine: Engine, turn: number): Promise<void> {
  const words = (offset: number) =>
    Array.from({ length: 12 }, (_, i) => SENTENCES[(turn * 5 + i * 7 + offset) % SENTENCES.length]).join(" ");
  await engine.context.commitTurn({
    conversation: "s",
    key: `turn ${turn}`,
    messages: [
      { role: "user", content: words(0) },
      { role: "assistant", content: words(3) },
    ],
  });
}

const SENTENCES = [
  "The harbour master wants the tide table before breakfast.",
  "We decided to keep the old lamp because the new one flickers.",
  "Never open the sluice while a boat is in the lock.",
  "The pump failed again and a worn seal was the reason.",
  "Somebody should still paint the railing on the north pier.",
  "The gulls are louder than the fog horn this week.",
  "Replacing the seal fixed the pump for good.",
  "The ferry leaves whenever the bell has rung twice.",
  "Our visitors asked for warmer blankets in the cabin.",
  "The rope store must stay locked at night.",
  "A storm took the little flag from the breakwater.",
];

function answering(text: string, requests: CompletionRequest[] = []) {
  return async (request: CompletionRequest) => {
    requests.push(request);
    const usage = { inputTokens: null, outputTokens: null, cost: null };
    return { text, model: "host/own", finish: "stop" as const, usage };
  };
}

/** A tool with a result of about two thousand tokens. */
function commitResult(engine: Engine, turn: number) {
  const id = `call_${turn}`;
  return engine.context.commitTurn({
    conversation: "s",
    key: `result ${turn}`,
    messages: [
      { role: "user", content: "List the readings." },
      { role: "assistant", content: [{ type: "tool_use", id, name: "list", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: "high tide. ".repeat(700) }],
      },
    ],
  });
}
