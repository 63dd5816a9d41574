/** What was said right before and after something, as far as memories were made from it. */
import { AROUND, type MemoriesAround, type MemoryPlace, type NeighbouringMemory } from "../memory-store.ts";
import type { Database } from "./database.ts";
import { findScopeId, type ThreadAccess } from "./memory-access.ts";

type Row = { number: number; speaker: string | null; abstract: string; overview: string; content: string };

const side = (condition: string, order: "ASC" | "DESC") => `
  SELECT m.number, m.speaker, m.abstract, m.overview, m.content
  FROM memory_sources o CROSS JOIN memories m USING (memory_id)
  WHERE o.conversation_uid = ?1 AND ${condition} AND o.kind = 'origin' AND m.scope_id = ?4 AND m.erased_at IS NULL
  ORDER BY o.first_seq ${order}, o.memory_id ${order} LIMIT ?5`;
const BEFORE = side("o.first_seq >= ?2 AND o.first_seq < ?3", "DESC");
const AFTER = side("o.first_seq > ?2 AND o.first_seq <= ?3", "ASC");

export function readMemoriesAround(
  database: Database,
  access: ThreadAccess,
  places: readonly MemoryPlace[],
  reach: number,
): MemoriesAround[] {
  return places.map(({ scope, conversation, firstSeq, lastSeq }) => {
    const scopeId = findScopeId(database, access, scope);
    if (scopeId === undefined) return { before: [], after: [] };
    const read = (sql: string, from: number, to: number): NeighbouringMemory[] =>
      database
        .all<Row>(sql, conversation, from, to, scopeId, reach)
        .map(({ number, ...words }) => ({ ref: { scope, number }, ...words }));
    return {
      before: read(BEFORE, firstSeq - AROUND, firstSeq),
      after: read(AFTER, lastSeq, lastSeq + AROUND),
    };
  });
}
