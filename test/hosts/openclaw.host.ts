import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { operations, runOperation } from "../../src/operations/index.ts";
import { SCHEMA_VERSION } from "../../src/store/migrations.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { temporaryFolder } from "../temporary-store.ts";
import { type ChatModel, type ChatRequest, isHostMade, startChatModel, textOfChat } from "./chat-model.ts";
import { keyOf, OpenClawHome, packPlugin, WINDOW } from "./openclaw-session.ts";
import { withEngine } from "./run-host.ts";

const isShort = inject("isShortRun");
const FACT = "The vault code is heron-4471.";
const INSTALL_MS = 10 * 60_000;
/** Tests that start several gateways. */
const SLOW_MS = 15 * 60_000;

describe("OpenClaw 2026.9.6", () => {
  const packed = temporaryFolder();
  let model: ChatModel;
  let home: OpenClawHome;
  beforeAll(async () => {
    model = await startChatModel();
    home = new OpenClawHome(model);
    await home.install(packPlugin(packed));
    await home.start();
  }, INSTALL_MS);
  afterAll(async () => {
    await home?.stop();
    await model?.close();
    for (const folder of [packed, home?.folder]) if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Each message of the host's session is on record exactly once, under the host's own id. */
  async function expectOnRecord(session = "s1"): Promise<void> {
    const entries = home.entries(session);
    await withEngine(home.data, async (engine) => {
      const keys: string[] = [];
      const { conversations } = await engine.context.conversations.list({ archived: true, limit: 1_000 });
      for (const { id } of conversations.filter(({ sessionKey }) => sessionKey === keyOf(session))) {
        const { messages } = await engine.context.read({ conversation: id, limit: 100_000 });
        keys.push(...messages.map(({ key }) => key));
      }
      expect(keys.toSorted()).toEqual(entries.map(({ id }) => id).toSorted());
      const { problems } = await runOperation(operations.verify, engine, {});
      expect(problems).toEqual([]);
    });
  }

  it("opens nothing until a session needs it", () => {
    expect(existsSync(home.data)).toBe(false);
  });

  it("captures turns, offers its tools in the first request, and answers through them", async () => {
    await home.say(`${FACT} Keep it in mind.`);
    const names = model.requests[0]?.tools.map((tool) => tool.function.name) ?? [];
    for (const name of ["lcm_grep", "lcm_expand", "memory_search", "memory_get", "memory_store"])
      expect(names).toContain(name);
    expect(await home.say('CALL:lcm_grep:{"pattern":"vault"} now')).toContain("heron-4471");
    await expectOnRecord();
  });

  it("sends the same system prompt and history throughout a turn, and the history again in the next", async () => {
    const from = model.requests.length;
    for (let turn = 1; turn <= 4; turn++)
      await home.say(turn % 2 === 0 ? 'CALL:lcm_recent:{"limit":2} go' : `Turn ${turn}, in words.`, "prefix");
    const requests = model.requests.slice(from);
    expect(requests.length).toBeGreaterThanOrEqual(6);
    expectPrefixes(requests);
  });

  it("opens another conversation under the same key after /new", async () => {
    await home.say("Let us choose a river: the Danube.", "fresh");
    await home.call("sessions.reset", { key: keyOf("fresh"), reason: "new" });
    await home.say("And a lake: Balaton.", "fresh");
    const last = JSON.stringify(model.requests.at(-1)?.messages);
    expect(last).toContain("Balaton");
    expect(last.includes("Danube")).toBe(false);
    expect(await home.say('CALL:lcm_grep:{"pattern":"Danube"} now', "fresh")).toContain("Danube");
    await withEngine(home.data, async (engine) => {
      const address = { sessionId: "fresh", sessionKey: keyOf("fresh") };
      const family = await engine.context.conversations.family(address);
      expect(family.map(({ archivedAt }) => archivedAt === null)).toEqual([false, true]);
      expect(family.every(({ sessionKey }) => sessionKey === keyOf("fresh"))).toBe(true);
    });
    await expectOnRecord("fresh");
  });

  it(
    "keeps and retries a turn that could not be stored twice, in several processes",
    async () => {
      await home.say("First words.", "outage");
      setSchemaVersion(SCHEMA_VERSION + 1);
      await home.stop();
      await home.start();
      expect(await home.say("Second words.", "outage")).toContain("Second words.");
      expect(home.pendingTurns()).toBe(1);
      await home.stop();
      await home.start();
      expect(await home.say("Third words.", "outage")).toContain("Third words.");
      setSchemaVersion(SCHEMA_VERSION);
      await home.stop();
      await home.start();
      await home.say("Fourth words.", "outage");
      expect(home.pendingTurns()).toBe(0);
      const last = JSON.stringify(model.requests.at(-1)?.messages);
      for (const words of ["First", "Second", "Third", "Fourth"]) expect(last).toContain(`${words} words.`);
      await expectOnRecord("outage");
    },
    SLOW_MS,
  );

  it(
    "recovers a turn without an answer, and one whose gateway was killed while it was stored",
    async () => {
      await home.say("Remember the axolotl.", "killed");
      model.mood = "hang";
      const asked = model.nextRequest();
      const lost = home.say("This is about a pangolin, and gets no answer.", "killed").catch(() => null);
      await asked;
      await home.stop("SIGKILL");
      await lost;
      model.mood = "answer";
      await home.start();
      const answers = () => home.entries("killed").filter(({ role }) => role === "assistant").length;
      const before = answers();
      const cut = home.say("This is about a capybara.", "killed").catch(() => null);
      await until(() => answers() > before);
      await home.stop("SIGKILL");
      await cut;
      await home.start();
      // The gateway first goes on with the turn that was interrupted, and refuses others meanwhile.
      await untilSaid("Back again.", "killed");
      for (const animal of ["axolotl", "pangolin", "capybara"])
        expect(await home.say(`CALL:lcm_grep:{"pattern":"${animal}"} now`, "killed")).toContain(animal);
      await expectOnRecord("killed");
    },
    SLOW_MS,
  );

  it.skipIf(isShort)(
    "keeps within the window with 300,000 tokens of history, and finds what came first",
    async () => {
      const from = model.requests.length;
      await home.say(`${FACT} It opens the north gate.`, "long");
      for (let turn = 1; turn <= 30; turn++) await home.say(`Turn ${turn}. ${essay(turn)}`, "long");
      const answer = await home.say('CALL:lcm_grep:{"pattern":"north gate"} now', "long");
      expect(answer).toContain("heron-4471");
      const requests = model.requests.slice(from).filter((request) => isOf(request, "long"));
      expect(requests.length).toBeGreaterThanOrEqual(32);
      for (const { bytes } of requests) expect(bytes / 4).toBeLessThanOrEqual(WINDOW);
      expect(JSON.stringify(requests.at(-1)?.messages)).toContain("<summary id=");
      expectPrefixesBetweenCompactions(requests);
      await withEngine(home.data, async (engine) => {
        const { summaries } = await engine.context.conversations.summaries(addressOf("long"));
        expect(summaries.some(({ model }) => model === "local/scripted")).toBe(true);
        expect((await engine.context.conversations.get(addressOf("long"))).tokenCount).toBeGreaterThan(
          250_000,
        );
      });
      await expectOnRecord("long");
    },
  );

  it.skipIf(isShort)("compacts on demand", async () => {
    for (let turn = 1; turn <= 3; turn++) await home.say(`Turn ${turn}. ${essay(turn)}`, "over");
    expect(await home.call("sessions.compact", { key: keyOf("over") })).toMatchObject({ ok: true });
    await withEngine(home.data, async (engine) => {
      const { summaries } = await engine.context.conversations.summaries(addressOf("over"));
      expect(summaries.length).toBeGreaterThan(0);
    });
    await expectOnRecord("over");
  });

  it.skipIf(isShort)("goes on after an overflow, also directly after a compaction", async () => {
    const from = model.requests.length;
    model.mood = "overflow-once";
    await home.say("Does it still fit?", "over");
    // Requests for summaries come between them, and offer no tools.
    const [refused, repeated] = model.requests.slice(from).filter(({ tools }) => tools.length > 0);
    expect(JSON.stringify(repeated?.messages)).toContain("Does it still fit?");
    expect(historyBytes(repeated)).toBeLessThan(historyBytes(refused));
    // The host repeats the turn in words of its own, and only those of the person are on record.
    const asked = home.entries("over").filter(({ role, text }) => role === "user" && text.includes("fit?"));
    expect(asked.map(({ text }) => text)).toEqual([JSON.stringify("Does it still fit?")]);
    await home.say("And after it?", "over");
    await expectOnRecord("over");
  });

  it.skipIf(isShort)("links a sub-agent to its parent, and lets it expand a summary of it", async () => {
    const summary = await withEngine(home.data, async (engine) => {
      const { summaries } = await engine.context.conversations.summaries(addressOf("long"));
      return summaries.find(({ depth }) => depth === 0)?.id ?? "";
    });
    const from = model.requests.length;
    const task = `CALL:lcm_expand:{"summary":"${summary}"}`;
    const spawn = JSON.stringify({ id: "sessions_spawn", args: { task, label: "reader" } });
    await home.say(`CALL:tool_call:${spawn} now`, "long");
    const results = () =>
      model.requests
        .slice(from)
        .flatMap(({ messages }) => messages)
        .filter(({ role }) => role === "tool")
        .map(textOfChat);
    await until(() => results().some((text) => text.includes("north gate")));
    await until(() => home.sessionKeys().some((key) => key.includes(":subagent:")));
    await withEngine(home.data, async (engine) => {
      const family = await engine.context.conversations.family(addressOf("long"));
      const { id } = await engine.context.conversations.get(addressOf("long"));
      const child = family.find(({ relation }) => relation === "child");
      expect(child).toMatchObject({ parent: id, sessionKey: expect.stringContaining(":subagent:") });
    });
  });

  // The host never hands over the turn in which it tells the parent what came of it.
  it.skipIf(isShort)("stores what a sub-agent said and what its parent was told of it", async () => {
    const key = home.sessionKeys().find((one) => one.includes(":subagent:")) ?? "";
    const isArchived = () =>
      withEngine(home.data, async ({ context }) => {
        const family = await context.conversations.family(addressOf("long"));
        return family.some(({ sessionKey, archivedAt }) => sessionKey === key && archivedAt !== null);
      });
    await until(isArchived);
    const told = () => home.entries("long").filter(({ text }) => text.includes("reader"));
    await until(() => told().length > 0);
    await home.say("What came of it?", "long");
    await expectOnRecord("long");
    await expectOnRecord(key.replace(/^agent:main:/, ""));
  });

  it("captures what a person wants remembered, and recalls it in another session", async () => {
    await home.say("Please remember that the office is in Oslo.", "told");
    const memories = () =>
      withEngine(home.data, async ({ memory }) =>
        (await memory.list({})).rows.map(({ abstract }) => abstract),
      );
    await until(async () => (await memories()).some((text) => text.includes("Oslo")));
    await home.say("Where is the office?", "asked");
    const [recalled] =
      model.requests
        .at(-1)
        ?.messages.map(textOfChat)
        .filter((text) => text.includes("Oslo")) ?? [];
    expect(recalled).toContain("<palimpsest");
    expect(await home.say('CALL:memory_search:{"query":"office"} now', "asked")).toContain("Oslo");
    expect(
      await home.say('CALL:memory_store:{"text":"The printer is on the third floor."} now', "asked"),
    ).toContain("mem_");
    expect(await home.say('CALL:memory_recall:{"query":"printer"} now', "told")).toContain("third floor");
    await expectOnRecord("asked");
  });

  it.skipIf(isShort)("answers /lcm in a chat", async () => {
    const told = async (command: string) => {
      const before = home.entries("s1").length;
      await home.call("chat.send", { sessionKey: keyOf("s1"), message: command, idempotencyKey: command });
      await until(() => home.entries("s1").length >= before + 2);
      return home.entries("s1").at(-1)?.text ?? "";
    };
    expect(await told("/lcm status")).toContain("This session: conv_");
    expect(await told("/lcm doctor")).toContain("ok");
    expect(await told("/lcm compact")).toContain("tokens");
    expect(await told("/lcm expand")).toContain("Name a summary");
  });

  it("never makes the host fall back to its own engine", () => {
    expect(home.log).not.toMatch(/degraded to "legacy"/);
    expect(home.log).not.toMatch(/quarantin/i);
  });

  async function untilSaid(text: string, session: string): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        await home.say(text, session);
        return;
      } catch (error) {
        if (attempt === 20) throw error;
        await pause(2_000);
      }
  }

  function setSchemaVersion(version: number): void {
    const database = new DatabaseSync(path.join(home.data, DATABASE_NAME));
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
  }
});

