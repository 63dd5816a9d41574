import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/engine.ts";
import { context } from "../../src/operations/context.ts";
import { diff } from "../../src/operations/diff.ts";
import { expand } from "../../src/operations/retrieve/expand.ts";
import { tree } from "../../src/operations/tree.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { DECISION } from "./long-conversations.ts";
import { importInto } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

type Shown = Awaited<ReturnType<typeof context.run>>;
type Diff = Awaited<ReturnType<typeof diff.run>>;
type Tree = Awaited<ReturnType<typeof tree.run>>;
type Expanded = Awaited<ReturnType<typeof expand.run>>;

const folder = temporaryFolder();
const data = path.join(folder, "data");
const TURNS = 20;
const BUDGET = 3_000;
/** What the model got before each turn, by the turn's key. */
const seen = new Map<string, unknown>();

/** Turns as a host makes them: assemble, ask, commit; compacted once in the middle and once at the end. */
async function talk(): Promise<void> {
  const config = {
    freshTailCount: 4,
    leafChunkTokens: 1_500,
    leafMinFanout: 2,
    tenant: "default",
    agent: "default",
  };
  const engine = await open({ store: data, background: "off", config });
  const filler = "We talked about the weather again. ".repeat(12);
  for (let turn = 1; turn <= TURNS; turn++) {
    const key = `turn-${turn}`;
    if (turn > 1) {
      const { messages } = await engine.context.assemble({ conversation: "chat", budget: BUDGET });
      seen.set(key, messages);
    }
    const question = `Question ${turn}\u001b[31m. ${DECISION} ${filler}`;
    const call = { type: "tool_use", id: `t${turn}`, name: "look_up", input: { turn } };
    const result = { type: "tool_result", tool_use_id: `t${turn}`, content: `found ${turn}` };
    const messages = [
      { role: "user", content: question },
      { role: "assistant", content: [call] },
      { role: "user", content: [result] },
      { role: "assistant", content: `Answer ${turn}. ${filler}` },
    ];
    await engine.context.commitTurn({ conversation: "chat", key, messages });
    if (turn === 10 || turn === TURNS) await engine.context.compact({ conversation: "chat", budget: BUDGET });
  }
  await engine.close();
}

const show = (...words: string[]) => lcm(["--data", data, ...words]);

beforeAll(talk);

