import { appendFileSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Line } from "../../../text/split-lines.ts";
import { type ReadLinesOptions, readLines } from "./read-lines.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "read-lines-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: Uint8Array | string): string {
  const path = join(folder, "transcript.jsonl");
  writeFileSync(path, content);
  return path;
}

async function linesOf(path: string, options: ReadLinesOptions = {}): Promise<Line[]> {
  return collect(readLines(path, options));
}

async function collect(reader: AsyncIterable<Line>): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of reader) lines.push(line);
  return lines;
}

/** A simple implementation, with the whole file in memory. */
function splitAtLineFeeds(content: Uint8Array): Line[] {
  const lines: Line[] = [];
  let offset = 0;
  for (let at = 0; at < content.length; at++) {
    if (content[at] !== 0x0a) continue;
    lines.push({ bytes: content.slice(offset, at), offset, terminated: true });
    offset = at + 1;
  }
  if (offset < content.length) lines.push({ bytes: content.slice(offset), offset, terminated: false });
  return lines;
}

/** Mostly line feeds, carriage returns, NUL, and bytes that are not UTF-8. */
const awkwardBytes = fc
  .array(fc.oneof(fc.constantFrom(0x0a, 0x0a, 0x0d, 0x00, 0xff, 0xc3, 0x41), fc.nat(255)), {
    maxLength: 300,
    size: "max",
  })
  .map((bytes) => Uint8Array.from(bytes));

describe("reading the lines of a file", () => {
  it("gives the same as splitting at line feeds, for any bytes and any size of read", async () => {
    await fc.assert(
      fc.asyncProperty(awkwardBytes, fc.integer({ min: 1, max: 40 }), async (content, chunkBytes) => {
        expect(await linesOf(fileOf(content), { chunkBytes })).toEqual(splitAtLineFeeds(content));
      }),
      { numRuns: 300 },
    );
  });

  it("can start at any line, with offsets from the start of the file", async () => {
    await fc.assert(
      fc.asyncProperty(awkwardBytes, fc.nat(), async (content, choice) => {
        const lines = splitAtLineFeeds(content);
        const first = lines.length === 0 ? 0 : choice % lines.length;
        const from = lines[first]?.offset ?? 0;
        expect(await linesOf(fileOf(content), { from, chunkBytes: 7 })).toEqual(lines.slice(first));
      }),
      { numRuns: 100 },
    );
  });

  it("keeps lines intact after the next ones were read", async () => {
    const lines = await linesOf(fileOf("first\nsecond\nthird"), { chunkBytes: 4 });
    expect(lines.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(["first", "second", "third"]);
  });

  it("reads a line that is much longer than one read in linear time", { timeout: 60_000 }, async () => {
    const length = 40_000_000;
    const content = Buffer.alloc(length + 3, "x");
    content.write("\ny", length);
    content.write("\n", length + 2);
    const lines = await linesOf(fileOf(content), { chunkBytes: 4_096 });
    expect(lines.map(({ bytes }) => bytes.length)).toEqual([length, 1]);
  });

  it("goes on in the file it opened when the name is given to another one", async () => {
    const path = fileOf("a\nb\nc\n");
    const reader = readLines(path, { chunkBytes: 2 });
    await reader.next();
    writeFileSync(`${path}.new`, "other\n");
    renameSync(`${path}.new`, path);
    const rest = await collect(reader);
    expect(rest.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(["b", "c"]);
  });

  it("sees what is appended while it reads", async () => {
    const path = fileOf("a\n");
    const reader = readLines(path);
    await reader.next();
    appendFileSync(path, "b\n");
    expect((await reader.next()).value).toMatchObject({ offset: 2, terminated: true });
  });

  it("closes its descriptor also when the caller stops early", async () => {
    const path = fileOf("a\nb\n");
    const before = readdirSync("/proc/self/fd").length;
    for (let turn = 0; turn < 20; turn++) for await (const _ of readLines(path)) break;
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before + 1);
  });

  it("stops with `cancelled` when it is told to", async () => {
    const path = fileOf("a\nb\nc\n");
    const controller = new AbortController();
    const reader = readLines(path, { chunkBytes: 2, signal: controller.signal });
    await reader.next();
    controller.abort();
    await expect(collect(reader)).rejects.toMatchObject({ code: "cancelled" });
  });

  it("says when there is no such file, and when it is a folder", async () => {
    await expect(linesOf(join(folder, "nowhere.jsonl"))).rejects.toMatchObject({ code: "not-found" });
    await expect(linesOf(folder)).rejects.toMatchObject({ code: "invalid-input" });
  });
});
