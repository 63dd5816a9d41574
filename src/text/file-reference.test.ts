import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFileReferences, formatFileReference, referenceOf } from "./file-reference.ts";

const PAPER = {
  id: "file_abc123def4567890",
  name: "paper.pdf",
  mime: "application/pdf",
  bytes: 42_150,
  summary: "A paper about contexts.\nTwo lines.",
};

/** Parses a text that consists of a reference only; null for any other. */
function parseFileReference(text: string) {
  const [first] = findFileReferences(text.slice(0, text.indexOf("\n")));
  const opening = "\n\nExploration Summary:\n";
  if (first?.start !== 0 || !text.slice(first.end).startsWith(opening)) return null;
  const { id, name, mime, bytes } = first;
  return { id, name, mime, bytes, summary: text.slice(first.end + opening.length) };
}

describe("a file's reference", () => {
  it("has the form that agents know", () => {
    expect(formatFileReference(PAPER)).toBe(
      "[LCM File: file_abc123def4567890 | paper.pdf | application/pdf | 42,150 bytes]\n\nExploration Summary:\nA paper about contexts.\nTwo lines.",
    );
  });

  it("stands for a file by what is in it, and for a result by its call", () => {
    const { summary, ...paper } = PAPER;
    const file = { ...paper, kind: "file", tool: null, description: summary } as const;
    expect(referenceOf(file)).toBe(formatFileReference(PAPER));
    expect(
      referenceOf({ ...file, kind: "tool-output", tool: "Read", description: "Tool: Read" }),
    ).toBe(`[LCM Tool Output: file_abc123def4567890 | tool=Read | 42,150 bytes]
Tool: Read
Call lcm_describe(id="file_abc123def4567890", expandFile=true) to read it.`);
  });

  it("shows no name that carries more than a name", () => {
    const odd = { ...PAPER, description: "what is in it", tool: "curl -H 'Authorization: Bearer abc'" };
    const result = referenceOf({ ...odd, kind: "tool-output" });
    expect(result.split("\n")[0]).toBe(`[LCM Tool Output: ${PAPER.id} | tool=unknown | 42,150 bytes]`);
    const address = { name: "https://ana:pw@host/a/paper.pdf?sig=abc", mime: "text/plain | 1 bytes]" };
    const file = referenceOf({ ...odd, ...address, kind: "file", tool: null });
    expect(file.split("\n")[0]).toBe(`[LCM File: ${PAPER.id} | paper.pdf | (unknown type) | 42,150 bytes]`);
  });

  it("says when a file has no name and no type", () => {
    const reference = { ...PAPER, name: null, mime: null };
    expect(formatFileReference(reference)).toContain("| (unnamed) | (unknown type) | 42,150 bytes]");
    expect(parseFileReference(formatFileReference(reference))).toEqual(reference);
  });

  it("is read back with every name that stays on a line", () => {
    fc.assert(
      fc.property(
        fc
          .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
          .map((name) => name.replaceAll(/[\p{C}\s]+/gu, " ").trim()),
        fc.nat(),
        fc.string(),
        (name, bytes, summary) => {
          fc.pre(name !== "" && name !== "(unnamed)");
          const reference = { ...PAPER, name, bytes, summary };
          expect(parseFileReference(formatFileReference(reference))).toEqual(reference);
        },
      ),
    );
  });

  it("counts one byte as one", () => {
    const text = formatFileReference({ ...PAPER, bytes: 1 });
    expect(text).toContain("| 1 byte]");
    expect(parseFileReference(text)?.bytes).toBe(1);
  });

  it("keeps a name with separators and line ends on one line", () => {
    const text = formatFileReference({ ...PAPER, name: "a | b]\nc | text/plain | 1 bytes]" });
    expect(text.split("\n")[1]).toBe("");
    expect(parseFileReference(text)).toMatchObject({ id: PAPER.id, mime: "application/pdf", bytes: 42_150 });
  });

  it("is found among other words", () => {
    const text = `See\n${formatFileReference(PAPER)}\n\nand more`;
    const [found, ...more] = findFileReferences(text);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ id: PAPER.id, name: "paper.pdf", start: 4 });
    expect(text.slice(found?.start, found?.end)).toMatch(/^\[LCM File: .*bytes\]$/);
  });

  it("is nothing that only looks like it", () => {
    expect(parseFileReference("[LCM File: nothing]")).toBeNull();
    expect(parseFileReference(`${formatFileReference(PAPER).split("\n")[0]}`)).toBeNull();
    expect(findFileReferences("say [LCM File: file_abc123def456 | a | b/c | 1 bytes] inline")).toEqual([]);
  });
});
