/**
 * Notes that agents and people keep in Markdown: MEMORY.md, memory/2026-03-01.md, or any file of lists below headings.
 * Every item and every paragraph is a memory; nested lines of an item are its content. The heading becomes a tag and
 * suggests the category. Lines without a sentence are reported with their number, never dropped silently.
 */
import type { MemoryText } from "../../memory-types.ts";
import { foreignTime } from "./foreign-fields.ts";
import { guessCategory } from "./guess-category.ts";
import {
  idFromWords,
  importedMemory,
  type Lines,
  type ReadContext,
  type ReadItem,
} from "./imported-memory.ts";
import { type Block, markdownBlocks } from "./markdown-blocks.ts";
import { wordsFromText } from "./words-from-text.ts";

const SHORTEST = 5;
const ONLY_LINKS = /^(?:\s|!?\[[^\]]*\]\([^)]*\)|\[\[[^\]]*\]\]|<?https?:\/\/\S+>?|[,;|])+$/;
const NO_DATE = "has no valid date such as 2026-11-16: skipped";
const DATE = /(?:^|[^\d])(\d{4}-\d{2}-\d{2})(?!\d)/;

export function isMemoryMarkdown(name: string, head: string): boolean {
  if (head.includes("\0") || /^\ufeff?\s*[[{]/.test(head)) return false;
  return /\.(?:md|mdx|markdown)$/i.test(name) || /^(?:#{1,6}\s|[-*+]\s)/m.test(head);
}

export async function* readMemoryMarkdown(lines: Lines, { name }: ReadContext): AsyncGenerator<ReadItem> {
  let date = dateIn(name.split(/[\\/]/).at(-1) ?? "");
  const isDaily = date !== null;
  for await (const block of markdownBlocks(lines)) {
    const { line, kind, reason } = block;
    if (kind === "front-matter") {
      const read = frontMatterOf(block);
      date = read.date ?? date;
      yield* read.left;
    } else if (kind === "passed-over") yield { line, problem: `${reason ?? "is not a sentence"}: skipped` };
    else yield itemOf(block, { date, isDaily });
  }
}

function dateIn(text: string): string | null {
  const [, day = ""] = DATE.exec(text) ?? [];
  return foreignTime.safeParse(day).data ?? null;
}

/** Its date applies to all entries; other fields are reported. */
function frontMatterOf({ lines, line }: Block): { date: string | null; left: ReadItem[] } {
  const dated = lines.find((text) => /^(?:date|created|created_at|updated)\s*:/i.test(text));
  const date = dated === undefined ? null : dateIn(dated);
  const left = lines.flatMap((text, index) =>
    text === "" || text === "---" || (text === dated && date !== null)
      ? []
      : [
          {
            line: line + 1 + index,
            problem: text === dated ? NO_DATE : "is a front matter field: skipped",
          },
        ],
  );
  return { date, left };
}

interface Circumstances {
  readonly date: string | null;
  readonly isDaily: boolean;
}

function itemOf(block: Block, { date, isDaily }: Circumstances): ReadItem {
  const { line, heading } = block;
  const { text, tags } = wordsOf(block);
  const problem = passedOverFor(text);
  if (problem !== undefined) return { line, problem };
  const category = guessCategory(heading, text.abstract) ?? (isDaily ? "events" : "patterns");
  const topic = topicOf(heading);
  const memory = importedMemory({
    ...text,
    ...{ id: idFromWords(text, null), category, createdAt: date, updatedAt: date, validFrom: date },
    tags: topic === undefined ? tags : [topic, ...tags],
  });
  return { line, memory };
}

function passedOverFor({ abstract, content }: MemoryText): string | undefined {
  if (content !== "") return undefined;
  if (abstract === "") return "has no text: skipped";
  if (abstract.length < SHORTEST) return `is shorter than ${SHORTEST} characters: skipped`;
  return ONLY_LINKS.test(abstract) ? "contains only links: skipped" : undefined;
}

/** The sentence of an item ends at the first nested line. */
function wordsOf({ kind, lines }: Block): { text: MemoryText; tags: string[] } {
  const nested = kind === "item" ? lines.findIndex((line, index) => index > 0 && isNested(line)) : -1;
  const sentence = (nested < 0 ? lines : lines.slice(0, nested)).map((line) => line.trim()).join(" ");
  const below = nested < 0 ? "" : dedented(lines.slice(nested)).trimEnd();
  const [, box] = /^\[([ xX])\]\s/.exec(sentence) ?? [];
  const words = wordsFromText(sentence.replace(/^\[[ xX]\]\s+/, ""));
  return {
    text: { ...words, content: [words.content, below].filter(Boolean).join("\n\n") },
    tags: box === undefined ? [] : [box === " " ? "open" : "done"],
  };
}

function isNested(line: string): boolean {
  return line === "" || /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|>|`{3}|~{3}|\||#{1,6}\s)/.test(line);
}

function dedented(lines: readonly string[]): string {
  const filled = lines.filter((line) => line !== "");
  const indent = Math.min(...filled.map((line) => line.length - line.trimStart().length));
  return lines
    .map((line) => line.slice(indent))
    .join("\n")
    .replace(/^\n+/, "");
}

const LONGEST_TOPIC = 60;

/** A heading that names a topic rather than the file or a time. */
function topicOf(heading: string): string | undefined {
  const topic = heading
    .replaceAll(/[*_`#]/g, "")
    .trim()
    .toLowerCase();
  const isSubject = topic !== "" && topic.length <= LONGEST_TOPIC && /\p{L}/u.test(topic);
  return isSubject && !/^(?:long.?term )?memor(?:y|ies)(?:\.md)?$/.test(topic) ? topic : undefined;
}