describe.skipIf(isShort)("OpenClaw with a session from before the installation", () => {
  it(
    "takes in all 50 turns of it",
    async () => {
      const packed = temporaryFolder();
      const model = await startChatModel();
      const home = new OpenClawHome(model);
      try {
        await home.start();
        await home.say(`${FACT} Keep it in mind.`, "old");
        for (let turn = 2; turn <= 50; turn++) await home.say(`Turn ${turn} of the old days.`, "old");
        await home.stop();
        await home.install(packPlugin(packed));
        await home.start();
        expect(await home.say('CALL:lcm_grep:{"pattern":"vault"} now', "old")).toContain("heron-4471");
        const entries = home.entries("old");
        expect(entries.length).toBeGreaterThanOrEqual(102);
        await withEngine(home.data, async (engine) => {
          const { messages } = await engine.context.read({ conversation: addressOf("old"), limit: 1_000 });
          expect(messages.map(({ key }) => key)).toEqual(entries.map(({ id }) => id));
        });
        expect(home.log).not.toMatch(/degraded to "legacy"|quarantin/i);
      } finally {
        await home.stop();
        await model.close();
        for (const folder of [packed, home.folder]) rmSync(folder, { recursive: true, force: true });
      }
    },
    20 * 60_000,
  );
});

/** The host writes the session into the first message of the user. */
function isOf(request: ChatRequest, session: string): boolean {
  return JSON.stringify(request.messages).includes(`session=${keyOf(session)} `);
}

