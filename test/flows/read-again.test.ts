/** What is damaged here and still in the transcript that it came from is read again from there, exactly as it was. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { archiveOf } from "../bad-input/archive-of.ts";
import { type Beside, beside } from "../beside-store.ts";
import { neutral, said } from "../cli/transcripts.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const LONG_RESULT = Array.from({ length: 900 }, (_, line) => `line ${line} of the long result\n`).join("");

/** With ids and without, with times and without, the same words twice, an edit, and a result that is kept apart. */
function transcript(): string {
  return neutral("talk", [
    said("user", "What is in the report?", "m1"),
    { role: "assistant", content: "I look it up." },
    { role: "tool", tool_call_id: "call_1", content: LONG_RESULT },
    { role: "user", content: "ok" },
    { role: "user", content: "ok" },
    said("assistant", "It says that all is well.", "m6"),
    said("assistant", "It says that nothing is well.", "m6"),
    { role: "user", content: "the last words" },
  ]);
}
const MESSAGES = 8;

/** All rows but those that tell of the backup before a repair. */
async function contentOf({ store }: Engine): Promise<string> {
  const archive = await archiveOf(store);
  return archive.replaceAll(/^\{"row":"(?:audit|end)".*\n/gm, "");
}

function messagesIn(archive: string): string[] {
  return archive.split("\n").filter((row) => row.startsWith('{"row":"message"'));
}

describe.each(ENGINES)("messages of a transcript on %s", (kind) => {
  let folder: string;
  let file: string;
  let place: Place;
  let engine: Engine;
  let other: Beside;
  let id: string;
  let before: string;

  beforeEach(async () => {
    folder = temporaryFolder();
    file = path.join(folder, "talk.jsonl");
    writeFileSync(file, transcript());
    place = await temporaryPlace(kind);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    id = (await engine.context.conversations.import(file)).conversation ?? "";
    before = await contentOf(engine);
    other = await beside(kind, place.store);
  });

  afterEach(async () => {
    await other.close();
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The backup of a PostgreSQL store goes where the test stands. */
  async function repair() {
    const output = await runOperation(verify, engine, { repair: true });
    if (output.backup !== null) rmSync(output.backup);
    return output;
  }

  const change = (what: string, seq: number) => other.query(`UPDATE messages SET ${what} WHERE seq = ${seq}`);

  async function lose(...seqs: number[]): Promise<void> {
    const { dialect } = other;
    for (const seq of seqs) {
      await other.query(`DELETE FROM message_parts WHERE ${dialect.seq("message_parts")} = ${seq}`);
      await other.query(`DELETE FROM messages WHERE seq = ${seq}`);
    }
  }

  // promise: evident
  it.each(Array.from({ length: MESSAGES }, (_, index) => index + 1))(
    "come back when the row of message %i is lost",
    async (seq) => {
      await lose(seq);
      const found = await runOperation(verify, engine, {});
      expect(found.problems).toContainEqual(
        expect.objectContaining({ seq, message: `message ${seq} is missing`, repairable: true }),
      );
      expect(await repair()).toMatchObject({ ok: true, problems: [], lost: [] });
      expect(await contentOf(engine)).toBe(before);
    },
  );

  it("come back when the rows of all of them are lost", async () => {
    await lose(...Array.from({ length: MESSAGES }, (_, index) => index + 1));
    expect(await repair()).toMatchObject({ ok: true, problems: [] });
    expect(await contentOf(engine)).toBe(before);
  });

  it.each([
    ["content", "content = 'x', encoding = 'text'", 4],
    ["content that is kept apart", "content = 'x', encoding = 'text'", 3],
    ["salt", "salt = digest", 2],
    ["digest", "digest = hash", 5],
    ["hash", "hash = digest", 6],
    ["role", "role = 'system'", 1],
    ["time", "created_at = '2001-01-01T00:00:00.000Z'", 8],
  ])("come back when their %s is changed", async (_, what, seq) => {
    await change(what, seq);
    expect((await runOperation(verify, engine, {})).ok).toBe(false);
    expect(await repair()).toMatchObject({ ok: true, problems: [], lost: [] });
    expect(await contentOf(engine)).toBe(before);
  });

  it.each([
    ["key", "message_key = message_key || 'x'", 1],
    ["key made from its content", "message_key = message_key || 'x'", 4],
    ["erasure, with its content", "erased_at = '2001-01-01T00:00:00.000Z'", 2],
    [
      "erasure, without its content",
      "erased_at = '2001-01-01T00:00:00.000Z', encoding = 'erased', content = NULL, salt = NULL",
      5,
    ],
  ])("come back when nothing but the row tells of another %s", async (_, what, seq) => {
    await change(what, seq);
    expect((await runOperation(verify, engine, {})).problems).toContainEqual(
      expect.objectContaining({ seq, repairable: true }),
    );
    expect(await repair()).toMatchObject({ ok: true, problems: [], lost: [] });
    expect(await contentOf(engine)).toBe(before);
  });

  it("come back from wherever the file was imported last", async () => {
    const moved = path.join(folder, "moved.jsonl");
    renameSync(file, moved);
    await engine.context.conversations.import(moved);
    const now = await contentOf(engine);
    await change("content = 'x', encoding = 'text'", 4);
    expect(await repair()).toMatchObject({ ok: true, problems: [], lost: [] });
    expect(await contentOf(engine)).toBe(now);
  });

  it("are not looked at by an import of the file, which says of the file alone that it is unchanged", async () => {
    await change("content = 'x', encoding = 'text'", 4);
    expect(await engine.context.conversations.import(file)).toMatchObject({
      status: "unchanged",
      imported: 0,
    });
    expect((await runOperation(verify, engine, {})).problems).toContainEqual(
      expect.objectContaining({ seq: 4, repairable: true }),
    );
    expect(await repair()).toMatchObject({ ok: true, problems: [], lost: [] });
    expect(await contentOf(engine)).toBe(before);
  });

  it("are named when the transcript is written while one of them is changed", async () => {
    await change("content = 'x', encoding = 'text'", 4);
    const pieces: Uint8Array[] = [];
    const writing = (async () => {
      for await (const piece of engine.context.conversations.transcript({ conversation: id }))
        pieces.push(piece);
    })();
    await expect(writing).rejects.toMatchObject({
      code: "store-corrupt",
      message: `line 5 of transcript 1 of ${id} differs from the imported line`,
    });
    expect(Buffer.concat(pieces).toString()).toContain("the last words");
  });

  it("are named and stay as they are while the file is gone", async () => {
    renameSync(file, `${file}.moved`);
    await lose(2, 3);
    await change("content = 'x', encoding = 'text'", 6);
    const damaged = messagesIn(await contentOf(engine));
    const { ok, problems } = await repair();
    expect(ok).toBe(false);
    expect(problems.filter(({ check }) => check === "chain")).toMatchObject([
      { seq: 2, message: "messages 2 to 3 are missing", repairable: false },
      { seq: 4, repairable: false },
      { seq: 6, message: "its content has changed (hash mismatch)", repairable: false },
      { seq: null, message: expect.stringMatching(/^its token count says /), repairable: false },
    ]);
    expect(messagesIn(await contentOf(engine))).toEqual(damaged);
    renameSync(`${file}.moved`, file);
    expect(await repair()).toMatchObject({ ok: true, problems: [] });
    expect(await contentOf(engine)).toBe(before);
  });

  it("come back up to the first that the file no longer has", async () => {
    writeFileSync(file, transcript().replace(/.*long result.*\n/, ""));
    await lose(2, 3, 4);
    const { problems } = await repair();
    expect(problems.filter(({ check }) => check === "chain")).toMatchObject([
      { seq: 3, message: "messages 3 to 4 are missing", repairable: false },
      { seq: 5, repairable: false },
    ]);
    expect(await archiveOf(engine.store)).toContain("I look it up.");
  });

  // promise: copies
  it("do not come back once they are erased, though the file still has them", async () => {
    await engine.context.erase({ conversation: id, from: 2, to: 2 });
    await lose(2, 4);
    const { ok, problems } = await repair();
    expect(ok).toBe(false);
    expect(problems).toContainEqual(
      expect.objectContaining({ seq: 2, message: "message 2 is missing", repairable: false }),
    );
    const archive = await archiveOf(engine.store);
    expect(archive).not.toContain("I look it up.");
    const lines = await other.query(
      `SELECT count(*) AS count FROM transcript_lines WHERE ${other.dialect.seq("transcript_lines")} = 2
        AND (message_salt IS NOT NULL OR message_time IS NOT NULL)`,
    );
    expect(Number(lines[0]?.count)).toBe(0);
  });
});
