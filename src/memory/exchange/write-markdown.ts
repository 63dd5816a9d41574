/**
 * Writes memories as a file for people to read and edit: by scope and category, each a list item with its overview
 * and its full text. Inactive memories are at the end of their scope. Reading the file returns every memory exactly,
 * and all edits and additions.
 */
import { MEMORY_CATEGORIES, type MemoryCategory, stateOf } from "../../memory-types.ts";
import { compareBytes } from "../../text/bytes.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { escapedJson, renderMetadata } from "./entry-metadata.ts";
import { renderWords } from "./entry-words.ts";
import type { ExchangedMemory } from "./exchanged-memory.ts";

export const MARKDOWN_VERSION = 1;
const ERASED = "- (erased)";
const NOT_IN_FORCE = "No longer active";
const INTRODUCTION = `# Memories

Edit an entry and import this file to update the memory. Add a list item to create one; indent its details by two
spaces. Deleting an entry here does not delete the memory. Keep the comments: they hold its metadata.`;

export function* writeMarkdown(
  memories: Iterable<ExchangedMemory>,
  { exportedAt }: { readonly exportedAt: string },
): Generator<string> {
  yield `<!-- palimpsest memories ${escapedJson({ version: MARKDOWN_VERSION, exportedAt })} -->\n${INTRODUCTION}\n`;
  const scopes = Map.groupBy(memories, ({ scope }) => scope);
  for (const scope of [...scopes.keys()].sort(compareText)) {
    yield `\n${scopeHeading(scope)}\n`;
    yield* writeScope((scopes.get(scope) ?? []).toSorted(byAge));
  }
}

export function scopeHeading(scope: string): string {
  return `## ${oneLine(scope)}`;
}

export function categoryHeading(category: MemoryCategory): string {
  return `### ${category.charAt(0).toUpperCase()}${category.slice(1)}`;
}

function* writeScope(memories: readonly ExchangedMemory[]): Generator<string> {
  const isActive = (memory: ExchangedMemory) => stateOf(memory) === "active";
  for (const category of MEMORY_CATEGORIES)
    yield* writeSection(
      categoryHeading(category),
      memories.filter((memory) => isActive(memory) && memory.category === category),
    );
  yield* writeSection(
    `### ${NOT_IN_FORCE}`,
    memories.filter((memory) => !isActive(memory)),
  );
}

function* writeSection(heading: string, memories: readonly ExchangedMemory[]): Generator<string> {
  if (memories.length > 0) yield `\n${heading}\n`;
  for (const memory of memories) yield `\n${entryOf(memory).join("\n")}\n`;
}

function entryOf(memory: ExchangedMemory): string[] {
  const words = memory.erasedAt === null ? renderWords(memory) : [ERASED];
  return [...words, `  ${renderMetadata(memory)}`];
}

function byAge(one: ExchangedMemory, other: ExchangedMemory): number {
  return compareText(one.createdAt, other.createdAt) || compareText(one.id, other.id);
}

function compareText(one: string, other: string): number {
  return compareBytes(Buffer.from(one), Buffer.from(other));
}
