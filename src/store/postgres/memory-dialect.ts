import type { MemoryDialect } from "../memory-dialect.ts";

const sameScope = (table: string, scope: string) =>
  `${table}.tenant = $1 AND ${table}.scope = ${scope}.scope`;

export const POSTGRES_MEMORIES: MemoryDialect = {
  rows: (parameter, alias, columns) => {
    const arrays = Object.values(columns).map((type, place) => `${following(parameter, place)}::${type}[]`);
    return `unnest(${arrays.join(", ")}) WITH ORDINALITY AS ${alias}(${Object.keys(columns).join(", ")}, key)`;
  },
  among,
  memoryKey: (prefix = "") => `${prefix}tenant, ${prefix}scope, ${prefix}number`,
  scopeKey: (prefix = "") => `${prefix}tenant, ${prefix}scope`,
  memory: (table, scope, number) =>
    `${table}.tenant = $1 AND ${table}.scope = ${scope} AND ${table}.number = ${number}`,
  sameMemory: (table, other) => `${sameScope(table, other)} AND ${table}.number = ${other}.number`,
  listedMemories: (table, parameter) => `${table}.tenant = $1 AND (${table}.scope, ${table}.number) IN (
    SELECT * FROM unnest(${parameter}::text[], ${following(parameter, 1)}::bigint[]))`,
  scope: (table) => `${table}.scope`,
  number: (table) => `${table}.number`,
  inScopes,
  ofScope: (table, scope, first, last) => {
    const from = first === undefined ? "" : ` AND ${table}.number >= ${first}`;
    const to = last === undefined ? "" : ` AND ${table}.number <= ${last}`;
    return `${sameScope(table, scope)}${from}${to}`;
  },
  sameScope,
  firstMemories: (condition, order, limit) =>
    `(SELECT m.* FROM memories m WHERE ${inScopes("m", "$2")} AND ${condition} ORDER BY ${order} LIMIT ${limit}) m`,
  // A row has no place apart from its scope and number.
  misplacedMemories: "SELECT NULL::text AS id WHERE false",
  memoriesAfter: `SELECT tenant, scope, number FROM memories WHERE (tenant, scope, number) > ($1, $2, $3::bigint)
    ORDER BY tenant, scope, number LIMIT $4`,
  jsonObject: (fields) =>
    `json_build_object(${Object.entries(fields)
      .map(([name, value]) => `'${name}', ${value}`)
      .join(", ")})`,
  nestedList: (value, source, order) =>
    `(SELECT coalesce(json_agg(${value} ORDER BY ${order}), '[]') FROM ${source})`,
  json: (column, type) => {
    // The session's time zone is UTC.
    if (type === "time") return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    return type === "json" ? `${column}::json` : column;
  },
  eventColumn: "event_id",
  tags: (memory) => `to_json(${memory}.tags)`,
  hasTags: (memory, parameter) => `(${parameter}::text[] IS NULL OR ${memory}.tags @> ${parameter}::text[])`,
  setTags: (value) => `, tags = ${value}`,
};

function among(column: string, parameter: string): string {
  return `(${parameter}::text[] IS NULL OR ${column} = ANY(${parameter}::text[]))`;
}

function inScopes(table: string, parameter = "NULL"): string {
  return `${table}.tenant = $1 AND ${among(`${table}.scope`, parameter)}`;
}

/** The parameter so many places after this one. */
function following(parameter: string, places: number): string {
  return `$${Number(parameter.slice(1)) + places}`;
}
