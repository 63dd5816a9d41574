/** The answer to `extractMemoriesPrompt`: the usable memories, and the reasons for rejecting the rest. */
import { z } from "zod";
import { MEMORY_CATEGORIES, type MemoryCategory, type MemoryText } from "../memory-types.ts";
import { clip } from "../text/cut-text.ts";
import { MOST_EXTRACTED } from "./extract-memories.ts";
import { readModelJson } from "./read-model-json.ts";

export interface ExtractedMemory extends MemoryText {
  readonly category: MemoryCategory;
  /** The number of its source message; null when none is named. */
  readonly message: number | null;
  /** The quoted evidence. */
  readonly quote: string;
}

type ExtractedMemories =
  | {
      readonly ok: true;
      readonly memories: readonly ExtractedMemory[];
      readonly refused: readonly { readonly index: number; readonly reason: string }[];
    }
  | { readonly ok: false; readonly reason: string };

const LONGEST_ABSTRACT = 400;
const LONGEST_OVERVIEW = 2_000;
const LONGEST_CONTENT = 8_000;

/** Models sometimes return a list instead of a text. */
export const textField = z
  .union([
    z.string(),
    z.number().transform(String),
    z.array(z.string()).transform((lines) => lines.join("\n")),
  ])
  .nullish()
  .transform((text) => (text ?? "").trim());

const MEMORY = z.object({
  category: z.string(),
  abstract: textField,
  overview: textField,
  content: textField,
  message: z.union([z.number(), z.string()]).nullish().catch(null),
  quote: textField,
});

/** Other names that models use for the six categories. */
const CATEGORY_NAMES: Readonly<Record<string, MemoryCategory>> = {
  user: "profile",
  "user profile": "profile",
  identity: "profile",
  personal: "profile",
  preference: "preferences",
  like: "preferences",
  entity: "entities",
  person: "entities",
  project: "entities",
  fact: "entities",
  event: "events",
  decision: "events",
  decisions: "events",
  case: "cases",
  problem: "cases",
  solution: "cases",
  pattern: "patterns",
  workflow: "patterns",
  habit: "patterns",
};

export function readExtractedMemories(answer: string): ExtractedMemories {
  const json = readModelJson(answer);
  if (!json.ok) return json;
  const list = listIn(json.value);
  if (list === null) return { ok: false, reason: "The answer has no list of memories." };
  const memories: ExtractedMemory[] = [];
  const refused: { index: number; reason: string }[] = [];
  for (const [index, item] of list.entries()) {
    const isHalf = json.isCutOff && index === list.length - 1;
    const read = isHalf ? "The answer was cut off in it." : readOne(item);
    if (typeof read === "string") refused.push({ index, reason: read });
    else if (memories.length >= MOST_EXTRACTED)
      refused.push({ index, reason: `At most ${MOST_EXTRACTED} are taken.` });
    else memories.push(read);
  }
  return { ok: true, memories, refused };
}

function listIn(value: Readonly<Record<string, unknown>> | readonly unknown[]): readonly unknown[] | null {
  if (isList(value)) return value;
  for (const name of ["memories", "memory", "items", "results", "facts"]) {
    const list = value[name];
    if (isList(list)) return list;
  }
  // One memory, without a list around it.
  return "category" in value && "abstract" in value ? [value] : null;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function readOne(item: unknown): ExtractedMemory | string {
  const { success, data } = MEMORY.safeParse(item);
  if (!success) return "It is not an object with a category and texts.";
  const category = categoryOf(data.category);
  if (category === null) return `"${clip(data.category, 40)}" is no category.`;
  const abstract = data.abstract.replaceAll(/\s+/g, " ");
  if (!/[\p{L}\p{N}]/u.test(abstract)) return "Its abstract is empty.";
  return {
    category,
    abstract: clip(abstract, LONGEST_ABSTRACT),
    overview: clip(data.overview, LONGEST_OVERVIEW),
    content: clip(data.content, LONGEST_CONTENT),
    message: numberOf(data.message),
    quote: data.quote.replaceAll(/^["“”]+|["“”]+$/g, ""),
  };
}

function categoryOf(name: string): MemoryCategory | null {
  const plain = name
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim();
  const known = MEMORY_CATEGORIES.find((category) => category === plain);
  return known ?? (Object.hasOwn(CATEGORY_NAMES, plain) ? (CATEGORY_NAMES[plain] ?? null) : null);
}

function numberOf(value: number | string | null | undefined): number | null {
  const number = typeof value === "string" ? Number(/\d+/.exec(value)?.[0] ?? Number.NaN) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : null;
}
