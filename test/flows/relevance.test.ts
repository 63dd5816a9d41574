/** What matches a prompt is shown from anywhere in the conversation, through the item that stands for it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AssembleInput, type Engine, open } from "../../src/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const TURNS = 120;
const BUDGET = 1_500;
const NEEDLES = new Map([
  [3, "The spare key hangs behind the blue anchor in the boathouse."],
  [5, "予備の鍵はボート小屋の青い錨の裏に掛かっています。"],
]);

const LOOKED_UP = [
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: "call_1", content: "The lighthouse code is heron-4417." },
];

describe.each(ENGINES)("an assembly for a prompt, in %s", (kind) => {
  let place: Place;
  let engine: Engine;
  beforeEach(async () => {
    place = await temporaryPlace(kind);
    const config = { leafChunkTokens: 1_000, freshTailCount: 4, logLevel: "silent" } as const;
    engine = await open({ store: place.store, background: "off", config });
    for (let turn = 1; turn <= TURNS; turn++) await say(turn, turn === 7 ? LOOKED_UP : []);
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  async function say(turn: number, more: object[] = []): Promise<void> {
    const said =
      NEEDLES.get(turn) ??
      `Turn ${turn}: the tide tables for week ${turn} were checked. ${"So. ".repeat(30)}`;
    const messages = [
      { role: "user", content: said },
      ...more,
      { role: "assistant", content: `Noted, number ${turn}.` },
    ];
    await engine.context.commitTurn({ conversation: "s", key: `t${turn}`, messages });
  }

  const assemble = (prompt: string, more: Partial<AssembleInput> = {}) =>
    engine.context.assemble({ conversation: "s", budget: BUDGET, relevance: true, prompt, ...more });

  it.each([
    ["Where does the spare key hang?", "behind the blue anchor"],
    ["予備の鍵はどこですか", "青い錨の裏"],
  ])("shows what answers %j, however long ago it was said", async (prompt, answer) => {
    const shown = await assemble(prompt);
    expect(JSON.stringify(shown.messages)).toContain(answer);
    expect(JSON.stringify((await assemble(prompt, { relevance: false })).messages)).not.toContain(answer);
    expect(shown.tokens).toBeLessThanOrEqual(BUDGET);
    expect(shown.items.at(-1)?.reason).toBe("in the window");
    expect(shown.items.find(({ reason }) => reason === "matches the prompt")?.type).toBe("message");
    expect((await assemble(prompt)).messages).toEqual(shown.messages);
  });

  it("fills with the newest what the matches leave free, and changes nothing where nothing matches", async () => {
    const without = await assemble("", { relevance: false });
    const shown = await assemble("Where does the spare key hang?");
    expect(shown.tokens).toBeGreaterThan(0.8 * without.tokens);
    expect((await assemble("xylophone")).messages).toEqual(without.messages);
  });

  it("shows a tool's answer together with its call", async () => {
    const { messages, tokens } = await assemble("What is the lighthouse code?");
    expect(messages).toEqual(expect.arrayContaining(LOOKED_UP));
    expect(tokens).toBeLessThanOrEqual(BUDGET);
  });

  it("shows the summary that stands for it once it is compacted", async () => {
    await engine.context.compact({ conversation: "s" });
    const { messages, items, tokens } = await assemble("Where does the spare key hang?");
    expect(JSON.stringify(messages)).toContain("blue anchor");
    const { summaries } = await engine.context.conversations.summaries("s");
    const standing = new Set(summaries.filter(({ firstSeq }) => firstSeq === 1).map(({ id }) => id));
    expect(items.some(({ id }) => standing.has(id))).toBe(true);
    expect(tokens).toBeLessThanOrEqual(BUDGET);
  });

  it("is shown again byte for byte", async () => {
    const { messages } = await assemble("Where does the spare key hang?");
    await say(TURNS + 1);
    await engine.context.compact({ conversation: "s" });
    const then = await engine.context.conversations.at({ conversation: "s", turn: `t${TURNS + 1}` });
    expect(then.messages).toEqual(messages);
  });

  it.each(["", "???", "zeppelin"])("shows the newest for %j, which nothing matches", async (prompt) => {
    const { items, tokens } = await assemble(prompt);
    expect(items.length).toBeGreaterThan(2);
    expect(items.every(({ reason }) => reason !== "matches the prompt")).toBe(true);
    expect(tokens).toBeLessThanOrEqual(BUDGET);
  });
});