describe("lcm context", () => {
  it("shows what the model would see, why, and how much of the budget it takes", async () => {
    const [{ code, stdout }, answer] = await Promise.all([
      show("context", "chat", "--budget", String(BUDGET)),
      lcmJson<Shown>(["--data", data, "context", "chat", "--budget", String(BUDGET)]),
    ]);
    expect(code).toBe(0);
    expect(() => context.output.parse(answer)).not.toThrow();
    const summaries = answer.items.filter(({ type }) => type === "summary").length;
    expect(stdout).toMatch(
      new RegExp(
        `of 3,000 tokens \\(\\d+%\\) · ${summaries} summar(y|ies) and ${answer.items.length - summaries} messages`,
      ),
    );
    const rows = stdout.split("\n").filter((line) => /^(msg|sum)_/.test(line));
    expect(rows.map((row) => row.split(" ")[0])).toEqual(answer.items.map(({ id }) => id));
    expect(rows.every((row) => row.length <= 120)).toBe(true);
    expect(stdout).toMatch(/^sum_[0-9a-f]{16} +summary +\d+ {2}older +\S/m);
    expect(stdout).toMatch(/^msg_\S+_78 +assistant +\d+ {2}in window +tool look_up\(turn: 20\)$/m);
    expect(stdout).toMatch(/^msg_\S+_79 +tool +\d+ {2}in window +result of look_up, completed: found 20$/m);
    expect(stdout).toContain("Question 20␛[31m. The team");
    expect(stdout).not.toContain("\u001b");
    expect(answer.messages).toHaveLength(answer.items.length);
    expect(answer.tokens).toBeLessThanOrEqual(BUDGET);
  });

  it("lists what is added to the system prompt, so that the rows add up to the head", async () => {
    const { stdout } = await show("context", "chat", "--budget", String(BUDGET));
    expect(stdout).toMatch(/^\(note\) +system +\d+ {2}for the model +Older parts of this conversation/m);
    const rows = [...stdout.matchAll(/^(?:(?:msg|sum)_\S+|\(note\)|\(overhead\)) .*? (-?[\d,]+) {2}/gm)];
    const total = rows.reduce((sum, [, number = ""]) => sum + Number(number.replace(",", "")), 0);
    expect(total).toBe(Number(/^([\d,]+) of 3,000 tokens/m.exec(stdout)?.[1]?.replace(",", "")));
  });

  it("shows every word with --full, cut ones as they were cut, and says what did not fit", async () => {
    const tiny = await show("context", "chat", "--budget", "10");
    expect(tiny.stdout).toMatch(
      /^The budget of 10 tokens is too small: the smallest possible context has \d+ tokens\.$/m,
    );
    expect(tiny.stdout).not.toContain("%");
    const { stdout } = await show("context", "chat", "--full", "--budget", "100");
    expect(stdout).toMatch(/items left out, 2 messages are cut$/m);
    expect(stdout).toMatch(/^msg_\S+_80 assistant · \d+ tokens · in the window · cut to \d+ tokens$/m);
    expect(stdout).toMatch(/characters left out; full text: msg_\S+_80/);
    const whole = await show("context", "chat", "--full");
    expect(whole.stdout).toContain("system prompt addition\nOlder parts of this conversation");
    expect(whole.stdout).toContain(`Answer 20. ${"We talked about the weather again. ".repeat(12).trim()}\n`);
  });

  it("gives the messages in a provider's format", async () => {
    const answer = await lcmJson<Shown>(["--data", data, "context", "chat", "--format", "openai-chat"]);
    expect(answer.messages.at(-2)).toMatchObject({ role: "tool", tool_call_id: "t20", content: "found 20" });
    expect(answer.format).toBe("openai-chat");
  });

  it("shows what the model saw before a turn, byte for byte, by key or by message", async () => {
    const [byKey, byNumber, shown] = await Promise.all([
      lcmJson<Shown>(["--data", data, "context", "chat", "--at", "turn-8"]),
      lcmJson<Shown>(["--data", data, "context", "chat", "--at", "30"]),
      show("context", "chat", "--at", "turn-8"),
    ]);
    expect(byKey.messages).toEqual(seen.get("turn-8"));
    expect(byNumber).toEqual(byKey);
    expect(shown.stdout).toMatch(
      /^before the turn “turn-8” \(messages 29–32, .*\): byte for byte what the model saw$/m,
    );
  });

  it("refuses turns and options that do not apply, with what to do", async () => {
    const [nothing, unknown, beyond, both, format, relevance] = await Promise.all([
      show("context", "chat", "--at", "turn-1"),
      show("context", "chat", "--at", "turn-99"),
      show("context", "chat", "--at", "500"),
      show("context", "chat", "--at", "turn-8", "--budget", "5"),
      show("context", "chat", "--format", "xml"),
      show("context", "chat", "--relevance"),
    ]);
    expect(nothing).toMatchObject({ code: 3, stderr: expect.stringContaining("has no receipt") });
    expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining("number of a message in it") });
    expect(beyond).toMatchObject({ code: 3, stderr: expect.stringContaining("It has messages 1 to 80.") });
    expect(both).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--budget cannot be combined with a past turn\n.*Remove --budget\./),
    });
    expect(relevance).toMatchObject({ code: 2, stderr: expect.stringContaining("--prompt") });
    expect(format).toMatchObject({ code: 2, stderr: expect.stringContaining("openai-chat") });
  });
});

describe("what cannot be shown", () => {
  it("says that imported messages have no receipts", async () => {
    const file = path.join(folder, "imported.jsonl");
    const store = path.join(folder, "imported");
    writeFileSync(file, neutral("imported", [said("user", "hello", "s1"), said("assistant", "hi", "s2")]));
    await importInto(store, file);
    const { code, stderr } = await lcm(["--data", store, "context", "imported", "--at", "2"]);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /message 2 was imported, so it has no receipt\nWhat the model saw before it is unknown\./,
    );
  });

  it("says that there is an archived conversation of the session", async () => {
    const store = path.join(folder, "archived");
    const engine = await open({ store, background: "off", config: { tenant: "default", agent: "default" } });
    const messages = [{ role: "user", content: "hello" }];
    await engine.context.commitTurn({ conversation: "er", key: "1", messages });
    const { conversation } = await engine.context.conversations.reset({ conversation: "er", mode: "reset" });
    await engine.close();
    const { code, stderr } = await lcm(["--data", store, "context", "er"]);
    expect(code).toBe(3);
    expect(stderr).toContain(
      `there is no active conversation er\nAn archived conversation has the id ${conversation}`,
    );
    expect(stderr).toContain("lcm conversations --archived");
    expect((await lcm(["--data", store, "context", conversation])).code).toBe(0);
  });

  it("refuses a call of the library without an object", async () => {
    const engine = await open({ store: path.join(folder, "no-input"), background: "off" });
    const { context } = engine;
    const refused = async (call: unknown, name: string) =>
      expect(call).rejects.toMatchObject({ code: "invalid-input", message: `${name} needs an object` });
    for (const method of ["assemble", "compact", "expand", "evaluate", "read"] as const)
      await refused(Reflect.apply(context[method], context, []), method);
    for (const method of ["at", "diff"] as const)
      await refused(
        Reflect.apply(context.conversations[method], context.conversations, []),
        `conversations.${method}`,
      );
    await engine.close();
  });
});

