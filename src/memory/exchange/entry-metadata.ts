/**
 * The metadata of a memory as a comment of one line in Markdown. The comment also stores a hash of
 * the words, so that a manual change is noticed, and a copy of those that parsing the
 * entry would not reproduce. Nothing in it can end the comment.
 */
import { z } from "zod";
import { type MemoryText, UNTOUCHED } from "../../memory-types.ts";
import { sha256 } from "../../text/bytes.ts";
import { jsonProblem } from "../../text/json-problem.ts";
import { parseWords, renderWords } from "./entry-words.ts";
import { type ExchangedMemory, exchangedMemoryOf } from "./exchanged-memory.ts";

const COMMENT = /^\s*<!-- palimpsest (\{.*\}) -->\s*$/;
const PARTS = ["abstract", "overview", "content"] as const;

/** Fields with these values are omitted from the comment. */
const USUAL: Readonly<Partial<ExchangedMemory>> = {
  factKey: null,
  tags: [],
  support: [],
  relations: [],
  sources: [],
  validUntil: null,
  supersedes: [],
  ...UNTOUCHED,
  events: [],
};

/** Created once, since creating a schema takes longer than using it. */
const commentSchema = z.looseObject({});
const writtenSchema = z.strictObject({
  words: z.string(),
  exact: z.strictObject({
    abstract: z.string().optional(),
    overview: z.string().optional(),
    content: z.string().optional(),
  }),
});
type WrittenWords = z.infer<typeof writtenSchema>;

export function renderMetadata(memory: ExchangedMemory): string {
  const { abstract, overview, content, ...facts } = memory;
  const text = { abstract, overview, content };
  const unusual = Object.entries(facts).filter(([key, value]) => !isUsual(key, value));
  const metadata = {
    ...Object.fromEntries(unusual),
    written: { words: hashOf(text), exact: exactParts(text) },
  };
  return `<!-- palimpsest ${escapedJson(metadata)} -->`;
}

function isUsual(key: string, value: unknown): boolean {
  return key in USUAL && JSON.stringify(value) === JSON.stringify(Reflect.get(USUAL, key));
}

/** Two hyphens or an angle could end a comment, and other marks could hide words in it. */
export function escapedJson(value: object): string {
  return JSON.stringify(value).replace(
    /(?<=-)-|[<>\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function exactParts(text: MemoryText): Partial<MemoryText> {
  const read = parseWords(renderWords(text));
  return Object.fromEntries(
    PARTS.filter((part) => read[part] !== text[part]).map((part) => [part, text[part]]),
  );
}

function hashOf({ abstract, overview, content }: MemoryText): string {
  return sha256(JSON.stringify([abstract, overview, content])).slice(0, 16);
}

export function isMetadata(line: string): boolean {
  return COMMENT.test(line);
}

export interface ReadMetadata {
  /** The metadata, with a placeholder for the words, which are not parsed yet. */
  readonly facts: ExchangedMemory;
  readonly written: WrittenWords;
}

export function parseMetadata(line: string): ReadMetadata | { readonly problem: string } {
  try {
    const { written, ...facts } = commentSchema.parse(JSON.parse(COMMENT.exec(line)?.[1] ?? ""));
    const words = { abstract: typeof facts.erasedAt === "string" ? "" : "?", overview: "", content: "" };
    const read = exchangedMemoryOf({ ...USUAL, ...facts, ...words });
    return "problem" in read ? read : { facts: read.memory, written: writtenSchema.parse(written) };
  } catch (error) {
    return { problem: error instanceof z.ZodError ? "does not describe its text" : jsonProblem(error) };
  }
}

/** The words of a parsed entry: exactly those that were written, unless they were edited. */
export function settleWords(
  read: MemoryText,
  { words, exact }: WrittenWords,
): { readonly text: MemoryText; readonly isChanged: boolean } {
  const original = { ...read, ...definedOf(exact) };
  const expected = parseWords(renderWords(original));
  const text = Object.fromEntries(
    PARTS.map((part) => [part, read[part] === expected[part] ? original[part] : read[part]]),
  ) as unknown as MemoryText;
  return { text, isChanged: hashOf(text) !== words };
}

function definedOf(exact: WrittenWords["exact"]): Partial<MemoryText> {
  return Object.fromEntries(Object.entries(exact).filter(([, value]) => value !== undefined));
}
