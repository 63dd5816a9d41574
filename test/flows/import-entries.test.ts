/** Entries that a host hands over without a file, with its cursor. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type EntriesInput, HostBridge, type HostTranscriptEntry } from "../../src/host/index.ts";
import { type Engine, isPalimpsestError, open } from "../../src/index.ts";
import { operations, runOperation } from "../../src/operations/index.ts";
import { ENGINES, type Place, steadyClock, temporaryPlace } from "../temporary-store.ts";

const AT = Date.parse("2026-03-01T10:00:00.000Z");
const entry = (id: string, content: string, parentId?: string | null): HostTranscriptEntry => ({
  id,
  message: { role: "user", content },
  createdAt: AT,
  ...(parentId === undefined ? {} : { parentId }),
});
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => entry(`e${from + i}`, `Entry ${from + i}.`));

describe.each(ENGINES)("entries of a host on %s", (name) => {
  let place: Place;
  let engine: Engine;
  const config = { logLevel: "silent" } as const;
  const openEngine = () => open({ store: place.store, background: "off", clock: steadyClock(), config });
  beforeEach(async () => {
    place = await temporaryPlace(name);
    engine = await openEngine();
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  const session = { sessionId: "s1", sessionKey: "agent:main" };
  const take = (entries: EntriesInput["entries"], cursor?: unknown, by = engine) =>
    by.context.conversations.importEntries({ conversation: session, source: "db", entries, cursor });
  async function record(by = engine): Promise<string[]> {
    const { messages } = await by.context.read({ conversation: session, limit: 10_000 });
    return messages.map(({ parts, excluded }) => {
      const words = parts.map((part) => ("text" in part ? part.text : part.type)).join("|");
      return excluded === null ? words : `(${words})`;
    });
  }
  async function reopen(): Promise<void> {
    await engine.close();
    engine = await openEngine();
  }

  it("come in once, however often they are read, and the cursor is kept with them", async () => {
    const { conversations } = engine.context;
    expect(await conversations.entriesCursor(session, "db")).toBeNull();
    expect(await take(numbered(0, 3), { generation: 1, at: 3 })).toMatchObject({
      status: "imported",
      imported: 3,
      alreadyThere: 0,
    });
    expect(await take(numbered(0, 3), { generation: 1, at: 3 })).toMatchObject({
      status: "unchanged",
      imported: 0,
      alreadyThere: 3,
    });
    await reopen();
    expect(await engine.context.conversations.entriesCursor(session, "db")).toEqual({ generation: 1, at: 3 });
    // The host has forgotten its cursor and begins again, in pages.
    expect(await take(numbered(0, 2), { generation: 2, at: 2 })).toMatchObject({ imported: 0 });
    expect(await take(numbered(2, 600), { generation: 2, at: 600 })).toMatchObject({
      imported: 597,
      alreadyThere: 1,
    });
    expect(await take([], { generation: 2, at: 601 })).toMatchObject({ status: "imported", imported: 0 });
    expect(await engine.context.conversations.entriesCursor(session, "db")).toEqual({
      generation: 2,
      at: 601,
    });
    expect(await engine.context.conversations.entriesCursor(session, "other")).toBeNull();
    expect(await record()).toEqual(numbered(0, 600).map(({ message }) => Object(message).content));
    const { messages } = await engine.context.read({ conversation: session, limit: 1 });
    expect(messages[0]).toMatchObject({ key: "e0", createdAt: "2026-03-01T10:00:00.000Z" });
    expect((await runOperation(operations.verify, engine, {})).problems).toEqual([]);
  });

  it("make branches, and an edited one takes the place of the one before", async () => {
    await take([entry("a", "root", null), entry("b", "left", "a"), entry("c", "left leaf", "b")]);
    await reopen();
    await take([entry("d", "right", "a")]);
    expect(await record()).toEqual(["root", "(left)", "(left leaf)", "right"]);
    await take([entry("e", "back again", "c")]);
    expect(await record()).toEqual(["root", "left", "left leaf", "(right)", "back again"]);
    await take([entry("e", "edited", "c")]);
    expect((await record()).slice(3)).toEqual(["(right)", "(back again)", "edited"]);
    await reopen();
    // From the start, as the host has them now.
    const all = [["a", "root", null] as const, ["b", "left", "a"] as const, ["e", "edited", "c"] as const];
    expect(await take(all.map(([id, words, parent]) => entry(id, words, parent)))).toMatchObject({
      status: "unchanged",
    });
    expect((await runOperation(operations.verify, engine, {})).problems).toEqual([]);
  });

  it("stay erased", async () => {
    await take([entry("a", "The vault code is heron-4471."), entry("b", "Noted.")], 1);
    await engine.context.erase({ conversation: session, from: 1, to: 1 });
    await take([entry("a", "The vault code is heron-4471.")], 2);
    await reopen();
    await take([entry("a", "The vault code is heron-4471."), entry("b", "Noted."), entry("c", "More.")], 3);
    expect(await record()).toEqual(["()", "Noted.", "More."]);
    expect((await engine.context.grep({ pattern: "heron" })).hits).toEqual([]);
  });

  it("come in once from two processes that read the same source", async () => {
    const other = await openEngine();
    for (let page = 0; page < 5; page++)
      await Promise.all([engine, other].map((by) => take(numbered(page * 10, page * 10 + 12), page, by)));
    expect(await record()).toEqual(numbered(0, 52).map(({ message }) => Object(message).content));
    await other.close();
  });

  it("go on from their cursor in the next conversation of a session that was reset", async () => {
    const { conversations } = engine.context;
    await take([entry("a", "one"), entry("b", "two")], { at: 2 });
    await take([{ id: "turn-1", event: { type: "turn" } }]);
    expect(await conversations.entriesCursor(session, "db")).toEqual({ at: 2 });
    await conversations.reset({ conversation: session, mode: "reset" });
    expect(await conversations.entriesCursor(session, "db")).toEqual({ at: 2 });
    await take([entry("c", "three", null)], { at: 3 });
    expect(await record()).toEqual(["three"]);
    await reopen();
    expect(await engine.context.conversations.entriesCursor(session, "db")).toEqual({ at: 3 });
    const family = await engine.context.conversations.family(session);
    expect(family.map(({ archivedAt }) => archivedAt === null)).toEqual([false, true]);
    expect((await runOperation(operations.verify, engine, {})).problems).toEqual([]);
  });

  it("open the conversation of a sub-agent, whose tools see what it comes from", async () => {
    const bridge = new HostBridge({ store: place.store, config, background: "off" });
    await take([entry("a", "The vault code is heron-4471.")]);
    const other = { sessionId: "s9", sessionKey: "agent:other" };
    const secrets = [entry("z", "The other vault code is crane-9.")];
    await engine.context.conversations.importEntries({ conversation: other, source: "db", entries: secrets });
    const child = { sessionId: "s2", sessionKey: "agent:main:subagent:1" };
    const { id: parent } = await engine.context.conversations.get(session);
    await engine.context.conversations.importEntries({
      conversation: child,
      source: "db",
      entries: [{ id: "spawn", event: { parent } }],
      hostContext: { parent, relation: "child" },
    });
    const found = async () => {
      const { hits } = await (await bridge.engineFor(child, true)).context.grep({ pattern: "vault" });
      return hits.map(({ conversation }) => conversation);
    };
    expect(await found()).toEqual([parent]);
    await bridge.changed(child, { reason: "reset" });
    expect(await found()).toEqual([]);
    await bridge.release();
  });

  it("are written out as a transcript that can be imported", async () => {
    await take([entry("a", "one"), entry("b", "two")], "after b");
    let text = "";
    for await (const piece of engine.context.conversations.transcript({ conversation: session }))
      text += Buffer.from(piece).toString("utf8");
    const [first, second, cursor] = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([first.id, second.parentId, cursor.data]).toEqual(["a", "a", "after b"]);
  });

  it("are refused with the place when they cannot be kept, and never throw into a host", async () => {
    const wrong = take([entry("a", "one"), { id: "", message: {} }]);
    await expect(wrong).rejects.toSatisfy((error) => isPalimpsestError(error, "invalid-input"));
    await expect(take([{ ...entry("a", "x"), createdAt: "soon" }])).rejects.toThrow(
      '"soon" of a is not a time',
    );
    const bridge = new HostBridge({ store: "/dev/null/nowhere", config });
    expect(await bridge.importEntries(session, { source: "db", entries: [entry("a", "one")] })).toBeNull();
    expect(await bridge.entriesCursor(session, "db")).toBeNull();
  });
});
