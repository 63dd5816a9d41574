/**
 * Memories page by page, as the JSON text that changes threads. Each scope has its own in order of time, so a page is made from the first few of every scope;
 * what is not on it is not read.
 */
import type { SQLInputValue } from "node:sqlite";
import { PalimpsestError } from "../../errors.ts";
import type { MemoryState } from "../../memory-types.ts";
import { gistKey } from "../../text/language/gist.ts";
import type { MemoryQuery } from "../memory-store.ts";
import type { Database } from "./database.ts";
import { scopeIds, type ThreadAccess } from "./memory-access.ts";
import { IN_FORCE } from "./memory-rows.ts";
import { memoriesText } from "./read-memories.ts";

const DEFAULT_LIMIT = 100;

type Listed = { memory_id: number; created_at: string; uid: string };

interface Condition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

export function listMemories(database: Database, access: ThreadAccess, query: MemoryQuery): string {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const conditions = conditionsOf(query);
  const where = conditions.map(({ sql }) => ` AND ${sql}`).join("");
  const values = conditions.flatMap((condition) => condition.values);
  // What says the same is looked up by its gist: few rows, to be sorted. The planner would rather read all in order.
  const order = query.saying === undefined ? "created_at DESC" : "+created_at DESC";
  const listed = scopeIds(database, access, query.scopes).flatMap((scopeId) =>
    database.all<Listed>(
      `SELECT memory_id, created_at, uid FROM memories m WHERE scope_id = ?${where}
       ORDER BY ${order}, uid LIMIT ?`,
      scopeId,
      ...values,
      limit + 1,
    ),
  );
  const sorted = listed.toSorted(newestFirst);
  const page = sorted.slice(0, limit);
  const last = page.at(-1);
  const rows = memoriesText(
    database,
    page.map(({ memory_id }) => memory_id),
  );
  const next = sorted.length > limit && last !== undefined ? `${last.created_at} ${last.uid}` : null;
  return `{"rows":${rows},"next":${JSON.stringify(next)}}`;
}

function newestFirst(a: Listed, b: Listed): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.uid < b.uid ? -1 : 1;
}

function conditionsOf(query: MemoryQuery): Condition[] {
  const { categories, tiers, origins, factKey, factKeyPrefix, saying, tags, since, before, at, cursor } =
    query;
  return [
    at === undefined ? { sql: inStates(query.states ?? ["active"]), values: [] } : knownAt(at),
    ...among("category", categories),
    ...among("tier", tiers),
    ...among("origin", origins),
    ...(factKey === undefined ? [] : [{ sql: "fact_key = ?", values: [factKey] }]),
    ...(factKeyPrefix === undefined
      ? []
      : [{ sql: "substr(fact_key, 1, length(?)) = ?", values: [factKeyPrefix, factKeyPrefix] }]),
    ...(saying === undefined ? [] : [{ sql: "gist = ?", values: [gistKey(saying)] }]),
    ...(tags ?? []).map((tag) => ({
      sql: "EXISTS (SELECT 1 FROM memory_tags t WHERE t.tag = ? AND t.memory_id = m.memory_id)",
      values: [tag],
    })),
    ...(since === undefined ? [] : [{ sql: "created_at >= ?", values: [since] }]),
    ...(before === undefined ? [] : [{ sql: "created_at < ?", values: [before] }]),
    ...(cursor === undefined ? [] : [behind(cursor)]),
  ];
}

/** Written so that the index of what is in force can be used. */
export function inStates(states: readonly MemoryState[]): string {
  const conditions: Record<MemoryState, string> = {
    active: IN_FORCE,
    superseded: "erased_at IS NULL AND invalidated_at IS NOT NULL",
    archived: "erased_at IS NULL AND invalidated_at IS NULL AND archived_at IS NOT NULL",
    erased: "erased_at IS NOT NULL",
  };
  if (states.length === 1 && states[0] === "active") return IN_FORCE;
  return states.length === 0 ? "0" : `(${states.map((state) => `(${conditions[state]})`).join(" OR ")})`;
}

function knownAt(at: string): Condition {
  const ends = ["erased_at", "invalidated_at", "archived_at"];
  return {
    sql: ["created_at <= ?", ...ends.map((end) => `(${end} IS NULL OR ${end} > ?)`)].join(" AND "),
    values: [at, ...ends.map(() => at)],
  };
}

function among(column: string, wanted: readonly string[] | undefined): Condition[] {
  if (wanted === undefined) return [];
  return [{ sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(wanted)] }];
}

function behind(cursor: string): Condition {
  const [createdAt, uid, ...rest] = cursor.split(" ");
  if (createdAt === undefined || uid === undefined || rest.length > 0)
    throw new PalimpsestError("invalid-input", "this is no cursor of a page of memories", {
      advice: "Hand in what the page before gave as next, or leave it out to begin.",
    });
  return { sql: "created_at <= ? AND (created_at < ? OR uid > ?)", values: [createdAt, createdAt, uid] };
}
