/**
 * What memory-lancedb-pro exports (`{ version, exportedAt, memories: […] }`) and its daily backups (a row a line): rows
 * of text, category, scope, importance and timestamp, with all else as JSON text in `metadata`.
 */
import { z } from "zod";
import { memoryScopeSchema } from "./exchanged-memory.ts";
import {
  anyText,
  type ForeignFields,
  foreignFields,
  foreignName,
  foreignRow,
  foreignShare,
  foreignText,
  foreignTime,
} from "./foreign-fields.ts";
import {
  type ImportedMemory,
  idFromForeign,
  importedMemory,
  type Lines,
  type ReadItem,
} from "./imported-memory.ts";
import { jsonRows } from "./json-rows.ts";
import { lancedbCategory, lancedbFacts, lancedbLinks, lancedbWords } from "./lancedb-pro-facts.ts";

export function isLancedbPro(head: string): boolean {
  if (!/^\ufeff?\s*[[{]/.test(head)) return false;
  // A text may be longer than the given head of the file.
  const isRow = /"text"\s*:/.test(head) && /"(?:id|category|importance|timestamp|metadata)"\s*:/.test(head);
  return isRow || (/"memories"\s*:\s*\[/.test(head) && /"exportedAt"\s*:/.test(head));
}

export async function* readLancedbPro(lines: Lines): AsyncGenerator<ReadItem> {
  for await (const item of jsonRows(lines)) {
    if ("problem" in item) yield item;
    // LanceDB's own row that only carries the schema.
    else if (item.row.id !== "__schema__") yield { line: item.line, ...memoryOf(item.row) };
  }
}

function memoryOf(row: Readonly<Record<string, unknown>>): { memory: ImportedMemory } | { problem: string } {
  const fields = foreignFields(row);
  const text = fields.take("text", foreignText);
  if (text === null) return { problem: "has no text" };
  const metadata = metadataOf(fields);
  const facts = foreignFields(metadata ?? {});
  const scope = scopeOf(fields);
  const createdAt = fields.take("timestamp", foreignTime);
  const importance = fields.take("importance", foreignShare);
  const foreignId = fields.take("id", foreignName) ?? JSON.stringify([scope, createdAt, text]);
  const { notTaken, ...links } = lancedbLinks(facts);
  const category = lancedbCategory(
    facts.take("memory_category", anyText),
    fields.take("category", anyText),
    text,
  );
  const known = { ...lancedbWords(text, facts), ...lancedbFacts(facts, createdAt), ...links };
  const refused = [...fields.refused, ...facts.refused].map((name) => `${name}, which cannot be read`);
  return {
    memory: importedMemory({
      ...known,
      ...{ id: idFromForeign(foreignId), scope, category, importance, createdAt, updatedAt: createdAt },
      notTaken: [...refused, ...notTaken],
    }),
  };
}

const metadataSchema = z.union([
  foreignRow,
  z.string().transform((text, context) => {
    try {
      return foreignRow.parse(JSON.parse(text === "" ? "{}" : text));
    } catch {
      context.addIssue("must be JSON");
      return z.NEVER;
    }
  }),
]);

function metadataOf(fields: ForeignFields): Record<string, unknown> | null {
  return fields.take("metadata", metadataSchema);
}

/** A scope without a counterpart keeps its name. */
function scopeOf(fields: ForeignFields): string | null {
  const scope = fields.take("scope", foreignName);
  if (scope === null) return null;
  return memoryScopeSchema.safeParse(scope).data ?? `custom:${scope}`;
}
