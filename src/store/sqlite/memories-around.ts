/** What was said right before and after something, as far as memories were made from it. */
import { AROUND, type MemoriesAround, type MemoryPlace, type NeighbouringMemory } from "../memory-store.ts";
import type { Database } from "./database.ts";
import { findScopeId, type ThreadAccess } from "./memory-access.ts";
import { memoryRowId } from "./memory-rows.ts";

/** Ids of scopes count from 1. */
const NOWHERE = 0;

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
  const neighbours = readIdsAround(database, access, places, reach).map(({ before, after }, place) => {
    const scope = places[place]?.scope ?? "";
    return { before: nameAll(before, scope), after: nameAll(after, scope) };
  });
  const scopes = [...named.values()].map(({ scope }) => scope);
  return { memories: readWords(database, [...named.keys()], scopes), places: neighbours };
}

/** Of a place: its conversation, its first and last message, and the row ids that its scope begins and ends with. */
const [CONVERSATION, FIRST, LAST, FROM, TO] = [0, 1, 2, 3, 4].map((part) => `(wanted.value ->> ${part})`);

/** What was erased has no sources any more. */
const side = (condition: string, order: "ASC" | "DESC") => `
  (SELECT json_group_array(memory_id) FROM (
     SELECT o.memory_id FROM memory_sources o
     WHERE o.conversation_uid = ${CONVERSATION} AND ${condition} AND o.kind = 'origin'
       AND o.memory_id BETWEEN ${FROM} AND ${TO}
     ORDER BY o.first_seq ${order}, o.memory_id ${order} LIMIT ?2))`;

const AROUND_PLACES = `
  SELECT ${side(`o.first_seq >= ${FIRST} - ${AROUND} AND o.first_seq < ${FIRST}`, "DESC")} AS before,
    ${side(`o.first_seq > ${LAST} AND o.first_seq <= ${LAST} + ${AROUND}`, "ASC")} AS after
  FROM json_each(?1) wanted`;

interface Sides {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

function readIdsAround(
  database: Database,
  access: ThreadAccess,
  places: readonly MemoryPlace[],
  reach: number,
): Sides[] {
  const scopes = new Map(
    [...new Set(places.map(({ scope }) => scope))].map((scope) => [
      scope,
      findScopeId(database, access, scope) ?? NOWHERE,
    ]),
  );
  const wanted = places.map(({ scope, conversation, firstSeq, lastSeq }) => {
    const scopeId = scopes.get(scope) ?? NOWHERE;
    return [conversation, firstSeq, lastSeq, memoryRowId(scopeId, 0), memoryRowId(scopeId + 1, 0) - 1];
  });
  return database
    .all<{ before: string; after: string }>(AROUND_PLACES, JSON.stringify(wanted), reach)
    .map(({ before, after }) => ({ before: JSON.parse(before), after: JSON.parse(after) }));
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
