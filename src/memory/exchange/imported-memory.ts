/**
 * A memory as a reader of any format returns it. Fields that the format does not have are null, and the importer
 * decides; fields that we cannot represent are listed in `notTaken`, so that nothing is dropped silently.
 */
import { type MemoryCategory, type MemoryText, UNTOUCHED } from "../../memory-types.ts";
import { sha256 } from "../../text/bytes.ts";
import type { ExchangedMemory } from "./exchanged-memory.ts";

/** Fields that every memory of ours has and other formats may lack. */
type Uncertain =
  | "scope"
  | "tier"
  | "importance"
  | "confidence"
  | "temporalType"
  | "createdAt"
  | "updatedAt"
  | "validFrom";

export type ImportedMemory = Omit<ExchangedMemory, Uncertain> & {
  readonly [Field in Uncertain]: ExchangedMemory[Field] | null;
} & {
  /** Its words were changed by hand: it takes the place of this one, if that is in force. */
  readonly replaces: string | null;
  /** What the file says about it and we do not keep, in words for people. */
  readonly notTaken: readonly string[];
};

export type ReadItem =
  | { readonly line: number; readonly memory: ImportedMemory }
  | { readonly line: number; readonly problem: string };

/** Lines end at a line feed and nowhere else, and come without it. */
export type Lines = AsyncIterable<string> | Iterable<string>;

export interface ReadContext {
  /** Name of the file, with the folders that are known: a date in it dates what it holds. */
  readonly name: string;
}

interface KnownWords extends MemoryText {
  readonly id: string;
  readonly category: MemoryCategory;
}

/** Words of which nothing else is known. */
export function importedMemory(known: KnownWords & Partial<ImportedMemory>): ImportedMemory {
  return { ...NOTHING_KNOWN, ...known };
}

const NOTHING_KNOWN: Omit<ImportedMemory, keyof KnownWords> = {
  scope: null,
  tier: null,
  importance: null,
  confidence: null,
  temporalType: null,
  speaker: null,
  factKey: null,
  tags: [],
  support: [],
  relations: [],
  sources: [],
  origin: "import",
  createdAt: null,
  updatedAt: null,
  validFrom: null,
  validUntil: null,
  supersedes: [],
  ...UNTOUCHED,
  events: [],
  replaces: null,
  notTaken: [],
};

/** What has no time of its own holds from its import on. */
export function withTimes<Imported extends ImportedMemory>(
  memory: Imported,
  now: string,
): Imported & { readonly createdAt: string; readonly validFrom: string } {
  const createdAt = memory.createdAt ?? now;
  return { ...memory, createdAt, validFrom: memory.validFrom ?? createdAt };
}

/** Always the same for the same foreign id, so that to import twice is to import once. */
export function idFromForeign(foreignId: string): string {
  return `mem_${sha256(foreignId).slice(0, 16)}`;
}

/** The same for what has no id: by what it says, and to whom. `basis` keeps a changed one apart from a new one. */
export function idFromWords(
  { abstract, overview, content }: MemoryText,
  scope: string | null,
  basis = "",
): string {
  return idFromForeign(JSON.stringify([basis, scope, abstract, overview, content]));
}
