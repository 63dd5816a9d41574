/**
 * Reads our Markdown. An entry whose text is unchanged gives exactly the original memory. An entry whose text was
 * changed replaces it; an entry without a comment is new. Everything else is reported with its line, and deleted
 * entries are ignored.
 */
import { MEMORY_CATEGORIES, type MemoryCategory, stateOf } from "../../memory-types.ts";
import { isMetadata, parseMetadata, type ReadMetadata, settleWords } from "./entry-metadata.ts";
import { isBullet, parseWords } from "./entry-words.ts";
import { memoryScopeSchema } from "./exchanged-memory.ts";
import { guessCategory } from "./guess-category.ts";
import { idFromWords, importedMemory, type Lines, type ReadItem } from "./imported-memory.ts";
import { categoryHeading, MARKDOWN_VERSION, scopeHeading } from "./write-markdown.ts";

interface Section {
  /** The original line; null before the first one. */
  readonly scopeLine: string | null;
  readonly category: MemoryCategory | null;
}

interface Entry {
  readonly line: number;
  readonly section: Section;
  readonly lines: string[];
}

export async function* readMarkdown(lines: Lines): AsyncGenerator<ReadItem> {
  let line = 0;
  let section: Section = { scopeLine: null, category: null };
  let entry: Entry | undefined;
  for await (const whole of lines) {
    const text = whole.trimEnd();
    line += 1;
    if (line === 1 && isNewer(text))
      return yield { line, problem: "was written by a newer version: update Palimpsest" };
    if (text === "" || /^\s/.test(text)) {
      if (entry !== undefined) entry.lines.push(text);
      else if (text !== "" && section.scopeLine !== null) yield { line, problem: OUTSIDE };
      continue;
    }
    if (entry !== undefined) yield* itemsOf(entry);
    entry = isBullet(text) ? { line, section, lines: [text] } : undefined;
    if (/^#{2,6}\s/.test(text)) section = sectionAt(text, section);
    else if (entry === undefined && section.scopeLine !== null) yield { line, problem: OUTSIDE };
  }
  if (entry !== undefined) yield* itemsOf(entry);
}

const OUTSIDE = "belongs to no entry: begin it with a hyphen, or indent it by two spaces";

function isNewer(text: string): boolean {
  const version = /^\ufeff?<!-- palimpsest memories .*"version":(\d+)/.exec(text)?.[1];
  return Number(version ?? MARKDOWN_VERSION) > MARKDOWN_VERSION;
}

function sectionAt(heading: string, { scopeLine }: Section): Section {
  if (/^##\s/.test(heading)) return { scopeLine: heading, category: null };
  const name = heading.toLowerCase();
  const category = MEMORY_CATEGORIES.find((known) => categoryHeading(known).toLowerCase() === name);
  return { scopeLine, category: category ?? null };
}

/** The last comment is ours; earlier ones belong to the words. */
function* itemsOf(entry: Entry): Generator<ReadItem> {
  const { line } = entry;
  const at = entry.lines.findLastIndex(isMetadata);
  const metadata = at < 0 ? undefined : parseMetadata(entry.lines[at] ?? "");
  if (metadata === undefined) yield* newMemory(entry);
  else if ("problem" in metadata)
    yield { line: line + at, problem: `does not describe the entry: ${metadata.problem}` };
  else yield* knownMemory({ ...entry, lines: entry.lines.toSpliced(at, 1) }, metadata);
}

function* newMemory({ line, section, lines }: Entry): Generator<ReadItem> {
  const text = parseWords(lines);
  if (text.abstract === "") return yield { line, problem: "has no text" };
  const scope = scopeOf(section);
  if (scope === undefined)
    return yield { line, problem: "is under a heading that is not a scope, such as global or user:anna" };
  const category = section.category ?? guessCategory("", text.abstract) ?? "patterns";
  const id = idFromWords(text, scope);
  yield { line, memory: importedMemory({ ...text, id, scope, category, origin: "manual" }) };
}

/** Null without a heading, undefined if it does not name a scope. */
function scopeOf({ scopeLine }: Section): string | null | undefined {
  if (scopeLine === null) return null;
  return memoryScopeSchema.safeParse(scopeLine.replace(/^##\s+/, "")).data;
}

function* knownMemory(
  { line, section, lines }: Entry,
  { facts, written }: ReadMetadata,
): Generator<ReadItem> {
  if (section.scopeLine !== null && section.scopeLine !== scopeHeading(facts.scope).trimEnd())
    yield { line, problem: `stays in its scope: ${facts.id} cannot move; write it as a new entry there` };
  const { text, isChanged } = settleWords(parseWords(lines), written);
  const isActive = stateOf(facts) === "active";
  const category = (isActive ? section.category : null) ?? facts.category;
  const known = importedMemory({ ...facts, category });
  if (facts.erasedAt !== null) yield { line, memory: known };
  else if (!isChanged) yield { line, memory: { ...known, ...text } };
  else if (!isActive) yield { line, problem: `was changed, but ${facts.id} is no longer active` };
  else if (text.abstract.trim() === "")
    yield { line, problem: `left ${facts.id} without its first sentence` };
  else yield { line, memory: changedMemory({ ...known, ...text }) };
}

type Known = ReturnType<typeof importedMemory>;

/** Edited words: the origin of the old words does not apply to them. */
function changedMemory(known: Known): Known {
  const { abstract, overview, content, scope, category, tier, importance, temporalType, factKey, tags } =
    known;
  const text = { abstract, overview, content };
  return importedMemory({
    ...text,
    ...{ scope, category, tier, importance, temporalType, factKey, tags },
    validUntil: known.validUntil,
    id: idFromWords(text, scope, known.id),
    origin: "manual",
    replaces: known.id,
  });
}

/** Whether the file begins like our own Markdown or contains an entry of it. */
export function isOurMarkdown(head: string): boolean {
  return (
    /^\ufeff?\s*<!-- palimpsest memories \{/.test(head) || /^\s*<!-- palimpsest \{"id":"mem_/m.test(head)
  );
}
