/** Files of any lines in any encoding, what is looked for in them, and where reading everything finds it. */
import fc from "fast-check";
import { wordTest } from "../../src/context/retrieve/parse-query.ts";
import { wordsOf } from "../../src/text/language/words.ts";

/** What stands in the text where a byte is broken. */
const BROKEN = "\ufffd";

interface Writing {
  readonly encode: (text: string) => Buffer;
  readonly letters: readonly string[];
  /** Tells what reads it how it is written. */
  readonly head: string;
}

const PLAIN = ["a", "b", "c", "ab", "x", " ", " ", "-", "é"];
/** In UTF-16, most of these have the byte of a line feed in them. */
const WIDE = [...PLAIN, "上", "海", "Ċ", "ઊ", "😀", "\u0a00"];
const utf16le = (text: string) => Buffer.from(text, "utf16le");
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();
const broken = (text: string) =>
  Buffer.concat(
    text.split(BROKEN).flatMap((some, i) => [Buffer.from(i === 0 ? [] : [0xff]), Buffer.from(some)]),
  );

const WRITINGS: Readonly<Record<string, Writing>> = {
  "UTF-8": { encode: (text) => Buffer.from(text), letters: WIDE, head: "" },
  "UTF-8 with a mark": { encode: (text) => Buffer.from(text), letters: WIDE, head: "\ufeff" },
  "UTF-16": { encode: utf16le, letters: WIDE, head: "\ufeff" },
  "UTF-16 in the other order": { encode: utf16be, letters: WIDE, head: "\ufeff" },
  "UTF-16 without a mark": { encode: utf16le, letters: PLAIN, head: "plain beginning" },
  Latin: { encode: (text) => Buffer.from(text, "latin1"), letters: PLAIN, head: "é è ü ö ä" },
  "UTF-8 with broken bytes": { encode: broken, letters: [...WIDE, BROKEN], head: "上海".repeat(999) },
};

export interface FileCase {
  readonly writing: string;
  /** Without what ends them. */
  readonly lines: readonly string[];
  readonly ending: "\n" | "\r\n";
  readonly head: string;
}

export const fileCase: fc.Arbitrary<FileCase> = fc.constantFrom(...Object.keys(WRITINGS)).chain((writing) => {
  const { letters, head } = WRITINGS[writing] as Writing;
  const text = (maxLength: number) =>
    fc.array(fc.constantFrom(...letters), { maxLength, size: "max" }).map((some) => some.join(""));
  return fc.record({
    writing: fc.constant(writing),
    lines: fc.array(fc.oneof(text(12), text(40), text(300)), { minLength: 1, maxLength: 6 }),
    ending: fc.constantFrom("\n" as const, "\r\n" as const),
    head: fc.constant(head),
  });
});

export type Asked =
  | { readonly mode: "exact"; readonly pattern: string }
  | { readonly mode: "regex"; readonly pattern: string }
  | { readonly mode: "full_text"; readonly pattern: string };

/** Patterns that mean the same to RE2 and to JavaScript, with matches of few characters. */
const PATTERNS = [
  "a.{0,3}b",
  "ab?c|b-",
  "\\bab\\b",
  "^a",
  "c$",
  "x*$",
  "(?:ab){1,3}",
  "[^ab ]{1,4}a",
  "",
  "b?",
];

export const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({
    mode: fc.constant("exact" as const),
    pattern: fc.constantFrom("a", "ab", "上海", "é", "b a", "海"),
  }),
  fc.record({
    mode: fc.constant("regex" as const),
    pattern: fc.constantFrom(...PATTERNS).filter((pattern) => pattern !== ""),
  }),
  fc.record({
    mode: fc.constant("full_text" as const),
    pattern: fc.constantFrom("ab", "ab x", "b cab", "a b x"),
  }),
);

export function bytesOfCase({ writing, lines, ending, head }: FileCase): Buffer {
  return (WRITINGS[writing] as Writing).encode([head, ...lines].join(ending));
}

interface Found {
  readonly line: number;
  readonly byte: number;
  /** What a snippet may mark first: it shows the part of a line with the most matches. */
  readonly first: readonly string[];
}

/** By reading everything. */
export function foundIn(
  file: FileCase,
  question: Asked,
  { longest, length }: { readonly longest: number; readonly length: number },
): Found[] {
  const { encode } = WRITINGS[file.writing] as Writing;
  const bytes = bytesOfCase(file);
  const hits: Found[] = [];
  let start = 0;
  for (const [i, full] of [file.head, ...file.lines].entries()) {
    const isLast = i === file.lines.length;
    // Behind the last line feed is a line only if something is in it.
    if (isLast && full === "") break;
    const ended = full + (isLast ? "" : file.ending.slice(0, -1));
    const mark = full.startsWith("\ufeff") ? "\ufeff" : "";
    const text = full.slice(mark.length);
    const isLong = encode(ended).length > longest;
    const spans = spansIn(text, question);
    const places = isLong ? clusters(spans, length) : spans.slice(0, 1);
    for (const span of places) {
      const byte = start + (isLong ? encode(mark + text.slice(0, span.start)).length : 0);
      const line = bytes.subarray(0, byte).filter((one) => one === 10).length + 1;
      const first = (isLong ? [span] : spans).map(({ start, end }) => text.slice(start, end));
      hits.push({ line, byte, first });
    }
    start += encode(ended + (isLast ? "" : "\n")).length;
  }
  return hits;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function spansIn(text: string, { mode, pattern }: Asked): Span[] {
  if (mode === "full_text") {
    const words = wordsOf(text);
    const tests = pattern.split(" ").map((word) => wordTest({ type: "word", word }));
    const isFound = tests.every((test) => words.some((word) => test(word.text)));
    return isFound ? words.filter((word) => tests.some((test) => test(word.text))) : [];
  }
  const source = mode === "exact" ? pattern.replaceAll("-", "\\-") : pattern;
  return [...text.matchAll(new RegExp(source, "gu"))].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The first of those that fit into so many characters. */
function clusters(spans: readonly Span[], length: number): Span[] {
  const firsts: Span[] = [];
  for (const span of spans) {
    const last = firsts.at(-1);
    if (last === undefined || span.end > last.start + length) firsts.push(span);
  }
  return firsts;
}
