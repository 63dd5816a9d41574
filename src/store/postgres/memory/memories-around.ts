/** What was said right before and after something, as far as memories were made from it. One statement for all places. */
import {
  AROUND,
  type MemoriesAround,
  type MemoryAccess,
  type MemoryPlace,
  type NeighbouringMemory,
} from "../../memory-store.ts";
import type { Session } from "../session.ts";
import { inScopes, scopesOf } from "./memory-rows.ts";

type Row = {
  place: number;
  is_after: boolean;
  number: number;
  speaker: string | null;
  abstract: string;
  overview: string;
  content: string;
};

const side = (isAfter: boolean, condition: string, order: "ASC" | "DESC") => `
  (SELECT ${isAfter} AS is_after, o.first_seq, o.number, m.speaker, m.abstract, m.overview, m.content
   FROM memory_sources o JOIN memories m ON m.tenant = o.tenant AND m.scope = o.scope AND m.number = o.number
   WHERE o.tenant = $1 AND o.scope = wanted.scope AND o.conversation_uid = wanted.conversation AND ${condition}
     AND o.kind = 'origin' AND m.erased_at IS NULL
   ORDER BY o.first_seq ${order}, o.number ${order} LIMIT $7)`;

const AROUND_PLACES = `
  SELECT wanted.place::int, near.is_after, near.number, near.speaker, near.abstract, near.overview, near.content
  FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[]) WITH ORDINALITY
    AS wanted(scope, conversation, first_seq, last_seq, place)
  CROSS JOIN LATERAL (
    ${side(false, `o.first_seq < wanted.first_seq AND o.first_seq >= wanted.first_seq - ${AROUND}`, "DESC")}
    UNION ALL
    ${side(true, `o.first_seq > wanted.last_seq AND o.first_seq <= wanted.last_seq + ${AROUND}`, "ASC")}) near
  WHERE ${inScopes("wanted.scope", 2)}
  ORDER BY wanted.place, near.is_after,
    CASE WHEN near.is_after THEN near.first_seq ELSE -near.first_seq END,
    CASE WHEN near.is_after THEN near.number ELSE -near.number END`;

export async function readMemoriesAround(
  session: Session,
  access: MemoryAccess,
  places: readonly MemoryPlace[],
  reach: number,
): Promise<MemoriesAround[]> {
  if (places.length === 0) return [];
  const rows = await session.rows<Row>(
    AROUND_PLACES,
    access.tenant,
    scopesOf(access),
    places.map(({ scope }) => scope),
    places.map(({ conversation }) => conversation),
    places.map(({ firstSeq }) => firstSeq),
    places.map(({ lastSeq }) => lastSeq),
    reach,
  );
  const around = places.map(() => ({
    before: [] as NeighbouringMemory[],
    after: [] as NeighbouringMemory[],
  }));
  for (const { place, is_after, number, ...words } of rows) {
    const scope = places[place - 1]?.scope ?? "";
    around[place - 1]?.[is_after ? "after" : "before"].push({
      ref: { scope, number: Number(number) },
      ...words,
    });
  }
  return around;
}