describe("lcm diff", () => {
  it("tells what was added, what was removed and how much of the beginning is the same", async () => {
    const [grown, compacted, answer] = await Promise.all([
      show("diff", "chat", "turn-3", "turn-4"),
      show("diff", "chat", "turn-10", "turn-11"),
      lcmJson<Diff>(["--data", data, "diff", "chat", "turn-10", "41"]),
    ]);
    expect(grown.stdout).toMatch(/^4 items added, 0 removed, 8 kept · same prefix: all of the first$/m);
    expect(grown.stdout).toMatch(/^\+ added\nid .*\nmsg_\S+_9 +user .*Question 3␛/m);
    expect(compacted.stdout).toMatch(/^− removed$/m);
    expect(compacted.stdout).toMatch(/^sum_[0-9a-f]{16} +summary .* older /m);
    expect(() => diff.output.parse(answer)).not.toThrow();
    expect(answer.added.some(({ type }) => type === "summary")).toBe(true);
    expect(answer.removed.length + answer.kept).toBe(answer.from.items);
  });
});

describe("lcm tree", () => {
  it("draws what stands in the context, in order, and below it what it was made from", async () => {
    const [shown, answer] = await Promise.all([
      show("tree", "chat"),
      lcmJson<Tree>(["--data", data, "tree", "chat"]),
    ]);
    expect(() => tree.output.parse(answer)).not.toThrow();
    expect(shown.stdout).toMatch(/^├─ sum_[0-9a-f]{16} +1 +[\d,]+ +[\d,]+ {2}1–\d+ +\S+ +\d+% extractive$/m);
    expect(shown.stdout).toMatch(/^│ {2}├─ sum_[0-9a-f]{16} +0 /m);
    expect(shown.stdout).toMatch(/^└─ messages \d+–80, \d+ in the fresh tail, [\d,]+ tokens$/m);
    for (const { id } of answer.summaries) expect(shown.stdout.split(id)).toHaveLength(2);
    const places = answer.context.map((place) =>
      place.type === "messages" ? place : answer.summaries.find(({ id }) => id === place.id),
    );
    expect(places.reduce((sum, place) => sum + (place?.messages ?? 0), 0)).toBe(80);
  });

  it("draws as many levels as are wanted", async () => {
    const { stdout } = await show("tree", "chat", "--depth", "1");
    expect(stdout).toMatch(/^│ {2}└─ … \d summaries below$/m);
    expect(stdout).not.toMatch(/^│ {2}├─/m);
    expect(stdout).not.toContain("no longer in the context");
  });

  it("says how to make summaries where there are none", async () => {
    const engine = await open({ store: path.join(folder, "empty"), background: "off" });
    await engine.context.commitTurn({
      conversation: "new",
      key: "1",
      messages: [{ role: "user", content: "hello" }],
    });
    await engine.close();
    const { stdout } = await lcm(["--data", path.join(folder, "empty"), "tree", "new"]);
    expect(stdout).toMatch(/^└─ message 1, in the fresh tail, \d tokens?$/m);
    expect(stdout).toMatch(
      /^No summaries yet\. Create some with: lcm --data \S+ compact conv_[0-9a-f]{16}$/m,
    );
  });
});

