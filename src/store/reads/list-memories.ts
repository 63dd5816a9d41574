/**
 * Lists of memories, page by page. A page continues after the last row of the previous one, even if rows were added
 * meanwhile.
 */
import { MEMORY_CATEGORIES } from "../../memory-types.ts";
import { gistKey } from "../../text/language/gist.ts";
import type { ChangedMemory, MemoryQuery } from "../memory-store.ts";
import type { Reader } from "../port.ts";
import { invalidCursor } from "../rules/invalid-cursor.ts";
import { type MemoryScopes, scopesAmong } from "../rules/memory-scopes.ts";
import { type Dialect, type Statement, statement } from "../statement.ts";
import { inStates } from "../tables/memory-states.ts";
import { type MemoryRow, memoriesText, selectMemories } from "../tables/select-memories.ts";

const DEFAULT_LIMIT = 100;
const DEFAULT_STATES = ["active"] as const;

type ListedRow = MemoryRow & { created_at: string; uid: string };

/** A `MemoryPage` as one JSON text. */
export async function listMemories(
  reader: Reader,
  access: MemoryScopes,
  query: MemoryQuery,
): Promise<string> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const [afterTime, afterId] = positionOf(query.cursor);
  const rows = await reader.rows<ListedRow>(
    listStatement(query),
    access.tenant,
    scopesAmong(access, query.scopes),
    query.categories ?? null,
    query.tiers ?? null,
    query.origins ?? null,
    query.tags ?? null,
    query.since ?? null,
    query.before ?? null,
    query.at ?? null,
    afterTime,
    afterId,
    query.factKeyPrefix ?? null,
    limit + 1,
    query.conversations ?? null,
    ...lookedUp(query),
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const next = last === undefined ? null : `${last.created_at} ${last.uid}`;
  return `{"rows":${memoriesText(page)},"next":${JSON.stringify(next)}}`;
}

const CHANGED = statement((d) => {
  const order = "m.updated_at DESC, m.uid";
  const changed = d.firstMemories(`m.updated_at > ${d.earliest}`, order, "$3");
  return `SELECT m.uid AS id, m.updated_at FROM ${changed} ORDER BY ${order}`;
});

export async function listChangedMemories(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  limit: number,
): Promise<ChangedMemory[]> {
  const rows = await reader.rows<{ id: string; updated_at: string }>(CHANGED, tenant, scopes, limit);
  return rows.map(({ id, updated_at: updatedAt }) => ({ id, updatedAt }));
}

/** How the memories of a list are found. Each way has its own index. */
type Way = "time" | "gist" | "fact-key" | "fact-keys" | "fact-key-and-gist";

function wayOf({ saying, factKey, factKeys }: MemoryQuery): Way {
  if (factKeys !== undefined) return "fact-keys";
  if (saying === undefined) return factKey === undefined ? "time" : "fact-key";
  return factKey === undefined ? "gist" : "fact-key-and-gist";
}

function lookedUp({
  saying,
  factKey,
  factKeys,
}: MemoryQuery): readonly (string | Uint8Array | readonly string[])[] {
  if (factKeys !== undefined) return [factKeys];
  return [...(saying === undefined ? [] : [gistKey(saying)]), ...(factKey === undefined ? [] : [factKey])];
}

/** Each repeats the condition of its index, so that no other index is used. */
function lookUp(d: Dialect, way: Way): string {
  const conditions: Readonly<Record<Way, string>> = {
    time: `m.created_at > ${d.earliest}`,
    gist: "m.gist = $15 AND m.gist > ''",
    "fact-key": "m.fact_key = $15",
    "fact-keys": d.isListed("m.fact_key", "$15", "text"),
    "fact-key-and-gist": "m.gist = $15 AND m.gist > '' AND m.fact_key = $16",
  };
  return conditions[way];
}

const statements = new Map<string, Statement>();

/** One for each way and each set of states, so their number is limited. */
function listStatement(query: MemoryQuery): Statement {
  const way = wayOf(query);
  const states = query.at === undefined ? inStates("m", query.states ?? DEFAULT_STATES) : null;
  const name = `${way} ${states}`;
  let known = statements.get(name);
  if (known === undefined) {
    known = statement((d) => writeList(d, way, states ?? knownAt(d, "$9")));
    statements.set(name, known);
  }
  return known;
}

function writeList(d: Dialect, way: Way, states: string): string {
  const created = (condition: string, parameter: string) =>
    `(${d.time(parameter)} IS NULL OR m.created_at ${condition} ${d.time(parameter)})`;
  const conditions = [
    states,
    lookUp(d, way),
    d.among("m.category", "$3"),
    d.among("m.tier", "$4"),
    d.among("m.origin", "$5"),
    d.hasTags("m", "$6"),
    created(">=", "$7"),
    created("<", "$8"),
    created("<=", "$9"),
    created("<=", "$10"),
    `(${created("<", "$10")} OR m.uid > $11)`,
    `(${d.text("$12")} IS NULL OR ${keyStartsWith("$12")})`,
    cameFrom(d, "$14"),
  ];
  // A lookup returns few rows, which must be sorted: SQLite would otherwise read all memories in order.
  const time = way === "time" ? "m.created_at" : "coalesce(m.created_at, m.created_at)";
  const page = d.firstMemories(conditions.join(" AND "), `${time} DESC, m.uid`, "$13");
  return `${selectMemories(d, page, ["m.created_at", "m.uid"])} ORDER BY m.created_at DESC, m.uid`;
}

/** Keys are stored with the category of their first value, which may not be that of the memory. */
function keyStartsWith(parameter: string): string {
  const starts = (text: string) => `substr(${text}, 1, length(${parameter})) = ${parameter}`;
  const names = MEMORY_CATEGORIES.map(
    (category) =>
      `WHEN substr(m.fact_key, 1, ${category.length + 1}) = '${category}:' THEN substr(m.fact_key, ${category.length + 2})`,
  );
  const name = `(CASE ${names.join(" ")} END)`;
  return `(${["m.fact_key", name, `(m.category || ':' || ${name})`].map(starts).join(" OR ")})`;
}

function cameFrom(d: Dialect, parameter: string): string {
  const sources = `memory_sources o WHERE ${d.sameMemory("o", "m")} AND ${d.among("o.conversation_uid", parameter)}`;
  // No conversation has an empty id: the first part is true if there is no list.
  return `(${d.among("''", parameter)} OR EXISTS (SELECT 1 FROM ${sources}))`;
}

/** Neither replaced, archived, nor erased at that time. */
function knownAt(d: Dialect, parameter: string): string {
  return ["m.invalidated_at", "m.archived_at", "m.erased_at"]
    .map((end) => `(${end} IS NULL OR ${end} > ${d.time(parameter)})`)
    .join(" AND ");
}

function positionOf(cursor: string | undefined): readonly [time: string | null, id: string | null] {
  if (cursor === undefined) return [null, null];
  const [time = "", id, ...rest] = cursor.split(" ");
  if (id !== undefined && rest.length === 0 && !Number.isNaN(Date.parse(time))) return [time, id];
  throw invalidCursor(cursor);
}
