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
