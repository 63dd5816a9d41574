import { type Dialect, inOrder, type MemoryDialect } from "../statement.ts";
import { MEMORIES_PER_SCOPE } from "./memory-rows.ts";
import { MESSAGES_PER_CONVERSATION } from "./rows.ts";

const scopesIn = (parameter: string) =>
  `SELECT scope_id FROM memory_scopes WHERE tenant = $1 AND ${among("scope", parameter)}`;

const scopeId = (scope: string) =>
  `(SELECT scope_id FROM memory_scopes WHERE tenant = $1 AND scope = ${scope})`;

const SQLITE_MEMORIES: MemoryDialect = {
  rows: (parameter, alias, columns) => {
    const names = Object.keys(columns).map((name, place) => `value ->> ${place} AS ${name}`);
    return `(SELECT key, ${names.join(", ")} FROM json_each(${parameter})) AS ${alias}`;
  },
  among,
  memoryKey: (prefix = "") => `${prefix}memory_id`,
  scopeKey: (prefix = "") => `${prefix}scope_id`,
  memory: (table, scope, number) => `${table}.memory_id = ${memoryRowId(scopeId(scope), number)}`,
  sameMemory: (table, other) => `${table}.memory_id = ${other}.memory_id`,
  listedMemories: (table, parameter) =>
    `${table}.memory_id IN (SELECT ${memoryRowId(scopeId("value ->> 0"), "(value ->> 1)")} FROM json_each(${parameter}))`,
  scope: (table) =>
    `(SELECT scope FROM memory_scopes WHERE scope_id = ${table}.memory_id / ${MEMORIES_PER_SCOPE})`,
  number: (table) => `(${table}.memory_id % ${MEMORIES_PER_SCOPE})`,
  inScopes: (table, parameter = "NULL") =>
    `${table}.memory_id / ${MEMORIES_PER_SCOPE} IN (${scopesIn(parameter)})`,
  ofScope: (table, scope, first = "0", last = String(MEMORIES_PER_SCOPE - 1)) =>
    `${table}.memory_id BETWEEN ${memoryRowId(`${scope}.scope_id`, first)} AND ${memoryRowId(`${scope}.scope_id`, last)}`,
  sameScope: (table, other) => `${table}.scope_id = ${other}.scope_id`,
  // Each scope has its memories in order, so the first of all are among the first of each; only they are read in full.
  firstMemories: (condition, order, limit) =>
    `(SELECT m.memory_id FROM (${scopesIn("$2")}) s CROSS JOIN memories m ON m.memory_id IN (
        SELECT m.memory_id FROM memories m WHERE m.scope_id = s.scope_id AND ${condition} ORDER BY ${order} LIMIT ${limit})
      ORDER BY ${order} LIMIT ${limit}) page
    CROSS JOIN memories m ON m.memory_id = page.memory_id`,
  misplacedMemories: `SELECT uid AS id FROM memories WHERE memory_id <> ${memoryRowId("scope_id", "number")}`,
  memoriesAfter: `SELECT s.tenant, s.scope, m.memory_id % ${MEMORIES_PER_SCOPE} AS number FROM memory_scopes s
    CROSS JOIN memories m ON m.memory_id < ${memoryRowId("(s.scope_id + 1)", "0")}
      AND m.memory_id > ${memoryRowId("s.scope_id", "iif(s.tenant = $1 AND s.scope = $2, $3, 0)")}
    WHERE (s.tenant, s.scope) >= ($1, $2) ORDER BY s.tenant, s.scope, m.memory_id LIMIT $4`,
  jsonObject: (fields) =>
    `json_object(${Object.entries(fields)
      .map(([name, value]) => `'${name}', ${value}`)
      .join(", ")})`,
  nestedList: (value, source, order) =>
    `(SELECT json_group_array(${value} ORDER BY ${order}) FROM ${source})`,
  json: (column, type) => {
    // Not every version of SQLite writes all digits by default.
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

function memoryRowId(scope: string, number: string): string {
  return `${scope} * ${MEMORIES_PER_SCOPE} + ${number}`;
}

/** A damaged value must not prevent reading others: verifying finds that the row does not match its seal. */
function validJson(value: string, otherwise: string): string {
  return `json(iif(json_valid(${value}), ${value}, '${otherwise}'))`;
}

/** A message's row id is computed from its conversation and its seq; rows of conversations carry no tenant. */
export const SQLITE: Dialect = {
  ...SQLITE_MEMORIES,
  engine: "sqlite",
  conversation: (table, of = "$2") => `${table}.conversation_id = ${of}`,
  anyConversation: (uid) => `uid = ${uid}`,
  sameTenant: () => "true",
  ownerColumns: "conversation_id",
  ownerValues: "$2",
  tenantValue: "",
  time: (parameter) => parameter,
  text: (parameter) => parameter,
  bigint: (parameter) => parameter,
  messageColumn: "message_id",
  exclusionKey: "message_id",
  message: (table, seq, of = "$2") => `${table}.message_id = ${rowId(seq, of)}`,
  messages: (table, first, last, of = "$2") =>
    `${table}.message_id BETWEEN ${rowId(first, of)} AND ${rowId(`min(${last}, ${MESSAGES_PER_CONVERSATION - 1})`, of)}`,
  allMessages: (table) =>
    `${table}.message_id BETWEEN ${rowId("0", "$2")} AND ${rowId(String(MESSAGES_PER_CONVERSATION - 1), "$2")}`,
  listedMessages: (table, parameter) =>
    `${table}.message_id IN (SELECT ${rowId("value", "$2")} FROM json_each(${parameter}))`,
  seq: (table) => `(${table}.message_id % ${MESSAGES_PER_CONVERSATION})`,
  sameMessage: (table, other) => `${table}.message_id = ${other}.message_id`,
  list: (parameter, _, alias) => `json_each(${parameter}) AS ${alias}`,
  isListed: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  join: (table, alias, condition) => `CROSS JOIN ${table} ${alias} ON ${condition}`,
  each: (table, alias, condition) => `CROSS JOIN ${table} ${alias} ON ${condition}`,
  maybe: (table, alias, condition) => `LEFT JOIN ${table} ${alias} ON ${condition}`,
  contentBytes: (column) => `CAST(${column} AS BLOB)`,
  hex: (column) => `lower(hex(${column}))`,
  bytes: (hex) => `x'${hex}'`,
  hexOrNull: (column) => `iif(${column} IS NULL, NULL, lower(hex(${column})))`,
  jsonList: (value, source, order) => `(SELECT json_group_array(${value}${inOrder(order)}) FROM ${source})`,
  jsonRows: (columns, source, order) =>
    `(SELECT json_group_array(json_array(${columns})${inOrder(order)}) FROM ${source})`,
  earliest: "''",
  forUpdate: "",
  // The port keeps the returned `held`. There is no other writer during a transaction.
  hold: (select) => `SELECT *, conversation_id AS held FROM (${select})`,
  // The port passes it as a parameter.
  held: ":held",
  withoutSize: "",
  takeSize: "",
};

function rowId(seq: string, conversation: string): string {
  return `${conversation} * ${MESSAGES_PER_CONVERSATION} + ${seq}`;
}
