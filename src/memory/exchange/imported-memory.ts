/**
 * A memory as a reader of any format returns it. Fields that the format does not have are null, and the importer
 * decides; fields that we cannot represent are listed in `notTaken`, so that nothing is dropped silently.
 */
import { type MemoryCategory, type MemoryText, UNTOUCHED } from "../../memory-types.ts";
import { sha256 } from "../../text/bytes.ts";
import type { ExchangedMemory } from "./exchanged-memory.ts";

/** Required fields that other formats may lack. */
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
  /** Set if its words were edited: it replaces this memory, if that one is current. */
  readonly replaces: string | null;
  /** What the file contains about it and is not imported, for people to read. */
  readonly notTaken: readonly string[];
};

export type ReadItem =
  | { readonly line: number; readonly memory: ImportedMemory }
  | { readonly line: number; readonly problem: string };

/** Lines end only at a line feed, which is removed. */
export type Lines = AsyncIterable<string> | Iterable<string>;

export interface ReadContext {
  /** Name of the file, with known folders: a date in it is the date of its memories. */
  readonly name: string;
}

interface KnownWords extends MemoryText {
  readonly id: string;
  readonly category: MemoryCategory;
}

/** Makes a memory of words, with defaults for missing fields. */
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

/** A memory without a time is valid from its import on. */
export function withTimes<Imported extends ImportedMemory>(
  memory: Imported,
  now: string,
): Imported & { readonly createdAt: string; readonly validFrom: string } {
  const createdAt = memory.createdAt ?? now;
  return { ...memory, createdAt, validFrom: memory.validFrom ?? createdAt };
}

/** Deterministic for each foreign id, so that a repeated import changes nothing. */
export function idFromForeign(foreignId: string): string {
  return `mem_${sha256(foreignId).slice(0, 16)}`;
}

/** The same without a foreign id: by words and scope. `basis` distinguishes a changed memory from a new one. */
export function idFromWords(
  { abstract, overview, content }: MemoryText,
  scope: string | null,
  basis = "",
): string {
  return idFromForeign(JSON.stringify([basis, scope, abstract, overview, content]));
}
