import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { context } from "../../src/operations/context.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { ENGINES, type Place, steadyClock, temporaryPlace } from "../temporary-store.ts";

const PROMPT = "Which harbour does the Aurora sail from?";

describe.each(ENGINES)("memories that a model was given before a turn, on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let harbour: string;
  beforeEach(async () => {
    place = await temporaryPlace(name);
    engine = await open({
      store: place.store,
      background: "off",
      clock: steadyClock(),
      config: { embeddingModel: "off", logLevel: "silent", agent: "main" },
    });
    await say("hello", "Good morning");
    const { memory } = await engine.memory.store({
      text: "The Aurora sails from the harbour of Visby",
      validUntil: "2027-01-01",
    });
    harbour = memory.id;
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  const say = (key: string, content: string) =>
    engine.context.commitTurn({ conversation: "s", key, messages: [{ role: "user", content }] });
  const at = () => engine.context.conversations.at({ conversation: "s", turn: "asked" });

  async function ask() {
    const seen = await engine.context.assemble({ conversation: "s", prompt: PROMPT, budget: 4_000 });
    await say("asked", PROMPT);
    return seen;
  }

  it("are shown again word for word, and count into its budget", async () => {
    const seen = await ask();
    expect(seen.recalled?.ids).toEqual([harbour]);
    const { recalled, receipt, messages, differs } = await at();
    expect(recalled).toMatchObject({ text: seen.recalled?.text, tokens: seen.recalled?.tokens });
    expect({ messages, differs }).toEqual({ messages: seen.messages, differs: null });
    expect(receipt).toMatchObject({ tokens: seen.tokens, budget: 4_000 });
    expect(receipt.tokens).toBeGreaterThan(seen.recalled?.tokens ?? Number.POSITIVE_INFINITY);
    expect(JSON.stringify(receipt)).not.toContain("Visby");
  });

  it("stay what they were when they are replaced, set aside, said again or dated anew", async () => {
    const seen = await ask();
    await say("later", "The Aurora sails from the harbour of Visby");
    await engine.memory.update({ id: harbour, validUntil: "2028-01-01" });
    await engine.memory.update({ id: harbour, text: "The Aurora sails from the harbour of Ystad" });
    const { recalled, differs } = await at();
    expect(recalled?.text).toBe(seen.recalled?.text);
    expect(differs).toBeNull();
  });

  it("leave no words behind when they are erased (promise: erasable)", async () => {
    await ask();
    await engine.memory.forget({ id: harbour, erase: true });
    const { recalled, differs } = await at();
    expect(recalled).toEqual({ text: "", tokens: 0, ids: [harbour] });
    expect(differs).toContain("1 of its memories");
    for await (const row of engine.store.dump())
      if (row.row === "receipt") expect(row.content).not.toContain("Visby");
  });

  it("are told by the operation, now and at a turn", async () => {
    const now = await runOperation(context, engine, { conversation: "s", prompt: PROMPT });
    expect(now.recalled).toMatchObject({ ids: [harbour], text: expect.stringContaining("Visby") });
    await say("asked", PROMPT);
    const then = await runOperation(context, engine, { conversation: "s", at: "asked" });
    expect(then).toMatchObject({ recalled: now.recalled, tokens: now.tokens, turn: { differs: null } });
  });
});
