/** A summary that was only cut short is made again once a model answers, and everything that was said stays. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import type { Complete, Engine } from "../../src/index.ts";
import { open } from "../../src/index.ts";
import { estimateTokens } from "../../src/text/estimate-tokens.ts";
import { sayTurn } from "../properties/sayings.ts";
import { outOfReach } from "../scripted-complete.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const SETTINGS = {
  leafChunkTokens: 1_900,
  freshTailCount: 2,
  leafTargetTokens: 192,
  logLevel: "silent",
} as const;
const TURNS = 8;
const USAGE = { inputTokens: null, outputTokens: null, cost: null };

/** A tokenizer by which nothing that the offline summariser writes is short enough. */
const countTokens = (text: string) =>
  text.includes("Expand for details about:") ? 1_000_000 : estimateTokens(text);

const answering: Complete = async () => ({
  text: "They looked into the failing build and agreed on what to keep.",
  model: "test/model",
  finish: "stop",
  usage: USAGE,
});
const failing: Complete = async () => {
  throw outOfReach();
};

describe.each(ENGINES)("a summary that was only cut short, in %s", (kind) => {
  let place: Place;
  let engine: Engine;
  beforeEach(async () => {
    place = await temporaryPlace(kind);
    engine = await opened(failing);
    for (let turn = 0; turn < TURNS; turn++)
      await engine.context.commitTurn({
        conversation: "s",
        key: `t${turn}`,
        messages: sayTurn(`t${turn}`, "prose"),
      });
    await engine.context.compact({ conversation: "s" });
    expect(await standing()).toEqual(["fallback", "fallback"]);
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  function opened(complete: Complete | undefined): Promise<Engine> {
    const model = complete === undefined ? {} : { complete };
    return open({ store: place.store, background: "off", countTokens, config: SETTINGS, ...model });
  }

  async function reopen(complete?: Complete): Promise<void> {
    await engine.close();
    engine = await opened(complete);
  }

  async function shown(): Promise<readonly string[]> {
    const { messages } = await engine.context.assemble({ conversation: "s" });
    return JSON.stringify(messages).match(/sum_[0-9a-f]{16}/g) ?? [];
  }

  async function standing(): Promise<(string | undefined)[]> {
    const { summaries } = await engine.context.conversations.summaries("s");
    const ids = new Set(await shown());
    return summaries.filter(({ id }) => ids.has(id)).map(({ quality }) => quality);
  }

  it("is made again by the next full sweep that has a model, from the same messages", async () => {
    const before = (await engine.context.conversations.summaries("s")).summaries;
    await reopen(answering);
    const { passes } = await engine.context.compact({ conversation: "s" });
    expect(passes.map(({ quality, model }) => [quality, model])).toEqual([
      ["normal", "test/model"],
      ["normal", "test/model"],
    ]);
    expect(await standing()).toEqual(["normal", "normal"]);
    const { summaries } = await engine.context.conversations.summaries("s");
    expect(summaries.length).toBe(4);
    for (const old of before)
      expect(
        summaries.filter(
          ({ firstSeq, merkleRoot }) => firstSeq === old.firstSeq && merkleRoot === old.merkleRoot,
        ).length,
      ).toBe(2);
    expect((await engine.context.compact({ conversation: "s" })).passes).toEqual([]);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it.each([
    ["no model", undefined],
    ["a model that still fails", failing],
  ])("stays as it is with %s", async (_, complete) => {
    await reopen(complete);
    const { passes, stopped } = await engine.context.compact({ conversation: "s" });
    expect([passes, stopped]).toEqual([[], "nothing left to compact"]);
    expect(await standing()).toEqual(["fallback", "fallback"]);
  });

  it("is still shown where it was shown before", async () => {
    const { messages } = await engine.context.assemble({ conversation: "s" });
    await engine.context.commitTurn({ conversation: "s", key: "next", messages: sayTurn("next", "prose") });
    await reopen(answering);
    await engine.context.compact({ conversation: "s" });
    expect((await engine.context.conversations.at({ conversation: "s", turn: "next" })).messages).toEqual(
      messages,
    );
  });

  it("is named in a plan, and goes with what is erased when it is on record only", async () => {
    await reopen(answering);
    const plan = await engine.context.compact({ conversation: "s", dryRun: true });
    expect(plan.passes.map(({ kind: what }) => what)).toEqual(["leaf", "leaf"]);
    await engine.context.compact({ conversation: "s" });
    await engine.context.erase({ conversation: "s", from: 1, to: 1 });
    const { summaries } = await engine.context.conversations.summaries("s");
    const touched = summaries.filter(({ firstSeq }) => firstSeq === 1);
    expect(touched.map(({ content }) => content)).toEqual([null, null]);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });
});
