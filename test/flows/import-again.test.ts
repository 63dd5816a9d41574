import { appendFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, type ImportReport, open, textOfParts } from "../../src/index.ts";
import { ENGINES, type Place, steadyClock, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const SECRET = "my password is ZEBRAQUUX77 please keep";

describe.each(ENGINES)("importing a transcript again on %s", (name) => {
  let place: Place;
  let engine: Engine;
  const folder = temporaryFolder();
  let files = 0;
  let file = "";
  let session = "";

  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, clock: steadyClock(), config: { logLevel: "silent" } });
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
  const bring = (): Promise<ImportReport> => engine.context.importTranscript(file);
  const first = [say(SECRET, "a1"), say("two", "a2"), say("three", "a3")];

  async function bringFirst(more = {}): Promise<string> {
    write(header(more), ...first);
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

  it("goes on in the conversation that was archived, which stays archived", async () => {
    const id = await bringFirst();
    await engine.context.erase({ conversation: id, from: 1 });
    await engine.context.archive(id);
    expect(await bring()).toMatchObject({ status: "unchanged", conversation: id, archived: true });
    add(say("four", "a4"));
    expect(await bring()).toMatchObject({ file: "grown", imported: 1, conversation: id, archived: true });
    expect(await texts(id)).toEqual({
      context: ["two", "three", "four"],
      all: [null, "two", "three", "four"],
    });
    expect((await engine.context.conversation(id)).archivedAt).not.toBeNull();
    const { conversations } = await engine.context.conversations({ archived: true });
    expect(conversations.filter(({ sessionId }) => sessionId === session).map((one) => one.id)).toEqual([id]);
  });

  it("leaves the conversation alone that a live turn opened after the first was archived", async () => {
    const id = await bringFirst();
    await engine.context.archive(id);
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

  it("keeps a title that the host gave when the first message is erased", async () => {
    const given = await bringFirst({ title: "Quarterly planning" });
    await engine.context.erase({ conversation: given, from: 1 });
    expect(await engine.context.conversation(given)).toMatchObject({
      title: "Quarterly planning",
      titleIsAutomatic: false,
    });
    session = `${session}-untitled`;
    file = path.join(folder, `${session}.jsonl`);
    const taken = await bringFirst();
    await engine.context.erase({ conversation: taken, from: 1 });
    expect(await engine.context.conversation(taken)).toMatchObject({ title: "two", titleIsAutomatic: true });
  });
});
