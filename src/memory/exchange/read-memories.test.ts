import { describe, expect, it } from "vitest";
import { EXCHANGE_FORMATS, FORMAT_LOSSES } from "./exchange-formats.ts";
import { readMemories } from "./read-memories.ts";
import { collect, linesOf, memoryId, NOW, sampleMemory } from "./testing/sample-memories.ts";
import { textLines } from "./text-lines.ts";
import { writeJsonl } from "./write-jsonl.ts";
import { writeMarkdown } from "./write-markdown.ts";

const CONTEXT = { name: "file" };

describe("memories from any file", () => {
  it("are the same from both of our own forms", async () => {
    const memories = [sampleMemory(), sampleMemory({ id: memoryId(2) })];
    const jsonl = (await collect(writeJsonl(memories, { exportedAt: NOW }))).join("");
    const markdown = [...writeMarkdown(memories, { exportedAt: NOW })].join("");
    const read = async (format: "palimpsest-jsonl" | "palimpsest-markdown", file: string) =>
      (await collect(readMemories(format, linesOf(file), CONTEXT))).map((item) =>
        "memory" in item ? item.memory : item,
      );
    expect(await read("palimpsest-markdown", markdown)).toEqual(await read("palimpsest-jsonl", jsonl));
    expect(await read("palimpsest-jsonl", jsonl)).toMatchObject(memories);
  });

  it("are given once, and told where they stand again", async () => {
    const lines = ['{"id":"a","text":"One"}', '{"id":"a","text":"Two"}', '{"id":"b","text":"Three"}'];
    expect(await collect(readMemories("lancedb-pro", lines, CONTEXT))).toMatchObject([
      { line: 1, memory: { abstract: "One" } },
      { line: 2, problem: expect.stringMatching(/^repeats mem_[0-9a-f]{16} of line 1$/) },
      { line: 3, memory: { abstract: "Three" } },
    ]);
  });

  it("are replaced once: an entry that was copied and changed is told", async () => {
    const file = [...writeMarkdown([sampleMemory()], { exportedAt: NOW })].join("");
    const entry = file.slice(file.indexOf("- Editor"));
    const items = await collect(
      readMemories("palimpsest-markdown", linesOf(`${file}\n${entry.replace("Helix", "Vim")}`), CONTEXT),
    );
    expect(items).toMatchObject([
      { memory: { replaces: null } },
      { problem: expect.stringContaining("repeats") },
    ]);
  });

  it.each(EXCHANGE_FORMATS)("in the form %s survive input that makes no sense", async (format) => {
    const hostile = [
      "\0",
      "{",
      "[[[[",
      "]",
      '"',
      "-->",
      "<!-- palimpsest {} -->",
      "- ".repeat(1000),
      "x".repeat(1_000_000),
    ];
    const items = await collect(readMemories(format, hostile, CONTEXT));
    for (const item of items) expect("problem" in item ? item.problem.length : 0).toBeLessThan(400);
    expect(FORMAT_LOSSES[format].length).toBeGreaterThan(0);
  });

  it("come from bytes that are UTF-8, and from no others", async () => {
    async function* bytes(...chunks: Uint8Array[]) {
      yield* chunks;
    }
    const euro = Buffer.from("- tea for 5 €\r\n- more");
    expect(await collect(textLines(bytes(euro.subarray(0, 13), euro.subarray(13))))).toEqual([
      "- tea for 5 €\r",
      "- more",
    ]);
    await expect(collect(textLines(bytes(Buffer.from("a\n"), Buffer.from([0xff, 0xfe]))))).rejects.toThrow(
      "line 2 is not UTF-8",
    );
  });
});