describe("lcm expand", () => {
  const root = async () => {
    const { summaries } = await lcmJson<Tree>(["--data", data, "tree", "chat"]);
    return summaries.find(({ kind }) => kind === "condensed")?.id ?? "";
  };

  it("goes down to the exact messages, page by page, and tells how to go on", async () => {
    const id = await root();
    const seqs: number[] = [];
    let from = "";
    for (let page = 0; page < 20; page++) {
      const paging = ["expand", id, "--max-tokens", "600", ...(from === "" ? [] : ["--from", from])];
      const answer = await lcmJson<Expanded>(["--data", data, ...paging]);
      expect(() => expand.output.parse(answer)).not.toThrow();
      seqs.push(...answer.messages.map(({ seq }) => seq));
      if (answer.next === null) break;
      from = String(answer.next);
    }
    const { summary } = await lcmJson<Expanded>(["--data", data, "expand", id, "--levels", "1"]);
    expect(seqs).toEqual(Array.from({ length: summary.messages }, (_, index) => summary.firstSeq + index));
    const { stdout } = await show("expand", id, "--max-tokens", "600");
    expect(stdout).toMatch(/^#1 user · .*\nQuestion 1␛\[31m\. /m);
    expect(stdout).toMatch(
      new RegExp(`^There is more: lcm --data \\S+ expand ${id} --max-tokens 600 --from \\d+$`, "m"),
    );
  });

  it("shows the next finer summaries alone with --levels 1", async () => {
    const id = await root();
    const { stdout } = await show("expand", id, "--levels", "1");
    expect(stdout).toMatch(
      /^sum_[0-9a-f]{16} · depth 0 · messages 1–\d+ · [\d,]+ tokens \(source: [\d,]+\) · fidelity \d+%, offline summariser$/m,
    );
    expect(stdout).not.toMatch(/^#1 user/m);
    expect(stdout).toContain(`Show the messages with: lcm --data ${data} expand ${id}, or`);
  });

  it("shows no more than was asked for, and names the command that gives the whole", async () => {
    const id = await root();
    const [cut, whole, raw, json] = await Promise.all([
      show("expand", id, "--max-tokens", "5"),
      show("read", id),
      show("read", id, "--raw"),
      lcmJson<Expanded>(["--data", data, "expand", id, "--max-tokens", "5"]),
    ]);
    const [shown] = json.cut;
    expect(shown).toMatchObject({ id, shown: json.summary.text?.length });
    expect(shown?.shown).toBeLessThanOrEqual(20);
    expect(cut.stdout).toContain(
      `\n(first ${shown?.shown} of ${shown?.length.toLocaleString("en")} characters; full text: lcm --data ${data} read ${id})\n`,
    );
    expect(cut.stdout).not.toContain("Question 1␛");
    expect(raw.stdout.length).toBe((shown?.length ?? 0) + 1);
    expect(raw.stdout.startsWith(json.summary.text ?? "?")).toBe(true);
    expect(whole.stdout).toMatch(new RegExp(`^${id} · .* characters\n`));
  });

  it("is refused what is no summary, and says what it takes", async () => {
    const [read, conversation, unknown, beyond] = await Promise.all([
      show("read", "sum_0123456789abcdef", "--from", "2"),
      show("expand", "chat"),
      show("expand", "sum_0123456789abcdef"),
      show("expand", await root(), "--from", "5000"),
    ]);
    expect(read).toMatchObject({ code: 2, stderr: expect.stringContaining("is one summary: from and to") });
    expect(conversation).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("lcm tree <conversation>"),
    });
    expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining("lcm tree <conversation>") });
    expect(beyond.stdout).toMatch(/^Nothing to show: sum_[0-9a-f]{16} covers messages 1 to \d+\.$/m);
  });
});

describe("after an erasure", () => {
  it("the tree marks what lost its text, and what was seen behind it is not shown again", async () => {
    const { messages } = await lcmJson<{ messages: { id: string }[] }>([
      "--data",
      data,
      "read",
      "chat",
      "--from",
      "5",
      "--to",
      "5",
    ]);
    await show("erase", messages[0]?.id ?? "", "--yes");
    const [drawn, then, listed] = await Promise.all([
      show("tree", "chat"),
      show("context", "chat", "--at", "turn-3"),
      lcmJson<Tree>(["--data", data, "tree", "chat"]),
    ]);
    expect(listed.summaries.some(({ erased }) => erased)).toBe(true);
    expect(drawn.stdout).toMatch(/^no longer in the context:\n[├└]─ sum_[0-9a-f]{16} .* erased$/m);
    expect(then).toMatchObject({ code: 3, stderr: expect.stringContaining("after an erased message") });
    expect(listed.erased).toMatchObject({ messages: 1 });
    const tokens = listed.conversation.tokenCount - (listed.erased?.tokens ?? 0);
    expect(drawn.stdout).toContain(`${tokens.toLocaleString("en")} tokens in 80 messages (1 erased) · `);
    const erased = listed.summaries.find(({ erased }) => erased)?.id ?? "";
    const { stdout } = await show("expand", erased);
    expect(stdout).toContain("(erased, because a source was erased)");
  });
});
