import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, open } from "../../src/index.ts";
import { readMemories } from "../../src/memory/exchange/read-memories.ts";
import { readArchive, writeArchive } from "../../src/store/archive.ts";
import { encodeRow } from "../../src/store/archive-rows.ts";
import type { Store } from "../../src/store/store.ts";
import { ENGINES, type Place, steadyClock, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

/** Characters that PostgreSQL, or UTF-8, has no form for. */
const ODD = [
  ["NUL", "a\0b"],
  ["half of a surrogate pair", "a\ud800b"],
] as const;

const NAMED = /must not contain a NUL character or an unpaired surrogate/;

describe.each(ENGINES)("characters that cannot be stored, on %s", (engineName) => {
  let place: Place;
  let engine: Engine;
  const folder = temporaryFolder();
  beforeAll(async () => {
    place = await temporaryPlace(engineName);
    engine = await openOn(place);
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const refused = async (call: () => unknown, field: string) => {
    const calling = (async () => call())();
    await expect(calling).rejects.toMatchObject({ code: "invalid-input" });
    await expect(calling).rejects.toThrow(new RegExp(`${field}.*${NAMED.source}`));
  };

  describe.each(ODD)("%s", (what, odd) => {
    it.each([
      ["text", { text: odd }],
      ["overview", { overview: odd }],
      ["content", { content: odd }],
      ["factKey", { factKey: odd }],
      ["speaker", { speaker: odd }],
      ["tags", { tags: ["fine", odd] }],
    ])(
      "is refused in the %s of a memory, with the name of the field (promise: refused)",
      async (field, given) => {
        const before = await rowsOf(engine.store);
        await refused(() => engine.memory.store({ text: `${what} ${field}`, ...given }), field);
        expect(await rowsOf(engine.store)).toEqual(before);
      },
    );

    it.each([
      ["text", { text: odd }],
      ["overview", { overview: odd }],
      ["content", { content: odd }],
      ["tags", { tags: [odd] }],
    ])("is refused in the %s that a memory gets", async (field, given) => {
      const stored = await engine.memory.store({ text: `a memory to change, ${what} ${field}`, force: true });
      const id = "memory" in stored ? (stored.memory?.id ?? "") : "";
      await refused(() => engine.memory.update({ id, ...given }), field);
      await refused(() => engine.memory.forget({ id, reason: odd }), "reason");
    });

    it("is refused in a tag or key that is looked for, and in the name of a tenant or agent", async () => {
      await refused(() => engine.memory.list({ tags: [odd] }), "tags");
      await refused(() => engine.memory.list({ factKey: odd }), "factKey");
      await refused(() => engine.contextOf({ tenant: odd, agent: "a" }), "tenant");
      await refused(() => engine.memoryOf({ tenant: "t", agent: odd }), "agent");
      await expect(open({ config: { tenant: odd } })).rejects.toThrow(NAMED);
    });

    it("passes over a memory of a file that has one, with its line", async () => {
      const lines = [`- I like tea in the morning, ${what}.`, `- I like ${odd} in the evening.`];
      const items = readMemories("memory-markdown", lines, { name: `${what}.md` });
      expect(await engine.memory.exchange.import(items)).toMatchObject({
        created: 1,
        passedOver: [{ line: 2, reason: expect.stringMatching(NAMED) }],
      });
    });

    it("is replaced in what is captured, where the message stays exact", async () => {
      const content = `Remember: I always prefer dark mode ${odd} in my editor ${what}.`;
      const turn = { conversation: `captured ${what}`, key: "t", messages: [{ role: "user", content }] };
      await engine.context.commitTurn(turn);
      const { stored } = await engine.memory.capture({ conversation: turn.conversation, flush: true });
      expect(stored[0]?.abstract).toContain("a\ufffdb");
      const { messages } = await engine.context.read({ conversation: turn.conversation });
      expect(messages[0]?.value).toEqual(turn.messages[0]);
    });

    it("is kept in the ids of calls and in the names of tools (promise: exact)", async () => {
      const messages = [
        { role: "user", content: "x" },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: `call${odd}`, name: `tool${odd}`, input: {} }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: `call${odd}`, content: "answered" }] },
      ];
      const conversation = `calls ${what}`;
      await engine.context.commitTurn({ conversation, key: "t", messages });
      const back = await engine.context.read({ conversation });
      expect(back.messages.map(({ value }) => value)).toEqual(messages);
      const { hits } = await engine.context.grep({ pattern: "answered", tool: `tool${odd}` });
      expect(hits).toHaveLength(1);
    });

    it("is kept in every id of a transcript, which is read on and written out (promise: transcript)", async () => {
      const file = path.join(folder, `${what}.jsonl`);
      const lines = [
        { type: "session", version: 3, id: `session${odd}`, cwd: "/" },
        entry(`1${odd}`, null, { role: "user", content: "hello" }),
        entry(`2${odd}`, `1${odd}`, {
          role: "assistant",
          content: [{ type: "toolCall", id: `c${odd}`, name: `n${odd}`, arguments: {} }],
        }),
        entry(`3${odd}`, `2${odd}`, {
          role: "toolResult",
          toolCallId: `c${odd}`,
          toolName: `n${odd}`,
          content: [{ type: "text", text: "done" }],
        }),
        entry(`4${odd}`, `3${odd}`, { role: "user", content: "more" }),
      ].map((line) => `${JSON.stringify(line)}\n`);
      writeFileSync(file, lines.slice(0, 3).join(""));
      const { conversation } = await engine.context.conversations.import(file);
      writeFileSync(file, lines.join(""));
      const again = await engine.context.conversations.import(file);
      expect(again).toMatchObject({ conversation, file: "grown", imported: 2, offPath: { messages: 0 } });
      const chunks: Uint8Array[] = [];
      for await (const chunk of engine.context.conversations.transcript({ conversation: conversation ?? "" }))
        chunks.push(chunk);
      expect(Buffer.concat(chunks).toString()).toBe(readFileSync(file, "utf8"));
    });
  });

  it("keeps a byte order mark wherever it stands (promise: exact)", async () => {
    const mark = "\ufeff";
    const stored = await engine.memory.store({
      text: `${mark}I like green tea${mark}`,
      factKey: `${mark}tea`,
      speaker: `${mark}Ada`,
      tags: [`${mark}drinks`],
    });
    const memory = "memory" in stored ? stored.memory : null;
    expect(memory).toMatchObject({
      abstract: `${mark}I like green tea${mark}`,
      factKey: `preferences:${mark}tea`,
      speaker: `${mark}Ada`,
      tags: [`${mark}drinks`],
    });
    const turn = {
      conversation: `${mark}talk`,
      key: `${mark}t`,
      messages: [{ role: "user", content: mark }],
    };
    await engine.context.commitTurn(turn);
    expect(await engine.context.commitTurn(turn)).toMatchObject({ status: "duplicate" });
    const { messages, conversation } = await engine.context.read({ conversation: turn.conversation });
    expect(messages).toMatchObject([{ key: `${mark}t#0`, value: turn.messages[0] }]);
    expect((await engine.context.conversations.get(conversation.id)).sessionId).toBe(`${mark}talk`);
  });

  it("leave a store that verifies, and moves to either engine without a change (promise: portable)", async () => {
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    const archive = path.join(folder, "archive.jsonl");
    await writeArchive(engine.store, archive);
    for (const other of ENGINES) {
      const there = await temporaryPlace(other);
      const moved = await openOn(there);
      await moved.store.load(readArchive(archive), { replace: false });
      expect((await checkIntegrity(moved.store)).problems).toEqual([]);
      expect(await rowsOf(moved.store)).toEqual(await rowsOf(engine.store));
      await moved.close();
      await there.dispose();
    }
  });
});

function openOn({ store }: Place): Promise<Engine> {
  return open({
    store,
    clock: steadyClock(),
    background: "off",
    config: { logLevel: "silent", embeddingModel: "off" },
  });
}

function entry(id: string, parentId: string | null, message: object) {
  return { type: "message", id, parentId, timestamp: "2026-03-01T10:00:00.000Z", message };
}

async function rowsOf(store: Store): Promise<string[]> {
  const rows: string[] = [];
  for await (const row of store.dump()) rows.push(encodeRow(row));
  return rows.toSorted();
}