function addressOf(session: string) {
  return { sessionId: session, sessionKey: keyOf(session) };
}

/** What the model was sent, without what the host itself puts at the end of each request. */
function sent({ messages }: ChatRequest): readonly string[] {
  return messages.filter((message) => !isHostMade(message)).map((message) => JSON.stringify(message));
}

/** Of every two requests one after the other, the messages of the first begin those of the second. */
function expectPrefixes(requests: readonly ChatRequest[]): void {
  for (let i = 1; i < requests.length; i++) {
    const [before, now] = [requests[i - 1], requests[i]];
    if (before === undefined || now === undefined) continue;
    expect(sent(now).slice(0, sent(before).length)).toEqual(sent(before));
  }
}

/** As above, for requests that show the same summaries. */
function expectPrefixesBetweenCompactions(requests: readonly ChatRequest[]): void {
  const summaries = (request: ChatRequest) =>
    sent(request)
      .flatMap((text) => text.match(/<summary id=\\"sum_\w+/g) ?? [])
      .join();
  let compared = 0;
  for (let i = 1; i < requests.length; i++) {
    const [before, now] = [requests[i - 1], requests[i]];
    if (before === undefined || now === undefined || summaries(before) !== summaries(now)) continue;
    expectPrefixes([before, now]);
    compared++;
  }
  // Turns of 10,000 tokens are compacted almost every time.
  expect(compared).toBeGreaterThan(0);
}

/** About 10,000 tokens of a turn's own. */
function essay(turn: number): string {
  const sentence = (i: number) =>
    `Station ${turn}-${i} notes that gauge ${i * 7} reads ${turn * 13 + i} millibar there.`;
  return Array.from({ length: 620 }, (_, i) => sentence(i)).join(" ");
}

function historyBytes(request: ChatRequest | undefined): number {
  return Buffer.byteLength(JSON.stringify(request?.messages));
}

async function until(isThere: () => boolean | Promise<boolean>, timeoutMs = 120_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await isThere())) {
    if (Date.now() > end) throw new Error("it did not happen in time");
    await pause(20);
  }
}
