import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, open } from "../../src/index.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { archiveOf } from "./archive-of.ts";

/** How each host writes the n-th message of a session. */
const HOSTS: Record<string, (words: string, n: number) => object> = {
  "Claude Code": (words, n) => ({
    type: "user",
    uuid: `u${n}`,
    parentUuid: n === 0 ? null : `u${n - 1}`,
    sessionId: "claude-session",
    timestamp: "2026-03-01T10:00:00.000Z",
    message: { role: "user", content: words },
  }),
  Codex: (words) => ({
    timestamp: "2026-03-01T10:00:00.000Z",
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text: words }] },
  }),
  pi: (words, n) => ({
    type: "message",
    id: `e${n}`,
    parentId: n === 0 ? null : `e${n - 1}`,
    timestamp: "2026-03-01T10:00:00.000Z",
    message: { role: "user", content: words },
  }),
  neutral: (words) => ({ role: "user", content: words }),
};

describe.each(ENGINES)("a transcript with lines that cannot be read, on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let folder: string;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    folder = temporaryFolder();
    engine = await open({ store: place.store, background: "off" });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.entries(HOSTS))("of %s: the rest is imported, and they are named", async (host, message) => {
    const file = path.join(folder, `${host}.jsonl`);
    const line = (words: string, n: number) => JSON.stringify(message(words, n));
    const torn = line("torn and completed", 3);
    writeFileSync(
      file,
      Buffer.concat([
        Buffer.from(`${line("first", 0)}\n`),
        Buffer.from(`${line("secret words, broken", 1).slice(0, -5)}\n`),
        Buffer.from(`${line("glued", 1)}${line("together", 2)}\n`),
        Buffer.from(`${line("second", 1)}\n["a list"]\n"text"\nnull\n`),
        Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x0a]),
        Buffer.from(`${line("third", 2)}\n${torn.slice(0, torn.length / 2)}`),
      ]),
    );
    const report = await engine.context.conversations.import(file);
    expect(report).toMatchObject({ status: "imported", imported: 3 });
    expect(report.unreadable.map(({ line }) => line)).toEqual([2, 3, 5, 6, 7, 8, 10]);
    for (const { problem } of report.unreadable) expect(problem).not.toBe("");
    expect(JSON.stringify(report)).not.toContain("secret words");
    await expectFile(file, ["first", "second", "third"]);

    const before = await archiveOf(engine.store);
    expect(await engine.context.conversations.import(file)).toMatchObject({
      status: "unchanged",
      imported: 0,
    });
    expect(withoutTimes(await archiveOf(engine.store))).toBe(withoutTimes(before));

    appendFileSync(file, `${torn.slice(torn.length / 2)}\n${line("fourth", 4)}\n`);
    const later = await engine.context.conversations.import(file);
    expect(later).toMatchObject({ status: "imported", file: "grown", imported: 2, unreadable: [] });
    await expectFile(file, ["first", "second", "third", "torn and completed", "fourth"]);

    const after = await archiveOf(engine.store);
    expect(await engine.context.conversations.import(file)).toMatchObject({
      status: "unchanged",
      imported: 0,
    });
    expect(await archiveOf(engine.store)).toBe(after);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it("counts them for as long as they are there", async () => {
    const { unreadableLines } = await engine.store.info();
    expect(unreadableLines).toBe(6 * Object.keys(HOSTS).length);
  });

  it("refuses a time in our own format that cannot be read, and names it (promise: refused)", async () => {
    const file = path.join(folder, "times.jsonl");
    const lines = ["2026-02-28", "2026-02-30", 17, null, {}].map((createdAt) =>
      JSON.stringify({ role: "user", content: "said then", createdAt }),
    );
    writeFileSync(file, `${lines.join("\n")}\n`);
    const { conversation, imported, unreadable } = await engine.context.conversations.import(file);
    expect(imported).toBe(3);
    expect(unreadable).toEqual([
      { line: 2, problem: 'createdAt "2026-02-30" is not a time' },
      { line: 5, problem: "createdAt {} is not a time" },
    ]);
    const { messages } = await engine.context.read({ conversation: conversation ?? "" });
    expect(messages[0]?.createdAt).toBe("2026-02-28T00:00:00.000Z");
  });

  /** The file comes out byte for byte, and its messages are these. */
  async function expectFile(file: string, words: readonly string[]): Promise<void> {
    const { conversation } = await engine.context.conversations.import(file);
    const pieces: Uint8Array[] = [];
    for await (const piece of engine.context.conversations.transcript({ conversation: conversation ?? "" }))
      pieces.push(piece);
    expect(Buffer.concat(pieces).equals(readFileSync(file))).toBe(true);
    const { messages } = await engine.context.read({ conversation: conversation ?? "" });
    const said = messages.map(({ parts }) =>
      parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
    );
    expect(said.flat()).toEqual(words);
    expect(messages.every(({ excluded }) => excluded === null)).toBe(true);
  }
});

/** A torn line is read again each time, and the time of that is noted. */
function withoutTimes(archive: string): string {
  return archive.replaceAll(/"(updatedAt|sha256)":"[^"]*"/g, "");
}
