/** A few words that stand between summaries: nothing is published that saves nothing, and compaction still goes on. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CompactReport, type Engine, open } from "../../src/index.ts";
import { prose } from "../properties/sayings.ts";
import { type Place, temporaryPlace } from "../temporary-store.ts";

const SETTINGS = { leafChunkTokens: 1_200, freshTailCount: 2, leafTargetTokens: 300 };
const WORK = 8;

describe("a short message between summaries", () => {
  let place: Place;
  let engine: Engine;
  beforeEach(async () => {
    place = await temporaryPlace("sqlite");
    const config = { ...SETTINGS, leafMinFanout: 5, logLevel: "silent" as const };
    engine = await open({ store: place.store, background: "off", config });
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  /** One prompt and what an agent did on it; compacted while the prompt is the newest and stays as it is. */
  async function work(key: string, prompt: string): Promise<CompactReport> {
    const steps = Array.from({ length: WORK }, (_, step) => ({
      role: "assistant",
      content: prose(`${key} ${step}`, 1_800),
    }));
    const messages = [{ role: "user", content: prompt }, ...steps];
    await engine.context.commitTurn({ conversation: "s", key, messages });
    return engine.context.compact({ conversation: "s", budget: 2_000 });
  }

  const enlarging = ({ passes }: CompactReport) =>
    passes.filter(({ tokens, sourceTokens }) => (tokens ?? 0) >= sourceTokens);

  it("stays as it was said while too few are there to be condensed with it", async () => {
    await work("a", "Please begin.");
    await engine.context.commitTurn({
      conversation: "s",
      key: "b",
      messages: [{ role: "user", content: "Go on." }],
    });
    const report = await engine.context.compact({ conversation: "s", budget: 2_000 });
    expect(report.passes.filter(({ sources, kind }) => kind === "leaf" && sources === 1)).toEqual([]);
    expect(report.tokensAfter).toBeLessThanOrEqual(report.tokensBefore);
  });

  it("is condensed with its neighbours as soon as they are enough", async () => {
    const reports: CompactReport[] = [];
    for (const key of ["a", "b", "c", "d"]) reports.push(await work(key, `Go on with ${key}.`));
    for (const report of reports) {
      expect(report.tokensAfter).toBeLessThan(report.tokensBefore);
      // A few words that were wrapped are part of what is condensed right afterwards.
      const wrapped = new Set(enlarging(report).map(({ summary }) => summary));
      expect(report.passes.findLast(({ summary }) => wrapped.has(summary))).not.toBe(report.passes.at(-1));
    }
    const last = await engine.context.compact({ conversation: "s", budget: 2_000, untilUnder: 1_500 });
    expect(last.tokensAfter).toBeLessThan(last.tokensBefore);
    expect(reports.flatMap(({ passes }) => passes).some(({ kind }) => kind === "condensed")).toBe(true);
  });
});
