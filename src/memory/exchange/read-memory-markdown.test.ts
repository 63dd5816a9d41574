import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMemoryMarkdown } from "./read-memory-markdown.ts";
import { collect } from "./testing/sample-memories.ts";

async function read(file: string, name = "MEMORY.md") {
  const items = await collect(readMemoryMarkdown(file.split("\n"), { name }));
  return {
    memories: items.flatMap((item) => ("memory" in item ? [item.memory] : [])),
    problems: items.flatMap((item) => ("problem" in item ? [`${item.line} ${item.problem}`] : [])),
    lines: items.map(({ line }) => line),
  };
}

const MEMORY = `# MEMORY.md

Long-term notes that I keep for Anna.

## Preferences

- Prefers short answers
- **Editor:** Helix
  with the gruvbox theme
  - no mouse
  - font size 14

    \`\`\`toml
    theme = "gruvbox"
    \`\`\`
* [x] Told her about the new menu

## Lessons learned

1. Run the migration before the deploy,
or the health check fails.
2. ok

\`\`\`sh
- not a memory
\`\`\`

- [Docs](https://example.com) [[Other note]]
-
| a | b |
<!-- a
comment -->
- 喜欢绿茶和乌龙茶
`;

describe("notes in Markdown", () => {
  it("become memories by their items and paragraphs, with what is nested in them", async () => {
    const { memories } = await read(MEMORY);
    expect(
      memories.map(({ abstract, content, category, tags }) => ({ abstract, content, category, tags })),
    ).toEqual([
      { abstract: "Long-term notes that I keep for Anna.", content: "", category: "patterns", tags: [] },
      { abstract: "Prefers short answers", content: "", category: "preferences", tags: ["preferences"] },
      {
        abstract: "**Editor:** Helix with the gruvbox theme",
        content: '- no mouse\n- font size 14\n\n  ```toml\n  theme = "gruvbox"\n  ```',
        category: "preferences",
        tags: ["preferences"],
      },
      {
        abstract: "Told her about the new menu",
        content: "",
        category: "preferences",
        tags: ["preferences", "done"],
      },
      {
        abstract: "Run the migration before the deploy, or the health check fails.",
        content: "",
        category: "cases",
        tags: ["lessons learned"],
      },
      { abstract: "喜欢绿茶和乌龙茶", content: "", category: "cases", tags: ["lessons learned"] },
    ]);
  });

  it("tell the lines that they pass over, and why", async () => {
    expect((await read(MEMORY)).problems).toEqual([
      "22 is shorter than 5 characters: skipped",
      "24 is a block of code: skipped",
      "28 contains only links: skipped",
      "29 has no text: skipped",
      "30 is a row of a table: skipped",
      "31 is a comment: skipped",
    ]);
  });

  it.each([
    ["memory/2026-03-01.md", "2026-03-01T00:00:00.000Z"],
    ["C:\\notes\\2026-03-01-standup.md", "2026-03-01T00:00:00.000Z"],
    ["memory/2026-13-45.md", null],
    ["memory/2026-02-31.md", null],
    ["2025-01-01/MEMORY.md", null],
    ["MEMORY.md", null],
  ])("in %s are of %j", async (name, expected) => {
    const { memories } = await read("- Met Eve about the launch", name);
    expect(memories).toMatchObject([
      { createdAt: expected, validFrom: expected, category: "events", scope: null },
    ]);
  });

  it("are dated by the head of the file, whose other fields are told", async () => {
    const { memories, problems } = await read(
      "---\nname: Notes\ndate: 2026-04-05\n---\n- Something happened",
      "a.md",
    );
    expect(memories).toMatchObject([{ createdAt: "2026-04-05T00:00:00.000Z" }]);
    expect(problems).toEqual(["2 is a front matter field: skipped"]);
  });

  it("have the same ids wherever they stand, so that reading them again changes nothing", async () => {
    const one = await read("- Prefers short answers");
    const other = await read("# Other\n\n* Prefers short answers\n", "2026-01-01.md");
    expect(one.memories[0]?.id).toBe(other.memories[0]?.id);
  });

  it("keep long paragraphs whole, below their first sentence", async () => {
    const text = `First sentence. ${"More of it follows here. ".repeat(40)}`.trim();
    expect((await read(text)).memories).toMatchObject([{ abstract: "First sentence.", content: text }]);
  });

  it("lose no word, whatever the lines are: it is in a memory or its block is told", async () => {
    const line = fc.tuple(
      fc.constantFrom("- ", "  - ", "* ", "", "> ", "1. ", "    ", "\t", "- [ ] "),
      fc.stringMatching(/^w[a-z]{6,9}$/),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(line, fc.constant(["", ""] as const)), { maxLength: 12 }),
        async (rows) => {
          const { memories, problems } = await read(rows.map((row) => row.join("")).join("\n"));
          const kept = memories.map(({ abstract, content }) => `${abstract}\n${content}`).join("\n");
          for (const [, word] of rows) expect(kept).toContain(word);
          expect(problems).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("end where the file does, also in an open block of code", async () => {
    expect((await read("```\n- a\n- b")).problems).toEqual(["1 is a block of code: skipped"]);
    expect((await read("---\nname: x")).problems).toHaveLength(1);
    expect(await read("")).toMatchObject({ memories: [], problems: [] });
  });
});
