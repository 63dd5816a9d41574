import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonl } from "./read-jsonl.ts";
import { anyMemories, collect, linesOf, NOW, sampleMemory } from "./testing/sample-memories.ts";
import { writeJsonl } from "./write-jsonl.ts";

describe("memories as lines of JSON", () => {
  it("come back exactly, whatever their words are", async () => {
    await fc.assert(
      fc.asyncProperty(anyMemories, async (memories) => {
        const pieces = await collect(writeJsonl(memories, { exportedAt: NOW }));
        const items = await collect(readJsonl(linesOf(pieces.join(""))));
        expect(items).toEqual(memories.map((memory, index) => ({ line: index + 2, memory })));
      }),
      { numRuns: 300 },
    );
  });

  it("begin with what they are and end with their number", async () => {
    const lines = await collect(writeJsonl([sampleMemory()], { exportedAt: NOW }));
    expect(lines[0]).toBe(`{"palimpsest":"memories","version":1,"exportedAt":"${NOW}"}\n`);
    expect(lines.at(-1)).toBe('{"palimpsest":"end","memories":1}\n');
  });

  it("are written one at a time, however many there are", async () => {
    let asked = 0;
    async function* endless() {
      for (;;) yield sampleMemory({ accessCount: ++asked });
    }
    const lines = writeJsonl(endless(), { exportedAt: NOW });
    for (let i = 0; i < 3; i++) await lines.next();
    expect(asked).toBe(2);
  });

  it("have no cap: 5,000 go out and come back", async () => {
    const many = Array.from({ length: 5_000 }, () => sampleMemory());
    const items = await collect(
      readJsonl((await collect(writeJsonl(many, { exportedAt: NOW }))).map((line) => line.slice(0, -1))),
    );
    expect(items.filter((item) => "memory" in item)).toHaveLength(5_000);
  });
});
