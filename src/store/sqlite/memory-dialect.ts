import type { MemoryDialect } from "../statement.ts";
import { MEMORIES_PER_SCOPE } from "./memory-rows.ts";

const scopesIn = (parameter: string) =>
  `SELECT scope_id FROM memory_scopes WHERE tenant = $1 AND ${among("scope", parameter)}`;

const scopeId = (scope: string) =>
  `(SELECT scope_id FROM memory_scopes WHERE tenant = $1 AND scope = ${scope})`;

export const SQLITE_MEMORIES: MemoryDialect = {
  rows: (parameter, alias, columns) => {
    const names = Object.keys(columns).map((name, place) => `value ->> ${place} AS ${name}`);
    return `(SELECT key, ${names.join(", ")} FROM json_each(${parameter})) AS ${alias}`;
  },
  among,
  memoryKey: (prefix = "") => `${prefix}memory_id`,
  scopeKey: (prefix = "") => `${prefix}scope_id`,
  memory: (table, scope, number) => `${table}.memory_id = ${rowId(scopeId(scope), number)}`,
  sameMemory: (table, other) => `${table}.memory_id = ${other}.memory_id`,
  listedMemories: (table, parameter) =>
    `${table}.memory_id IN (SELECT ${rowId(scopeId("value ->> 0"), "(value ->> 1)")} FROM json_each(${parameter}))`,
  scope: (table) =>
    `(SELECT scope FROM memory_scopes WHERE scope_id = ${table}.memory_id / ${MEMORIES_PER_SCOPE})`,
  number: (table) => `(${table}.memory_id % ${MEMORIES_PER_SCOPE})`,
  inScopes: (table, parameter = "NULL") =>
    `${table}.memory_id / ${MEMORIES_PER_SCOPE} IN (${scopesIn(parameter)})`,
  ofScope: (table, scope, first = "0", last = String(MEMORIES_PER_SCOPE - 1)) =>
    `${table}.memory_id BETWEEN ${rowId(`${scope}.scope_id`, first)} AND ${rowId(`${scope}.scope_id`, last)}`,
  sameScope: (table, other) => `${table}.scope_id = ${other}.scope_id`,
  // Each scope has its memories in order, so the first of all are among the first of each; only they are read in full.
  firstMemories: (condition, order, limit) =>
    `(SELECT m.memory_id FROM (${scopesIn("$2")}) s CROSS JOIN memories m ON m.memory_id IN (
        SELECT m.memory_id FROM memories m WHERE m.scope_id = s.scope_id AND ${condition} ORDER BY ${order} LIMIT ${limit})
      ORDER BY ${order} LIMIT ${limit}) page
    CROSS JOIN memories m ON m.memory_id = page.memory_id`,
  misplacedMemories: `SELECT uid AS id FROM memories WHERE memory_id <> ${rowId("scope_id", "number")}`,
  memoriesAfter: `SELECT s.tenant, s.scope, m.memory_id % ${MEMORIES_PER_SCOPE} AS number FROM memory_scopes s
    CROSS JOIN memories m ON m.memory_id < ${rowId("(s.scope_id + 1)", "0")}
      AND m.memory_id > ${rowId("s.scope_id", "iif(s.tenant = $1 AND s.scope = $2, $3, 0)")}
    WHERE (s.tenant, s.scope) >= ($1, $2) ORDER BY s.tenant, s.scope, m.memory_id LIMIT $4`,
  jsonObject: (fields) =>
    `json_object(${Object.entries(fields)
      .map(([name, value]) => `'${name}', ${value}`)
      .join(", ")})`,
  nestedList: (value, source, order) =>
    `(SELECT json_group_array(${value} ORDER BY ${order}) FROM ${source})`,
  json: (column, type) => {
    // Not every version of SQLite writes all digits by itself.
    if (type === "number") return validJson(`format('%!.17g', ${column})`, "0");
    return type === "json" ? validJson(column, "[]") : column;
  },
  eventColumn: "event_number",
  tags: (memory) =>
    `(SELECT json_group_array(tag ORDER BY ordinal) FROM memory_tags t WHERE t.memory_id = ${memory}.memory_id)`,
  hasTags: (memory, parameter) =>
    `NOT EXISTS (SELECT 1 FROM json_each(${parameter}) wanted WHERE NOT EXISTS (
      SELECT 1 FROM memory_tags t WHERE t.tag = wanted.value AND t.memory_id = ${memory}.memory_id))`,
  setTags: () => "",
};

function among(column: string, parameter: string): string {
  return `(${parameter} IS NULL OR ${column} IN (SELECT value FROM json_each(${parameter})))`;
}

function rowId(scope: string, number: string): string {
  return `${scope} * ${MEMORIES_PER_SCOPE} + ${number}`;
}

/** A damaged value must not keep others from being read: verifying finds that the row does not match its seal. */
function validJson(value: string, otherwise: string): string {
  return `json(iif(json_valid(${value}), ${value}, '${otherwise}'))`;
}
