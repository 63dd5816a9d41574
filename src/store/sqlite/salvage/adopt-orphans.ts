/** Recreates lost owners of rows from the rows' values, so that the rows can be read. */
import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { RECOVERED } from "../../rules/recovered-session.ts";
import type { KnownConversations } from "./known-conversations.ts";

/** Returns descriptions of the recreated rows. */
export function adoptOrphans(database: DatabaseSync, known: KnownConversations): string[] {
  const adopted = [...adoptMessages(database, known), ...adoptMemories(database), ...dropLoose(database)];
  countRows(database);
  return adopted;
}

/** Columns that count the rows of a table, which have the same key as their owner. */
const COUNTED = [
  ["conversations", "turn_count", "turns", "conversation_id"],
  ["conversations", "receipt_count", "assembly_receipts", "conversation_id"],
  ["memories", "event_count", "memory_events", "memory_id"],
  ["memories", "source_count", "memory_sources", "memory_id"],
  ["memories", "relation_count", "memory_relations", "memory_id"],
  ["memory_scopes", "memory_count", "memories", "scope_id"],
] as const;

/** Rows that were just recreated, or are older than the counts, get the current counts. */
function countRows(database: DatabaseSync): void {
  for (const [table, column, of, key] of COUNTED)
    database.exec(
      `UPDATE ${table} SET ${column} = (SELECT count(*) FROM ${of} counted WHERE counted.${key} = ${table}.${key})
       WHERE ${column} = 0`,
    );
  const count = (table: string) =>
    `(SELECT count(*) FROM ${table} counted WHERE counted.tenant = known.tenant)`;
  database.exec(
    `INSERT OR IGNORE INTO tenant_counts (tenant, audit_records, decisions, captures)
     SELECT tenant, ${count("audit_log")}, ${count("memory_decisions")}, ${count("memory_captures")}
     FROM (SELECT tenant FROM audit_log UNION SELECT tenant FROM memory_decisions
       UNION SELECT tenant FROM memory_captures) known`,
  );
}

type LostConversation = { id: number };

function adoptMessages(database: DatabaseSync, known: KnownConversations): string[] {
  const lost = database
    .prepare(
      `SELECT DISTINCT conversation_id AS id FROM messages
       WHERE conversation_id NOT IN (SELECT conversation_id FROM conversations)`,
    )
    .all() as LostConversation[];
  return lost.map(({ id }) => {
    const { uid = `conv_${randomBytes(8).toString("hex")}`, tenant, agent, session } = known.at(id);
    const name = session ?? `${RECOVERED}${uid}`;
    database
      .prepare(
        `INSERT INTO conversations (conversation_id, uid, tenant, agent, session_id, title, created_at, updated_at,
           last_seq, token_count, head_hash, last_summary)
         SELECT ?1, ?2, coalesce(?3, (SELECT tenant FROM conversations GROUP BY tenant, agent ORDER BY count(*) DESC LIMIT 1),
             'default'), coalesce(?4, (SELECT agent FROM conversations GROUP BY tenant, agent ORDER BY count(*) DESC LIMIT 1),
             'default'), ?5, 'Recovered conversation', min(created_at), max(created_at), max(seq),
           sum(token_count),
           coalesce((SELECT m.hash FROM messages m WHERE m.conversation_id = ?1 ORDER BY m.seq DESC LIMIT 1), x''),
           coalesce((SELECT max(s.summary_number) FROM summaries s WHERE s.conversation_id = ?1), 0)
         FROM messages WHERE conversation_id = ?1`,
      )
      .run(id, uid, tenant ?? null, agent ?? null, name);
    return `the row of a conversation is lost; its messages are kept as ${uid} in the session ${name}`;
  });
}

function adoptMemories(database: DatabaseSync): string[] {
  const lost = database
    .prepare(
      `SELECT DISTINCT scope_id AS id FROM memories WHERE scope_id NOT IN (SELECT scope_id FROM memory_scopes)`,
    )
    .all() as LostConversation[];
  return lost.map(({ id }) => {
    const name = `recovered-${id}`;
    database
      .prepare(
        `INSERT INTO memory_scopes (scope_id, tenant, scope, last_number)
         SELECT ?1, coalesce((SELECT tenant FROM memory_scopes LIMIT 1), 'default'), ?2, max(number)
         FROM memories WHERE scope_id = ?1`,
      )
      .run(id, name);
    return `the row of a memory scope is lost; its memories are kept in the scope ${name}`;
  });
}

/** Rows that can be rebuilt, and whose owner is lost. */
const LOOSE = [
  ["message_parts", "message_id", "messages"],
  ["context_exclusions", "message_id", "messages"],
  ["vectors", "model_id", "vector_models"],
  ["vector_bits", "model_id", "vector_models"],
  ["vector_progress", "model_id", "vector_models"],
  ["vector_progress", "conversation_id", "conversations"],
  ["compaction_locks", "conversation_id", "conversations"],
] as const;

function dropLoose(database: DatabaseSync): string[] {
  for (const [table, column, owner] of LOOSE)
    database.exec(`DELETE FROM ${table} WHERE ${column} NOT IN (SELECT ${column} FROM ${owner})`);
  return [];
}
