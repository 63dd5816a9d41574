import { type Dialect, inOrder, type MemoryDialect } from "../statement.ts";

const sameScope = (table: string, scope: string) =>
  `${table}.tenant = $1 AND ${table}.scope = ${scope}.scope`;

const POSTGRES_MEMORIES: MemoryDialect = {
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
  // A row is identified by its scope and number only.
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

/** The parameter this many positions after the given one. */
function following(parameter: string, places: number): string {
  return `$${Number(parameter.slice(1)) + places}`;
}

/** Lookups are LATERAL with a LIMIT: one for each row, independent of the planner's statistics. */
export const POSTGRES: Dialect = {
  ...POSTGRES_MEMORIES,
  engine: "postgres",
  conversation: (table, of = "$2") => `${table}.tenant = $1 AND ${table}.conversation_id = ${of}`,
  anyConversation: (uid) => `tenant = $1 AND uid = ${uid}`,
  sameTenant: (table) => `${table}.tenant = $1`,
  ownerColumns: "tenant, conversation_id",
  ownerValues: "$1::text, $2::bigint",
  tenantValue: "$1::text,",
  time: (parameter) => `${parameter}::timestamptz`,
  text: (parameter) => `${parameter}::text`,
  bigint: (parameter) => `${parameter}::bigint`,
  messageColumn: "seq",
  exclusionKey: "tenant, conversation_id, seq",
  message: (table, seq, of = "$2") =>
    `${table}.tenant = $1 AND ${table}.conversation_id = ${of} AND ${table}.seq = ${seq}`,
  messages: (table, first, last, of = "$2") =>
    `${table}.tenant = $1 AND ${table}.conversation_id = ${of} AND ${table}.seq BETWEEN ${first} AND ${last}`,
  allMessages: (table) => `${table}.tenant = $1 AND ${table}.conversation_id = $2`,
  listedMessages: (table, parameter) =>
    `${table}.tenant = $1 AND ${table}.conversation_id = $2 AND ${table}.seq = ANY(${parameter}::bigint[])`,
  seq: (table) => `${table}.seq`,
  sameMessage: (table, other) =>
    `${table}.tenant = $1 AND ${table}.conversation_id = ${other}.conversation_id AND ${table}.seq = ${other}.seq`,
  list: (parameter, type, alias) => `unnest(${parameter}::${type}[]) WITH ORDINALITY AS ${alias}(value, key)`,
  isListed: (column, parameter, type) => `${column} = ANY(${parameter}::${type}[])`,
  join: (table, alias, condition) => `JOIN ${table} ${alias} ON ${condition}`,
  each: (table, alias, condition, most = 1) =>
    `CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} LIMIT ${most}) ${alias}`,
  maybe: (table, alias, condition) =>
    `LEFT JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${condition} LIMIT 1) ${alias} ON true`,
  contentBytes: (column) => column,
  hex: (column) => `encode(${column}, 'hex')`,
  bytes: (hex) => `decode('${hex}', 'hex')`,
  hexOrNull: (column) => `encode(${column}, 'hex')`,
  jsonList: (value, source, order) =>
    `(SELECT coalesce(json_agg(${value}${inOrder(order)}), '[]')::text FROM ${source})`,
  jsonRows: (columns, source, order) =>
    `(SELECT coalesce(json_agg(json_build_array(${columns})${inOrder(order)}), '[]')::text FROM ${source})`,
  earliest: "'-infinity'",
  forUpdate: "FOR UPDATE",
  // Two steps, because the conversation that is kept must be the row that was locked and not another candidate.
  hold: (select) => `WITH locked AS MATERIALIZED (${select} FOR UPDATE)
    SELECT *, set_config('palimpsest.conversation', conversation_id::text, true) AS held FROM locked`,
  held: "nullif(current_setting('palimpsest.conversation', true), '')::bigint",
  withoutSize: ", content_size = 0",
  takeSize: ", content_size = excluded.content_size",
};
