import { describe, expect, it } from "vitest";
import { exploreText } from "../testing/explore-text.ts";

const FILLER = "Nothing of note is said in this line of the text, which only fills the page.\n";

describe("prose", () => {
  it("in Markdown is described by headings with their lines", async () => {
    const text = `# Guide\n\nHow to set up the engine.\n\n## Install\n\n\`\`\`sh\n# not a heading\n\`\`\`\n\n## Use **it**\n\n- one\n- two\n\n### Deep\n`;
    const { kind, title, text: shown } = await exploreText(text, { name: "guide.md" });
    expect(kind).toBe("markdown");
    expect(title).toContain("4 headings, 1 code block");
    expect(shown).toContain("Guide (1)\n  Install (5)\n  Use it (11)\n    Deep (16)");
    expect(shown).not.toContain("not a heading");
  });

  it.each(["\n", "\r\n"])("has headings that are underlined, with lines that end in %j", async (end) => {
    const text = `---\ntitle: Settings of the page\n---\n\nThe **Guide**\n=====\n\nHow to set up the engine.\n\nINSTALL\n-------\n\n- one\n- two\n---\n\nThe first line of this,\nand the second one.\n---\n\nUse\n---\n\n### Deep\n\n\`\`\`\nnot one\n-------\n\`\`\`\n`;
    const { title, text: shown } = await exploreText(text.replaceAll("\n", end), { name: "guide.md" });
    expect(title).toContain("4 headings, 1 code block");
    expect(shown).toContain("The Guide (5)\n  INSTALL (10)\n  Use (21)\n    Deep (24)");
    expect(shown).not.toContain("title: Settings (");
    expect(shown).not.toContain("not one");
  });

  it("has underlined headings without a name too", async () => {
    const text = `Guide\n=====\n\n${FILLER}\nParts\n-----\n\n${FILLER}`;
    expect((await exploreText(text)).text).toContain("Guide (1)\n  Parts (6)");
    expect((await exploreText(`${text}\n- one\n- two\n`)).kind).toBe("markdown");
  });

  it("hides what stands under an underlined heading that announces a password", async () => {
    const { text } = await exploreText("Passwords\n---------\n\nSwordfish and other fish are in the sea.\n", {
      name: "notes.md",
    });
    expect(text).not.toContain("wordfish");
  });

  it("without marks has numbered headings and headings in capitals", async () => {
    const numbered = [1, 2, 3].map(
      (i) => `${i}. Part about engines\n\n${FILLER.repeat(3)}\n${i}.1 Detail of part\n\n${FILLER}\n`,
    );
    const { text } = await exploreText(numbered.join(""));
    expect(text).toContain("1. Part about engines (1)");
    expect(text).toContain("  1.1 Detail of part (7)");
    const capitals = await exploreText(`INTRODUCTION\n\n${FILLER}\nTHE END OF IT\n\n${FILLER}`);
    expect(capitals.text).toContain("INTRODUCTION (1)\nTHE END OF IT (5)");
  });

  it("of a book has its table of contents, with the lines where chapters begin", async () => {
    const names = ["Engines", "Turns", "Stores", "Indexes", "Summaries", "Windows", "Receipts"];
    const contents = names.map((name, i) => `${i + 1}   ${name} . . . . . . . . . . ${i + 3}`).join("\n");
    const chapters = names.map((name, i) => `${i + 1} ${name}\n\n${FILLER.repeat(40)}`).join("\n");
    const index = names.map((name) => `${name.toLowerCase()} . . . . . . 12`).join("\n");
    const { text } = await exploreText(`The Manual\n\n${contents}\n\n${chapters}\n${index}`, {
      name: "book.txt",
    });
    expect(text).toContain("Table of contents (lines in brackets):\n1 Engines (11)\n2 Turns (54)");
    expect(text).not.toContain("engines");
  });

  it.each([
    [
      "the store keeps every message",
      `${FILLER.repeat(2)}The store keeps every message that an agent has seen.\nEvery message in the store has an agent and a key.\nAgents read messages from the store.\n`,
    ],
    [
      "エンジン",
      "エンジンは記憶を保存する。\n記憶はエンジンが検索する。\nエンジンの記憶は消えない。\n".repeat(5),
    ],
  ])("has key sentences about %s", async (words, text) => {
    const shown = await exploreText(text);
    expect(shown.kind).toBe("text");
    expect(shown.text.toLowerCase()).toContain(words);
  });

  it.each([
    ["lines of their own", (i: number) => `word${i} is the number ${i} in a long list of words.\n`],
    [
      "two sentences a line",
      (i: number) =>
        `Place ${i} has a bridge near the river. Town ${i} lies on a far hill behind the forest.\n`,
    ],
    [
      "wrapped lines",
      (i: number) =>
        `Chapter ${i} tells of ships. Another part of chapter ${i} speaks about the engines\nof trains. Chapter ${i} also has an end with towns.\n${i % 9 === 0 ? "\n" : ""}`,
    ],
  ])("names the line on which a key sentence begins, with %s", async (_, lineOf) => {
    const text = Array.from({ length: 4_000 }, (__, i) => lineOf(i)).join("");
    const lines = text.split("\n");
    const key = [...(await exploreText(text)).text.matchAll(/^- (.+) \(line ([\d,]+)\)$/gm)];
    expect(key.length).toBeGreaterThan(3);
    for (const [, sentence = "", line = ""] of key) {
      const at = Number(line.replaceAll(",", "")) - 1;
      const from = lines[at]?.indexOf(sentence.slice(0, 14)) ?? -1;
      expect(from, `${sentence} (${line})`).toBeGreaterThanOrEqual(0);
      expect(`${lines[at]?.slice(from)} ${lines[at + 1]}`).toContain(sentence);
    }
  });

  it("drops the sentence behind one that announces a password", async () => {
    const { text } = await exploreText(
      "The engine reads its settings at the start of the day.\nThe password follows.\nSwordfish and other fish are in the sea.\n",
    );
    expect(text).not.toContain("wordfish");
  });

  it("of one long line is counted", async () => {
    const { title, complete } = await exploreText("word ".repeat(300_000), { piece: 1_003 });
    expect(title).toContain("300,000 words, 1 paragraph, longest line 1,500,000 characters");
    expect(complete).toBe(true);
  });

  it.each([
    ["  set in \u00a0 and\ttwo\n\n", "4 words, 1 paragraph"],
    ["A line of text that says this.\n".repeat(4_000), "28,000 words, 1 paragraph"],
    [`Words come first.\nA HEADING IN CAPITALS\n${FILLER}`, "23 words, 1 paragraph, 1 heading"],
    [`${FILLER}${FILLER}\n \n${FILLER}`, "48 words, 2 paragraphs"],
    [`# One\n${FILLER}# Two\n${FILLER}`, "36 words, 2 paragraphs, 2 headings"],
  ])("has its words and paragraphs counted: %#", async (text, facts) => {
    expect((await exploreText(text)).title).toMatch(new RegExp(`, ${facts}\\.$`));
  });

  it("has equal sentences listed once", async () => {
    const { text } = await exploreText(
      `${FILLER.repeat(20)}\nThe engine keeps every single word in its store.\n`,
    );
    expect(text.split("\n").filter((line) => line.startsWith("- Nothing of note"))).toEqual([
      `- ${FILLER.trim()} (line 1)`,
    ]);
    expect(text).toContain("- The engine keeps every single word in its store. (line 22)");
  });

  it.each([
    ["", "Empty file, 0 bytes."],
    ["\n", "File of nothing but white space, 1 byte, 1 line."],
    [" \n\t\n ", "File of nothing but white space, 5 bytes, 3 lines."],
  ])("that is not there is told as such: %j", async (text, title) => {
    expect(await exploreText(text)).toMatchObject({ kind: "empty", title });
  });
});
