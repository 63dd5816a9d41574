import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { operations, runOperation } from "../../src/operations/index.ts";
import { SCHEMA_VERSION } from "../../src/store/migrations.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { type ChatModel, type ChatRequest, startChatModel, textOfChat } from "./chat-model.ts";
import { messageEntries, type PiHome, piHome, WINDOW } from "./pi-session.ts";
import { withEngine } from "./run-host.ts";

const isShort = inject("isShortRun");
const VERSIONS = isShort ? ["0.87.1"] : ["0.87.1", "1.5.0"];
const FACT = "The vault code is heron-4471.";

describe.each(VERSIONS)("pi %s", (version) => {
  let model: ChatModel;
  let home: PiHome;
  beforeAll(async () => {
    model = await startChatModel();
    home = piHome(version, model);
  });
  afterAll(async () => {
    await model?.close();
    if (home !== undefined) rmSync(home.folder, { recursive: true, force: true });
  });

  /** Each message of pi's session is on record exactly once, under pi's own id. */
  async function expectOnRecord(session = "s1"): Promise<void> {
    const entries = messageEntries(home.sessionFile(session));
    await withEngine(home.data, async (engine) => {
      const { messages } = await engine.context.read({ conversation: session, limit: 100_000 });
      expect(messages.map(({ key }) => key).toSorted()).toEqual(entries.map(({ id }) => id).toSorted());
      const { problems } = await runOperation(operations.verify, engine, {});
      expect(problems).toEqual([]);
    });
  }

  it("captures turns with tools, each in a process of its own, and one that was killed", async () => {
    await home.say(`${FACT} Keep it in mind.`);
    await home.say('CALL:bash:{"command":"echo crested-newt"} please');
    model.mood = "hang";
    const asked = model.nextRequest();
    const killed = home.start("This prompt is about a pangolin, and never gets an answer.");
    await asked;
    killed.kill("SIGKILL");
    await once(killed, "close");
    model.mood = "answer";
    await withEngine(home.data, async (engine) => {
      const { hits } = await engine.context.grep({ pattern: "pangolin" });
      expect(hits, "what was said before the kill is on record").toHaveLength(1);
    });
    const found = await home.say('CALL:lcm_grep:{"pattern":"vault"} now');
    expect(found).toContain("heron-4471");
    await expectOnRecord();
  });

  it("goes on when it is uninstalled, and takes in what came meanwhile when it is back", async () => {
    await home.say("Remember the axolotl.", { session: "gone" });
    expect(await home.say("And the capybara.", { session: "gone", withoutUs: true })).toContain("capybara");
    await withEngine(home.data, async (engine) => {
      expect((await engine.context.grep({ pattern: "axolotl" })).hits.length).toBeGreaterThan(0);
      expect((await engine.context.grep({ pattern: "capybara" })).hits).toEqual([]);
    });
    await home.say("Back again.", { session: "gone" });
    await expectOnRecord("gone");
  });

  it("goes on by itself when a newer version has changed the store", async () => {
    const setVersion = (version: number) => {
      const database = new DatabaseSync(path.join(home.data, DATABASE_NAME));
      database.exec(`PRAGMA user_version = ${version}`);
      database.close();
    };
    await home.say("First words.", { session: "newer" });
    setVersion(SCHEMA_VERSION + 1);
    expect(await home.say("Second words.", { session: "newer" })).toContain("Second words.");
    setVersion(SCHEMA_VERSION);
    await home.say("Third words.", { session: "newer" });
    await expectOnRecord("newer");
  });

  it("offers the tools in the first request", () => {
    const names = model.requests[0]?.tools.map((tool) => tool.function.name) ?? [];
    for (const name of ["lcm_grep", "lcm_read", "lcm_expand", "memory_recall", "memory_store"])
      expect(names).toContain(name);
  });

  it.skipIf(isShort)("sends what was sent before, and more behind it", async () => {
    const from = model.requests.length;
    for (let turn = 5; turn <= 12; turn++)
      await home.say(
        turn % 2 === 0 ? `CALL:bash:{"command":"echo turn-${turn}"} go` : `Turn ${turn}, in words.`,
      );
    expectPrefixes(model.requests.slice(from));
    await expectOnRecord();
  });

  it.skipIf(isShort)("keeps within the window with a history far larger than it", async () => {
    writeLongSession(home, "long");
    const from = model.requests.length;
    await home.say("What came first?", { session: "long" });
    await home.say("And then?", { session: "long" });
    await home.say('CALL:lcm_grep:{"pattern":"heron-4471"} now', { session: "long" });
    const requests = model.requests.slice(from).filter(({ tools }) => tools.length > 0);
    expect(requests.length).toBeGreaterThanOrEqual(4);
    for (const { bytes } of requests) expect(bytes / 4).toBeLessThanOrEqual(WINDOW);
    expect(JSON.stringify(requests[0]?.messages)).toContain("<summary id=");
    expectPrefixes(requests);
    const [last] = requests.slice(-1);
    expect(textOfChat(last?.messages.at(-1) ?? { role: "" })).toContain(FACT);
    await expectOnRecord("long");
  });

  it.skipIf(isShort)("goes on after an overflow, and compacts on demand", async () => {
    writeLongSession(home, "over");
    model.mood = "overflow-once";
    expect(await home.say("Does it still fit?", { session: "over" })).toContain("Does it still fit?");
    for (let turn = 1; turn <= 3; turn++)
      await home.say(`Turn ${turn}. ${"They spoke about it at length. ".repeat(900)}`, { session: "over" });
    const answers = await home.rpc([{ type: "compact" }], { session: "over" });
    expect(answers.find(({ type }) => type === "response")).toMatchObject({ success: true });
    expect(await home.say("What comes next?", { session: "over" })).toContain("What comes next?");
    await expectOnRecord("over");
  });

  it.skipIf(isShort)("follows the person back in the tree", async () => {
    const back = path.join(home.folder, "back.ts");
    writeFileSync(back, GO_BACK);
    await home.say("Let us choose a river: the Danube.", { session: "tree" });
    await home.say("Now choose a mountain: the Eiger.", { session: "tree" });
    await home.rpc(
      [
        { type: "prompt", message: "/back Eiger" },
        { type: "prompt", message: "A lake: Balaton." },
      ],
      {
        session: "tree",
        extensions: [back],
      },
    );
    const last = model.requests.at(-1);
    expect(JSON.stringify(last?.messages)).toContain("Danube");
    expect(JSON.stringify(last?.messages)).toContain("Balaton");
    expect(JSON.stringify(last?.messages)).not.toContain("Eiger");
    await withEngine(home.data, async (engine) => {
      expect((await engine.context.grep({ pattern: "Eiger" })).hits.length).toBeGreaterThan(0);
    });
    await expectOnRecord("tree");
  });

  it.skipIf(isShort)("serves two processes on one folder at once", async () => {
    const turns = async (session: string) => {
      for (let turn = 1; turn <= 3; turn++) await home.say(`Turn ${turn} of ${session}.`, { session });
    };
    await Promise.all([turns("left"), turns("right")]);
    await expectOnRecord("left");
    await expectOnRecord("right");
  });
});

