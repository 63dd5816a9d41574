/** Lists of memories, page by page. A page goes on behind the last row of the one before, whatever came meanwhile. */
import { PalimpsestError } from "../../../errors.ts";
import { gistKey } from "../../../text/language/gist.ts";
import type { MemoryAccess, MemoryPage, MemoryQuery, StoredMemory } from "../../memory-store.ts";
import type { Session } from "../session.ts";
import { inScopes, inStates, type MemoryRow, scopesOf, selectMemories, toMemory } from "./memory-rows.ts";

const DEFAULT_LIMIT = 100;
const DEFAULT_STATES = ["active"] as const;

/** Neither replaced, nor set aside, nor erased at that time. */
const KNOWN_AT = `m.created_at <= $11::timestamptz AND coalesce(m.invalidated_at > $11, true)
  AND coalesce(m.archived_at > $11, true) AND coalesce(m.erased_at > $11, true)`;

/** Each is the condition of an index, so that no other one is taken for it. */
const BY_TIME = "m.created_at > '-infinity'";
const BY_GIST = "m.gist = $15 AND m.gist > ''";

/** The page is chosen first: what stands beside a memory is read for its rows only. */
function listStatement(state: string, found: string): string {
  const page = `SELECT m.* FROM memories m
    WHERE m.tenant = $1 AND ${found} AND ${inScopes("m.scope", 2)}
      AND ($3::text[] IS NULL OR m.category = ANY($3)) AND ($4::text[] IS NULL OR m.tier = ANY($4))
      AND ($5::text[] IS NULL OR m.origin = ANY($5)) AND ($6::text IS NULL OR m.fact_key = $6)
      AND ($14::text IS NULL OR starts_with(m.fact_key, $14))
      AND ($7::text[] IS NULL OR m.tags @> $7) AND ($8::timestamptz IS NULL OR m.created_at >= $8)
      AND ($9::timestamptz IS NULL OR m.created_at < $9) AND ($11::timestamptz IS NULL OR (${KNOWN_AT}))
      AND ($12::timestamptz IS NULL OR (m.created_at <= $12 AND (m.created_at < $12 OR m.uid > $13::text)))
      AND ${state}
    ORDER BY m.created_at DESC, m.uid LIMIT $10::bigint + 1`;
  return `${selectMemories(`(${page}) m`)} ORDER BY m.created_at DESC, m.uid`;
}

export async function listMemories(
  session: Session,
  access: MemoryAccess,
  query: MemoryQuery,
): Promise<MemoryPage<StoredMemory>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const state = query.at === undefined ? inStates(query.states ?? DEFAULT_STATES) : "true";
  const rows = await session.rows<MemoryRow>(
    listStatement(state, query.saying === undefined ? BY_TIME : BY_GIST),
    access.tenant,
    scopesOf(access, query.scopes),
    query.categories ?? null,
    query.tiers ?? null,
    query.origins ?? null,
    query.factKey ?? null,
    query.tags ?? null,
    query.since ?? null,
    query.before ?? null,
    limit,
    query.at ?? null,
    ...behind(query.cursor),
    query.factKeyPrefix ?? null,
    ...(query.saying === undefined ? [] : [gistKey(query.saying)]),
  );
  const page = rows.slice(0, limit).map(toMemory);
  return { rows: page, next: rows.length > limit ? cursorOf(page.at(-1)) : null };
}

function cursorOf(last: StoredMemory | undefined): string | null {
  return last === undefined ? null : `${last.createdAt} ${last.id}`;
}

function behind(cursor: string | undefined): readonly [string | null, string | null] {
  if (cursor === undefined) return [null, null];
  const [at = "", id] = cursor.split(" ");
  if (id !== undefined && !Number.isNaN(Date.parse(at))) return [at, id];
  throw invalidCursor(cursor);
}

export function invalidCursor(cursor: string): PalimpsestError {
  return new PalimpsestError("invalid-input", `${JSON.stringify(cursor)} is no cursor of this list`, {
    advice: "Hand in `next` of the page before, or leave the cursor out to start over.",
  });
}
