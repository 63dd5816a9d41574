import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMarkdown } from "./read-markdown.ts";
import { anyMemories, collect, linesOf, memoryId, NOW, sampleMemory } from "./testing/sample-memories.ts";
import { writeMarkdown } from "./write-markdown.ts";

const FILE = [
  ...writeMarkdown(
    [
      sampleMemory({ content: "Line one.  \r\nLine two." }),
      sampleMemory({
        id: memoryId(2),
        category: "profile",
        abstract: "Lives in Graz",
        overview: "",
        content: "",
      }),
      sampleMemory({
        id: memoryId(3),
        abstract: "Editor: prefers Vim",
        invalidatedAt: NOW,
        supersededBy: memoryId(1),
      }),
    ],
    { exportedAt: NOW },
  ),
].join("");

async function read(file: string) {
  const items = await collect(readMarkdown(linesOf(file)));
  return {
    memories: items.flatMap((item) => ("memory" in item ? [item.memory] : [])),
    problems: items.flatMap((item) => ("problem" in item ? [`${item.line} ${item.problem}`] : [])),
  };
}

async function readWith(before: string, after: string) {
  expect(FILE).toContain(before);
  return read(FILE.replace(before, after));
}

describe("Markdown that somebody changed", () => {
  it("replaces the memory whose words are other ones, and leaves the rest", async () => {
    const { memories, problems } = await readWith("- Lives in Graz", "- Lives in Vienna");
    expect(problems).toEqual([]);
    const changed = memories.find(({ abstract }) => abstract === "Lives in Vienna");
    expect(changed).toMatchObject({
      replaces: memoryId(2),
      scope: "user:anna",
      category: "profile",
      tier: "core",
    });
    expect(changed).toMatchObject({
      origin: "manual",
      sources: [],
      events: [],
      accessCount: 0,
      createdAt: null,
    });
    expect(memories.filter(({ replaces }) => replaces === null).map(({ id }) => id)).toEqual([
      memoryId(1),
      memoryId(3),
    ]);
  });

  it("gives a changed memory the same id every time, and another one for other words", async () => {
    const idOf = async (words: string) => (await readWith("- Lives in Graz", words)).memories[0]?.id;
    expect(await idOf("- Lives in Vienna")).toBe(await idOf("- Lives in Vienna"));
    expect(await idOf("- Lives in Vienna")).not.toBe(await idOf("- Lives in Linz"));
  });

  it("keeps the levels exactly that were not changed", async () => {
    const { memories } = await readWith("- with **vim** keys", "- with its own keys");
    expect(memories.find(({ replaces }) => replaces === memoryId(1))).toMatchObject({
      abstract: "Editor: prefers Helix",
      overview: "- since 2025\n- with its own keys",
      content: "Line one.  \r\nLine two.",
    });
  });

  it("takes words that were put behind the comment", async () => {
    const { memories } = await read(
      FILE.replace(/(- Lives in Graz\n.*-->\n)/, "$1\n  Since 2020, near the river.\n"),
    );
    expect(memories.find(({ replaces }) => replaces === memoryId(2))?.overview).toBe(
      "Since 2020, near the river.",
    );
  });

  it("adds items without a comment, with what is indented below them", async () => {
    const added =
      "### Preferences\n\n- Likes tea,\n  green tea above all\n\n  - not after six\n\n  <!-- in full -->\n\n  A story.\n* Hates spam\n";
    const { memories, problems } = await readWith("### Preferences\n", added);
    expect(problems).toEqual([]);
    const isNew = memories.filter(({ origin }) => origin === "manual");
    expect(isNew).toMatchObject([
      {
        abstract: "Likes tea, green tea above all",
        overview: "- not after six",
        content: "A story.",
        replaces: null,
      },
      { abstract: "Hates spam", overview: "", scope: "user:anna", category: "preferences", tier: null },
    ]);
  });

  it("changes one memory alone, whatever the words of the others are", async () => {
    await fc.assert(
      fc.asyncProperty(anyMemories, async (others) => {
        const mine = sampleMemory({ id: `mem_${"f".repeat(16)}`, abstract: "Marked words" });
        const file = [...writeMarkdown([...others, mine], { exportedAt: NOW })].join("");
        const { memories, problems } = await read(file.replace("- Marked words", "- Other words"));
        expect(problems).toEqual([]);
        expect(memories.filter(({ replaces }) => replaces !== null)).toMatchObject([{ replaces: mine.id }]);
        const kept = new Map(memories.map((memory) => [memory.id, memory]));
        for (const other of others) expect(kept.get(other.id)).toMatchObject(other);
      }),
    );
  });

  it("does not mention what was deleted", async () => {
    const { memories, problems } = await read(FILE.replace(/- Lives in Graz\n.*-->\n/, ""));
    expect(memories.map(({ id }) => id)).toEqual([memoryId(1), memoryId(3)]);
    expect(problems).toEqual([]);
  });

  it("moves a memory to the category under which it stands now", async () => {
    const { memories } = await readWith("### Profile", "### Entities");
    expect(memories[0]).toMatchObject({ id: memoryId(2), category: "entities", replaces: null });
  });

  it.each([
    ["a paragraph outside of the lists", "### Profile", "### Profile\n\nHello there", /belongs to no entry/],
    ["a comment that is broken", '"tier":"core"', '"tier":"cor', /does not describe the entry/],
    ["a comment with another field", '"tier":"core"', '"mood":1,"tier":"core"', /does not take "mood"/],
    ["a comment without the words' mark", '"written":', '"wrote":', /does not take "wrote"/],
    ["other words for what is not in force", "prefers Vim", "prefers Emacs", /is no longer active/],
    ["an entry without words", "- Lives in Graz", "- ", /without its first sentence/],
    ["an item without words", "### Profile\n", "### Profile\n\n-\n", /has no text/],
    ["another scope", "## user:anna", "## user:eve", /stays in its scope/],
    ["an item under a heading that is no scope", "### Profile", "## Friends\n\n- Eve is tall", /not a scope/],
  ])("tells the line of %s", async (_, before, after, expected) => {
    const { problems } = await readWith(before, after);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join("\n")).toMatch(expected);
  });

  it("is not read where a newer version wrote it", async () => {
    const { memories, problems } = await readWith('"version":1', '"version":2');
    expect(memories).toEqual([]);
    expect(problems).toEqual(["1 was written by a newer version: update Palimpsest"]);
  });
});