/** Of every two requests one after the other, the messages of the first begin those of the second. */
function expectPrefixes(requests: readonly ChatRequest[]): void {
  const ofSession = requests
    .filter(({ tools }) => tools.length > 0)
    .map(({ messages }) => messages.map((m) => JSON.stringify(m)));
  for (let i = 1; i < ofSession.length; i++) {
    const [before = [], now = []] = [ofSession[i - 1], ofSession[i]];
    expect(now.slice(0, before.length)).toEqual(before);
  }
}

/** About 200,000 tokens, with the fact at its beginning. */
function writeLongSession(home: PiHome, session: string): void {
  const file = home.sessionFile().replace("_s1.jsonl", `_${session}.jsonl`);
  let parentId: string | null = null;
  const lines: object[] = [
    {
      type: "session",
      version: 3,
      id: session,
      timestamp: "2026-03-01T10:00:00.000Z",
      cwd: path.join(home.folder, "project"),
    },
  ];
  for (let i = 0; i < 1_200; i++) {
    const id = (0x10000000 + i).toString(16);
    const at = Date.parse("2026-03-01T10:00:00.000Z") + i * 60_000;
    const topic = `They walked to station ${i} and noted that gauge ${i * 7} reads ${i * 13} millibar there.`;
    const text =
      i === 0 ? `${FACT} ${topic}` : `${topic} ${"The weather was fair and nobody complained. ".repeat(13)}`;
    const isUser = i % 2 === 0;
    const message = isUser
      ? { role: "user", content: [{ type: "text", text }], timestamp: at }
      : {
          ...{
            role: "assistant",
            content: [{ type: "text", text }],
            api: "openai-completions",
            provider: "local",
          },
          ...{ model: "scripted", usage: USAGE, stopReason: "stop", timestamp: at },
        };
    lines.push({ type: "message", id, parentId, timestamp: new Date(at).toISOString(), message });
    parentId = id;
  }
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}

const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: COST };

/** A command that goes back to before the user message with a word. */
const GO_BACK = `export default function (pi) {
  pi.registerCommand("back", {
    description: "go back",
    handler: async (word, ctx) => {
      const entry = ctx.sessionManager.getBranch().find((one) => one.message?.role === "user" && JSON.stringify(one.message).includes(word.trim()));
      await ctx.navigateTree(entry.parentId, { summarize: false });
    },
  });
}
`;
