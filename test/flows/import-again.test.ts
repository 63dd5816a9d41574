import { randomUUID } from "node:crypto";
import { appendFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, type ImportReport, open, textOfParts } from "../../src/index.ts";
import { ENGINES, type Place, steadyClock, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

describe.each(ENGINES)("importing a transcript again on %s", (name) => {
  let place: Place;
  let engine: Engine;
  const folder = temporaryFolder();
  let files = 0;
  let file = "";
  let session = "";

  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({
      store: place.store,
      clock: steadyClock(),
      config: { autoCapture: false, logLevel: "silent" },
    });
  });
  afterAll(async () => {
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    await engine.close();
    await place.dispose();
  });
  beforeEach(() => {
    session = `session-${++files}`;
    file = path.join(folder, `${session}.jsonl`);
  });

  const header = (more = {}) => JSON.stringify({ type: "palimpsest", version: 1, session, ...more });
  const say = (content: string, id?: string) => JSON.stringify({ id, role: "user", content });
  const jsonl = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  const write = (...lines: string[]) => writeFileSync(file, jsonl(lines));
  const add = (...lines: string[]) => appendFileSync(file, jsonl(lines));
  const bring = (): Promise<ImportReport> => engine.context.conversations.import(file);
  const secret = () => `my password is ZEBRAQUUX77 of ${session} please keep`;
  const firstLines = () => [say(secret(), "a1"), say("two", "a2"), say("three", "a3")];

  async function bringFirst(more = {}): Promise<string> {
    write(header(more), ...firstLines());
    return (await bring()).conversation ?? "";
  }

  /** The texts of a conversation: those in the context, and all that are on record; null where erased. */
  async function texts(conversation: string): Promise<{ context: string[]; all: (string | null)[] }> {
    const { messages } = await engine.context.read({ conversation });
    const textOf = ({ parts }: (typeof messages)[number]) => textOfParts(parts);
    return {
      context: messages.filter((message) => message.excluded === null).map(textOf),
      all: messages.map((message) => (message.erasedAt === null ? textOf(message) : null)),
    };
  }

  async function linesOf(conversation: string, transcript: number) {
    const { tenant, agent } = engine.config;
    return (await engine.store.scoped({ tenant, agent }).transcriptLines(conversation, { transcript })).rows;
  }

  async function expectNoSecret(): Promise<void> {
    const rows: string[] = [];
    for await (const row of engine.store.dump()) rows.push(JSON.stringify(row));
    expect(rows.filter((row) => row.includes(`ZEBRAQUUX77 of ${session} `))).toEqual([]);
  }

  it("reads only what was added while a host writes, and sees edits when it compares again", async () => {
    const follow = () => engine.context.conversations.import(file, { follow: true });
    write(header(), say("one", "a1"));
    const { conversation } = await follow();
    const id = conversation ?? "";
    expect(await follow()).toMatchObject({ status: "unchanged", conversation: id, lines: 0 });
    for (const [word, key] of Object.entries({ two: "a2", three: "a3" })) {
      add(say(word, key));
      expect(await follow()).toMatchObject({ status: "imported", file: "grown", lines: 1, imported: 1 });
    }
    // Half a line, then the whole of it.
    appendFileSync(file, say("four", "a4").slice(0, 10));
    expect(await follow()).toMatchObject({ imported: 0 });
    appendFileSync(file, `${say("four", "a4").slice(10)}\n`);
    expect(await follow()).toMatchObject({ imported: 1 });
    // Another process takes in a line first, and a person erases one: both are noticed.
    add(say("five", "a5"));
    const other = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    await other.context.conversations.import(file);
    await other.close();
    add(say("six", "a6"));
    expect(await follow()).toMatchObject({ imported: 1 });
    await engine.context.erase({ conversation: id, from: 2 });
    add(say("seven", "a7"));
    expect(await follow()).toMatchObject({ imported: 1 });
    write(header(), say("ONE", "a1"), ...["three", "four"].map((word) => say(word)));
    expect(await bring()).toMatchObject({ file: "edited" });
    const { all } = await texts(id);
    expect(all.slice(0, 7)).toEqual(["one", null, "three", "four", "five", "six", "seven"]);
    expect(all).toContain("ONE");
  });

  it("goes on in the conversation that was archived, which stays archived", async () => {
    const id = await bringFirst();
    await engine.context.erase({ conversation: id, from: 1 });
    await engine.context.conversations.archive(id);
    expect(await bring()).toMatchObject({ status: "unchanged", conversation: id, archived: true });
    add(say("four", "a4"));
    expect(await bring()).toMatchObject({ file: "grown", imported: 1, conversation: id, archived: true });
    expect(await texts(id)).toEqual({
      context: ["two", "three", "four"],
      all: [null, "two", "three", "four"],
    });
    expect((await engine.context.conversations.get(id)).archivedAt).not.toBeNull();
    const { conversations } = await engine.context.conversations.list({ archived: true });
    expect(conversations.filter(({ sessionId }) => sessionId === session).map((one) => one.id)).toEqual([id]);
  });

  it("leaves the conversation alone that a live turn opened after the first was archived", async () => {
    const id = await bringFirst();
    await engine.context.conversations.archive(id);
    const turn = { conversation: session, key: "t", messages: [{ role: "user", content: "live" }] };
    const live = await engine.context.commitTurn(turn);
    expect(live).toMatchObject({ status: "committed", conversation: expect.not.stringContaining(id) });
    add(say("four", "a4"));
    expect(await bring()).toMatchObject({ imported: 1, conversation: id, archived: true });
    expect((await texts(session)).all).toEqual(["live"]);
  });

  it("goes on in a conversation whose session got a key of its own since", async () => {
    const id = await bringFirst();
    const named = { sessionId: session, sessionKey: `key of ${session}` };
    const messages = [{ role: "user", content: "live" }];
    await engine.context.commitTurn({ conversation: named, key: "t", messages });
    add(say("four", "a4"));
    expect(await bring()).toMatchObject({ file: "grown", imported: 1, conversation: id, archived: false });
  });

  it("opens a conversation of its own for another session in a file of the same name", async () => {
    const id = await bringFirst();
    const other = `${session}-other`;
    write(header({ session: other }), say("b", "b1"));
    const report = await bring();
    expect(report).toMatchObject({ file: "new", imported: 1, sessionId: other, archived: false });
    expect(report.conversation).not.toBe(id);
  });

  it("takes in a line that was put before an erased one, which stays erased", async () => {
    const id = await bringFirst();
    await engine.context.erase({ conversation: id, from: 1 });
    write(header(), say("inserted before", "x1"), ...firstLines());
    expect(await bring()).toMatchObject({ file: "edited", imported: 3, alreadyThere: 1, conversation: id });
    expect((await texts(id)).context).toEqual(["inserted before", "two", "three"]);
    await expectNoSecret();
    expect(await bring()).toMatchObject({ status: "unchanged" });
    add(say("four", "a4"));
    expect(await bring()).toMatchObject({ file: "grown", imported: 1 });
    expect((await texts(id)).context).toEqual(["inserted before", "two", "three", "four"]);
  });

  it("follows a file from which the erased line was taken out", async () => {
    const id = await bringFirst();
    await engine.context.erase({ conversation: id, from: 1 });
    write(header(), ...firstLines().slice(1));
    expect(await bring()).toMatchObject({ file: "edited", imported: 0, alreadyThere: 2 });
    expect(await texts(id)).toEqual({ context: ["two", "three"], all: [null, "two", "three"] });
  });

  it.each([["with ids"], ["without ids"]])(
    "reads a file %s that took the place of one that was erased whole",
    async (kind) => {
      const idOf = (id: string) => (kind === "with ids" ? id : undefined);
      write(header(), say(secret(), idOf("a1")), say("two", idOf("a2")), say("three", idOf("a3")));
      const id = (await bring()).conversation ?? "";
      await engine.context.erase({ conversation: id });
      const later = ["first of b", "second of b", "third of b", "fourth of b"];
      write(header(), ...later.map((text, index) => say(text, idOf(`b${index}`))));
      expect(await bring()).toMatchObject({ file: "replaced", imported: 4, conversation: id });
      expect((await texts(id)).context).toEqual(later);
      expect(await bring()).toMatchObject({ status: "unchanged" });
    },
  );

  it.each([["with ids"], ["without ids"]])(
    "reads what came in the place of a last line that was erased, in a file %s",
    async (kind) => {
      const idOf = (id: string) => (kind === "with ids" ? id : undefined);
      const one = say("one", idOf("a1"));
      const last = say(secret(), idOf("a2"));
      write(header(), one, last);
      const id = (await bring()).conversation ?? "";
      await engine.context.erase({ conversation: id, from: 2 });
      write(header(), one, say("another two", idOf("b2")), say("three", idOf("b3")));
      expect(await bring()).toMatchObject({ file: "edited", imported: 2 });
      expect((await texts(id)).context).toEqual(["one", "another two", "three"]);
      await expectNoSecret();
    },
  );

  it.each([["with ids"], ["without ids"]])(
    "goes on in a file %s whose last line was erased",
    async (kind) => {
      const idOf = (id: string) => (kind === "with ids" ? id : undefined);
      write(header(), say("one", idOf("a1")), say(secret(), idOf("a2")));
      const id = (await bring()).conversation ?? "";
      await engine.context.erase({ conversation: id, from: 2 });
      add(say("three", idOf("a3")));
      expect(await bring()).toMatchObject({ file: "grown", imported: 1 });
      expect(await texts(id)).toEqual({ context: ["one", "three"], all: ["one", null, "three"] });
      await engine.context.erase({ conversation: id });
      add(say("four", idOf("a4")));
      expect(await bring()).toMatchObject({ file: "grown", imported: 1 });
      expect((await texts(id)).all).toEqual([null, null, null, "four"]);
      await expectNoSecret();
    },
  );

  it("keeps an event erased that repeats the words, also when the file was edited", async () => {
    const parent = randomUUID();
    const entry = (uuid: string, parentUuid: string | null, more: object) =>
      JSON.stringify({
        uuid,
        parentUuid,
        sessionId: session,
        timestamp: "2026-03-01T10:00:00.000Z",
        ...more,
      });
    const said = (uuid: string, parentUuid: string | null, content: string) =>
      entry(uuid, parentUuid, { type: "user", message: { role: "user", content } });
    const event = entry("e1", parent, { type: "progress", data: { text: secret() } });
    const later = [said(parent, null, secret()), event, said("m2", "e1", "two")];
    write(...later);
    const id = (await bring()).conversation ?? "";
    expect(await engine.context.erase({ conversation: id, from: 1 })).toMatchObject({ transcriptLines: 1 });
    write(said("m0", null, "before"), ...later);
    await bring();
    await expectNoSecret();
    expect((await linesOf(id, 2)).map(({ kind, hash }) => [kind, hash === null])).toEqual([
      ["message", false],
      ["message", true],
      ["erased", true],
      ["message", false],
    ]);
    write(said("m0", null, "before"), said("m3", "m0", "instead"));
    await bring();
    write(said("m0", null, "before"), ...later);
    await bring();
    await expectNoSecret();
  });

  it("keeps nothing of an erased line when the file was rotated", async () => {
    const id = await bringFirst();
    await engine.context.erase({ conversation: id, from: 1 });
    write(...firstLines(), say("four", "a4"));
    session = path.basename(file, ".jsonl");
    expect(await bring()).toMatchObject({ imported: 1, alreadyThere: 3, conversation: id });
    expect((await texts(id)).context).toEqual(["two", "three", "four"]);
    await expectNoSecret();
    const lines = await linesOf(id, 2);
    expect(lines.map(({ hash }) => hash === null)).toEqual([true, false, false, false]);
  });

  it("erases an entry also where an edited file put it on record again", async () => {
    const id = await bringFirst();
    const [first = "", ...rest] = firstLines();
    write(header(), say("before", "x1"), first, ...rest);
    await bring();
    expect((await texts(id)).all).toEqual([secret(), "two", "three", "before", secret(), "two", "three"]);
    expect(await engine.context.erase({ conversation: id, from: 5 })).toMatchObject({
      messages: 2,
      alsoIn: [],
    });
    await expectNoSecret();
    write(header(), first, ...rest);
    await bring();
    expect((await texts(id)).context).toEqual(["two", "three"]);
    await expectNoSecret();
  });

  it("keeps what an erased entry said under the same id at another time", async () => {
    write(header(), say(secret(), "a1"), say("other words", "a1"), say("two", "a2"));
    const id = (await bring()).conversation ?? "";
    await engine.context.erase({ conversation: id, from: 1 });
    write(header(), say("before", "x1"), say(secret(), "a1"), say("other words", "a1"), say("two", "a2"));
    await bring();
    expect((await texts(id)).context).toEqual(["before", "other words", "two"]);
    await expectNoSecret();
    const hashes = (await linesOf(id, 2)).map(({ hash }) => hash !== null);
    expect(hashes).toEqual([true, false, true, true]);
  });

  it("leaves a last line erased that got its line feed later", async () => {
    writeFileSync(file, `${header()}\n${say("one")}\n${say(secret())}`);
    const id = (await bring()).conversation ?? "";
    await engine.context.erase({ conversation: id, from: 2 });
    utimesSync(file, 1, 1);
    expect(await bring()).toMatchObject({ status: "unchanged", imported: 0 });
    writeFileSync(file, jsonl([header(), say("one"), say(secret()), say("three")]));
    expect(await bring()).toMatchObject({ file: "grown", imported: 1 });
    expect(await texts(id)).toEqual({ context: ["one", "three"], all: ["one", null, "three"] });
    await expectNoSecret();
  });

  it("keeps a title that the host gave when the first message is erased", async () => {
    const given = await bringFirst({ title: "Quarterly planning" });
    await engine.context.erase({ conversation: given, from: 1 });
    expect(await engine.context.conversations.get(given)).toMatchObject({
      title: "Quarterly planning",
      titleIsAutomatic: false,
    });
    session = `${session}-untitled`;
    file = path.join(folder, `${session}.jsonl`);
    const taken = await bringFirst();
    await engine.context.erase({ conversation: taken, from: 1 });
    expect(await engine.context.conversations.get(taken)).toMatchObject({
      title: "two",
      titleIsAutomatic: true,
    });
  });
});
