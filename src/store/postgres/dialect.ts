import { type Dialect, inOrder } from "../statement.ts";
import { POSTGRES_MEMORIES } from "./memory-dialect.ts";

/** Lookups are LATERAL with a LIMIT: one for each row, whatever the planner knows about the tables. */
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
  // Two steps, because the conversation that is remembered must be the row that was locked and no other candidate.
  hold: (select) => `WITH locked AS MATERIALIZED (${select} FOR UPDATE)
    SELECT *, set_config('palimpsest.conversation', conversation_id::text, true) AS held FROM locked`,
  held: "nullif(current_setting('palimpsest.conversation', true), '')::bigint",
  withoutSize: ", content_size = 0",
  takeSize: ", content_size = excluded.content_size",
};
