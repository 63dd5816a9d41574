import { type Dialect, inOrder } from "../statement.ts";
import { SQLITE_MEMORIES } from "./memory-dialect.ts";
import { MESSAGES_PER_CONVERSATION } from "./rows.ts";

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
  // The port remembers what comes back as `held`. Nobody else writes during a transaction.
  hold: (select) => `SELECT *, conversation_id AS held FROM (${select})`,
  // The port gives it as a parameter.
  held: ":held",
  withoutSize: "",
  takeSize: "",
};

function rowId(seq: string, conversation: string): string {
  return `${conversation} * ${MESSAGES_PER_CONVERSATION} + ${seq}`;
}
