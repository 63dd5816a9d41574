/** What was said right before and after something, as far as memories were made from it. */
import { AROUND, type MemoriesAround, type MemoryPlace, type NeighbouringMemory } from "../memory-store.ts";
import type { Database } from "./database.ts";
import { findScopeId, type ThreadAccess } from "./memory-access.ts";

/** Neighbours overlap: each is told once, and named by its place in the list. */
export interface PackedAround {
  readonly memories: readonly NeighbouringMemory[];
  readonly places: readonly { readonly before: readonly number[]; readonly after: readonly number[] }[];
}

export function unpackAround({ memories, places }: PackedAround): MemoriesAround[] {
  const at = (indexes: readonly number[]) => indexes.flatMap((index) => memories[index] ?? []);
  return places.map(({ before, after }) => ({ before: at(before), after: at(after) }));
}

export function readMemoriesAround(
  database: Database,
  access: ThreadAccess,
  places: readonly MemoryPlace[],
  reach: number,
): PackedAround {
  const named = new Map<number, { readonly index: number; readonly scope: string }>();
  const nameAll = (ids: readonly number[], scope: string) =>
    ids.map((id) => {
      const known = named.get(id) ?? { index: named.size, scope };
      named.set(id, known);
      return known.index;
    });
  const neighbours = places.map((place) => {
    const { before, after } = readIdsAround(database, access, place, reach);
    return { before: nameAll(before, place.scope), after: nameAll(after, place.scope) };
  });
  const scopes = [...named.values()].map(({ scope }) => scope);
  return { memories: readWords(database, [...named.keys()], scopes), places: neighbours };
}

const side = (condition: string, order: "ASC" | "DESC") => `
  SELECT m.memory_id FROM memory_sources o CROSS JOIN memories m USING (memory_id)
  WHERE o.conversation_uid = ?1 AND ${condition} AND o.kind = 'origin' AND m.scope_id = ?4 AND m.erased_at IS NULL
  ORDER BY o.first_seq ${order}, o.memory_id ${order} LIMIT ?5`;
const BEFORE = side("o.first_seq >= ?2 AND o.first_seq < ?3", "DESC");
const AFTER = side("o.first_seq > ?2 AND o.first_seq <= ?3", "ASC");

function readIdsAround(
  database: Database,
  access: ThreadAccess,
  { scope, conversation, firstSeq, lastSeq }: MemoryPlace,
  reach: number,
): { readonly before: readonly number[]; readonly after: readonly number[] } {
  const scopeId = findScopeId(database, access, scope);
  if (scopeId === undefined) return { before: [], after: [] };
  const read = (sql: string, from: number, to: number) =>
    database
      .all<{ memory_id: number }>(sql, conversation, from, to, scopeId, reach)
      .map(({ memory_id }) => memory_id);
  return {
    before: read(BEFORE, firstSeq - AROUND, firstSeq),
    after: read(AFTER, lastSeq, lastSeq + AROUND),
  };
}

type WordsRow = {
  number: number;
  speaker: string | null;
  abstract: string;
  overview: string;
  content: string;
};

/** In the order of the ids, each of which is there. */
function readWords(
  database: Database,
  ids: readonly number[],
  scopes: readonly string[],
): NeighbouringMemory[] {
  const rows = database.all<WordsRow>(
    `SELECT m.number, m.speaker, m.abstract, m.overview, m.content FROM json_each(?) wanted
     CROSS JOIN memories m ON m.memory_id = wanted.value`,
    JSON.stringify(ids),
  );
  return rows.map(({ number, ...words }, place) => ({
    ref: { scope: scopes[place] ?? "", number },
    ...words,
  }));
}
