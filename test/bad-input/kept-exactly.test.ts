import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, open } from "../../src/index.ts";
import { times } from "../run-length.ts";
import { ENGINES, type Place, steadyClock, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const LINE_MEGABYTES = times({ short: 40, long: 200 });

async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}

/** A transcript with one line of this size that hardly compresses, as images in messages are, piece by piece. */
async function writeLargeLine(file: string, megabytes: number): Promise<void> {
  const stream = createWriteStream(file);
  stream.write('{"role":"user","content":"before"}\n{"role":"user","content":"');
  for (let i = 0; i < megabytes; i++)
    if (!stream.write(randomBytes(786_432).toString("base64"))) await once(stream, "drain");
  stream.end('"}\n{"role":"user","content":"after"}\n');
  await once(stream, "finish");
}

describe.each(ENGINES)("kept exactly on %s", (name) => {
  let place: Place;
  let engine: Engine;
  const folder = temporaryFolder();
  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({
      store: place.store,
      clock: steadyClock(),
      background: "off",
      config: { logLevel: "silent" },
    });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["NUL", "a\0b"],
    ["lone surrogates", "\ud800 and \udfff"],
    ["line and paragraph separators", "a\u2028b\u2029c\u0085d"],
    ["a byte order mark", "\ufefftext"],
    ["combining marks and emoji", "e\u0301 👩‍👩‍👧‍👦 🇯🇵"],
    ["terminal escapes", "\u001b[31mred\u001b[0m\u0007"],
  ])("%s in a message", async (what, text) => {
    const message = { role: "user", content: [{ type: "text", text, [text]: text }] };
    await engine.context.commitTurn({ conversation: what, key: "t", messages: [message] });
    const [back] = (await engine.context.read({ conversation: what })).messages;
    expect(back?.value).toEqual(message);
    expect(back?.original).toBe(JSON.stringify(message));
  });

  it.each([
    [
      "invalid UTF-8",
      Buffer.from(
        '{"role":"user","content":"\xff\xfe\x80 broken"}\n{"role":"user","content":"fine"}\n',
        "latin1",
      ),
    ],
    [
      "a NUL byte",
      Buffer.from('{"role":"user","content":"a\0b"}\n{"role":"user","content":"fine"}\n', "latin1"),
    ],
    ["CRLF", Buffer.from('{"role":"user","content":"one"}\r\n{"role":"user","content":"fine"}\r\n')],
    [
      "a byte order mark",
      Buffer.from('\ufeff{"role":"user","content":"one"}\n{"role":"user","content":"fine"}\n'),
    ],
    [
      "escapes that another writer chose",
      Buffer.from('{"role":"user" , "content":"\\u00e9 \\/ 1.0","n":1.0}\n{"role":"user","content":"fine"}'),
    ],
    [
      "surrogates as bytes and no last line feed",
      Buffer.from('{"role":"user","content":"fine"}\n{"role":"user","content":"\xed\xa0\x80"}', "latin1"),
    ],
    ["blank lines", Buffer.from('\n\n{"role":"user","content":"fine"}\n  \n\n')],
  ])("a transcript with %s (promise: transcript)", async (what, bytes) => {
    const file = path.join(folder, `${name}-${what.replaceAll(/[^a-z]/gi, "-")}.jsonl`);
    writeFileSync(file, bytes);
    const { conversation } = await engine.context.conversations.import(file);
    const back = await hashOf(engine.context.conversations.transcript({ conversation: conversation ?? "" }));
    expect(back).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  it.each([
    ["yesterday", "yesterday"],
    ["a year that is too large", "+275760-09-13T00:00:00.000Z"],
    ["the year zero", "0000-01-01T00:00:00Z"],
    ["a negative number", -5e15],
    ["seconds", 1_772_359_200],
    ["milliseconds", 1_772_359_200_000],
    ["null", null],
    ["nothing", undefined],
    ["an object", { at: 1 }],
  ])("the strange time %s", async (what, createdAt) => {
    const file = path.join(folder, `${name}-time-${what.replaceAll(" ", "-")}.jsonl`);
    const line = JSON.stringify({ role: "user", content: "x", createdAt });
    writeFileSync(file, `${line}\n`);
    const { conversation, unreadable } = await engine.context.conversations.import(file);
    const [message] = (await engine.context.read({ conversation: conversation ?? "" })).messages;
    const back = await hashOf(engine.context.conversations.transcript({ conversation: conversation ?? "" }));
    expect(back).toBe(createHash("sha256").update(`${line}\n`).digest("hex"));
    if (!["seconds", "milliseconds", "null", "nothing"].includes(what)) {
      expect(unreadable).toEqual([{ line: 1, problem: expect.stringContaining("is not a time") }]);
      expect(message).toBeUndefined();
      return;
    }
    expect(message?.original).toBe(line);
    const isReadable = what === "seconds" || what === "milliseconds";
    expect(message?.createdAt).toMatch(
      isReadable ? /^2026-03-01T10:00:00.000Z$/ : /^2026-03-01T1\d:\d\d:\d\d.000Z$/,
    );
  });

  it(`a line of ${LINE_MEGABYTES} MB, with its neighbours`, async () => {
    const file = path.join(folder, `${name}-large.jsonl`);
    await writeLargeLine(file, LINE_MEGABYTES);
    const report = await engine.context.conversations.import(file);
    expect(report).toMatchObject({ imported: 3, unreadable: [] });
    const [back, there] = await Promise.all([
      hashOf(engine.context.conversations.transcript({ conversation: report.conversation ?? "" })),
      hashOf(createReadStream(file)),
    ]);
    expect(back).toBe(there);
  }, 180_000);

  it("all of it, as verify says", async () => {
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  }, 180_000);
});
