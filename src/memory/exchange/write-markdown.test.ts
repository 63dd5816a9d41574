import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importedMemory } from "./imported-memory.ts";
import { readMarkdown } from "./read-markdown.ts";
import { anyMemories, collect, linesOf, memoryId, NOW, sampleMemory } from "./testing/sample-memories.ts";
import { writeMarkdown } from "./write-markdown.ts";

function fileOf(...memories: Parameters<typeof writeMarkdown>[0][]): string {
  return [
    ...writeMarkdown(
      memories.flatMap((some) => [...some]),
      { exportedAt: NOW },
    ),
  ].join("");
}

/** What editors and version control do to every line. */
const HABITS: readonly (readonly [string, (file: string) => string])[] = [
  ["as it is", (file) => file],
  ["with carriage returns", (file) => file.replaceAll("\n", "\r\n")],
  ["without spaces at line ends", (file) => file.replaceAll(/[ \t]+(?=\n|$)/g, "")],
  ["with a byte order mark", (file) => `\ufeff${file}`],
];

describe("memories as Markdown", () => {
  it.each(HABITS)("come back exactly, whatever their words are: %s", async (_, habit) => {
    await fc.assert(
      fc.asyncProperty(anyMemories, async (memories) => {
        const items = await collect(readMarkdown(linesOf(habit(fileOf(memories)))));
        const read = new Map(items.map((item) => ["memory" in item ? item.memory.id : item.problem, item]));
        expect(read.size).toBe(memories.length);
        for (const memory of memories)
          expect(read.get(memory.id)).toMatchObject({ memory: importedMemory(memory) });
      }),
      { numRuns: 250 },
    );
  });

  it("read like notes that somebody wrote", () => {
    const file = fileOf([
      sampleMemory(),
      sampleMemory({
        id: memoryId(2),
        category: "profile",
        abstract: "Lives in Graz",
        overview: "",
        content: "",
      }),
      sampleMemory({
        id: memoryId(3),
        scope: "global",
        abstract: "Old",
        invalidatedAt: NOW,
        supersededBy: memoryId(1),
      }),
      sampleMemory({
        id: memoryId(4),
        scope: "global",
        ...{ abstract: "", overview: "", content: "", tags: [] },
        erasedAt: NOW,
      }),
    ]);
    const withoutComments = file.replaceAll(/ *<!-- palimpsest .*-->\n/g, "");
    expect(withoutComments.slice(withoutComments.indexOf("## "))).toBe(`## global

### No longer active

- Old

  - since 2025
  - with **vim** keys

  <!-- in full -->

  Anna said that she left VS Code for Helix in March 2025.

- (erased)

## user:anna

### Profile

- Lives in Graz

### Preferences

- Editor: prefers Helix

  - since 2025
  - with **vim** keys

  <!-- in full -->

  Anna said that she left VS Code for Helix in March 2025.
`);
  });

  it("never let words end a comment, nor hide in one", () => {
    fc.assert(
      fc.property(anyMemories, (memories) => {
        for (const line of fileOf(memories)
          .split("\n")
          .filter((text) => text.startsWith('  <!-- palimpsest {"id":"mem_0'))) {
          const inside = line.slice("  <!--".length, -"-->".length);
          expect(inside).not.toMatch(/--|[<>]|[\u2028\u202e\ufeff]/);
        }
      }),
    );
  });

  it("do not repeat plain words in the comment", () => {
    expect(fileOf([sampleMemory()]).split("Anna said").length).toBe(2);
  });
});
