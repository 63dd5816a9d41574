/**
 * Reads exports of mem0, of the library and the platform: `{ results: […] }`, a list, or a row a line. A row is one
 * sentence with the ids of a user, agent, app and run. Its graph of relations is not imported.
 */
import { z } from "zod";
import type { MemoryCategory } from "../../memory-types.ts";
import {
  type ForeignFields,
  foreignFields,
  foreignName,
  foreignRow,
  foreignText,
  foreignTime,
} from "./foreign-fields.ts";
import { guessCategory } from "./guess-category.ts";
import {
  type ImportedMemory,
  idFromForeign,
  importedMemory,
  type Lines,
  type ReadItem,
} from "./imported-memory.ts";
import { jsonRows } from "./json-rows.ts";
import { wordsFromText } from "./words-from-text.ts";

export function isMem0(head: string): boolean {
  if (!/^\ufeff?\s*[[{]/.test(head)) return false;
  const isRow =
    /"memory"\s*:/.test(head) && /"(?:hash|user_id|agent_id|run_id|created_at|id)"\s*:/.test(head);
  return isRow || /^\ufeff?\s*\{\s*"results"\s*:\s*\[/.test(head);
}

export async function* readMem0(lines: Lines): AsyncGenerator<ReadItem> {
  let relations = 0;
  let firstRelation = 0;
  for await (const item of jsonRows(lines)) {
    if ("problem" in item) yield item;
    else if (item.list === "relations") {
      relations += 1;
      firstRelation ||= item.line;
    } else yield { line: item.line, ...memoryOf(item.row) };
  }
  if (relations > 0)
    yield {
      line: firstRelation,
      problem: `starts the graph, whose relations are not imported: ${relations}`,
    };
}

/** The owner, by the most specific field; the others become tags. */
const OWNERS = [
  ["user_id", "user"],
  ["agent_id", "agent"],
  ["app_id", "project"],
  ["run_id", "custom:run"],
  ["actor_id", "custom:actor"],
] as const;

function memoryOf(row: Readonly<Record<string, unknown>>): { memory: ImportedMemory } | { problem: string } {
  const fields = foreignFields(row);
  const text = fields.take("memory", foreignText);
  if (text === null) return { problem: "has no memory text" };
  const [scope = null, ...others] = OWNERS.flatMap(([field, kind]) => {
    const name = fields.take(field, foreignName);
    return name === null ? [] : [`${kind}:${name}`];
  });
  const { tags, left, categories } = detailsOf(fields);
  const createdAt = fields.take("created_at", foreignTime);
  const updatedAt = fields.take("updated_at", foreignTime);
  const validUntil = fields.take("expiration_date", foreignTime);
  const category = categoryOf(categories, text, scope);
  const foreignId = fields.take("id", foreignName) ?? JSON.stringify([scope, text]);
  const refused = fields.refused.map((name) => `${name}, which cannot be read`);
  return {
    memory: importedMemory({
      ...wordsFromText(text),
      ...{ id: idFromForeign(foreignId), scope, category, createdAt, validUntil },
      ...{ updatedAt: updatedAt ?? createdAt, validFrom: createdAt },
      tags: [...new Set([...tags, ...others])],
      notTaken: [...refused, ...left],
    }),
  };
}

const LONGEST_TAG = 80;
const categoriesSchema = z.array(z.string());

interface Details {
  readonly tags: readonly string[];
  readonly left: readonly string[];
  /** The names that mem0 or its user assigned. */
  readonly categories: readonly string[];
}

/** Short metadata become tags such as `team:web`; the rest is listed as not imported. */
function detailsOf(fields: ForeignFields): Details {
  const categories = fields.take("categories", categoriesSchema) ?? [];
  const metadata = Object.entries(fields.take("metadata", foreignRow) ?? {}).filter(
    ([, value]) => value !== null,
  );
  const tagged = metadata.map(([key, value]) => [key, tagOf(key, value)] as const);
  const named = metadata.find(([key]) => key === "category")?.[1];
  return {
    tags: [...categories.filter((name) => name.trim() !== ""), ...tagged.flatMap(([, tag]) => tag ?? [])],
    left: tagged
      .filter(([, tag]) => tag === undefined)
      .map(([key]) => `metadata.${key.slice(0, LONGEST_TAG)}`),
    categories: typeof named === "string" ? [named, ...categories] : categories,
  };
}

function tagOf(key: string, value: unknown): string | undefined {
  if (!["string", "number", "boolean"].includes(typeof value)) return undefined;
  const tag = `${key}:${String(value)}`;
  return tag.length <= LONGEST_TAG && !tag.includes("\n") ? tag : undefined;
}

/** Most memories that mem0 keeps for a user are about that person. */
function categoryOf(names: readonly string[], text: string, scope: string | null): MemoryCategory {
  const guess = guessCategory(names.join(" ").replaceAll("_", " "), text);
  return guess ?? (scope?.startsWith("user:") === true ? "profile" : "cases");
}
