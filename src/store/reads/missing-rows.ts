/**
 * Missing rows, detected by other rows that refer to them: a seal cannot show that a row is missing. Removing both
 * is not detected.
 */
import { counted } from "../../text/counted.ts";
import type { Reader } from "../port.ts";
import { readCertificate } from "../rules/certificate.ts";
import { CONTENT_KEY_PREFIX } from "../seal.ts";
import { statement } from "../statement.ts";
import type { AuditRecord } from "../store.ts";

const TENANTS = statement(
  () =>
    "SELECT DISTINCT tenant FROM conversations WHERE (tenant, uid) > ($1, '') UNION SELECT DISTINCT tenant FROM memory_scopes",
);

/**
 * A turn whose messages have no ids of the host names them after itself. Ids of a host may look the same; those of messages in
 * a view always can.
 */
const NAMED_AFTER_TURNS = statement(
  (
    d,
  ) => `SELECT c.uid, m.seq FROM conversations c JOIN messages m ON ${d.conversation("m", "c.conversation_id")}
    WHERE c.tenant = $1 AND m.message_key LIKE '%#0' AND m.format IN ('message', 'message+binary')
      AND m.message_key NOT LIKE '${CONTENT_KEY_PREFIX}%'
      AND NOT EXISTS (SELECT 1 FROM turns t WHERE ${d.conversation("t", "c.conversation_id")}
        AND t.turn_key = substr(m.message_key, 1, length(m.message_key) - 2))
    ORDER BY c.uid, m.seq`,
);
const TURNS_OF = statement(
  (
    d,
  ) => `SELECT t.first_seq AS first, t.first_seq + t.message_count AS next FROM conversations c JOIN turns t ON ${d.conversation("t", "c.conversation_id")}
    WHERE c.tenant = $1 AND c.uid = $2 ORDER BY t.first_seq`,
);

/** Each compaction leaves both. */
const EVENTS = statement(
  (
    d,
  ) => `SELECT s.summary_id AS id FROM conversations c JOIN summaries s ON ${d.conversation("s", "c.conversation_id")}
    WHERE c.tenant = $1 AND NOT EXISTS (SELECT 1 FROM compaction_events e
      WHERE ${d.conversation("e", "c.conversation_id")} AND e.summary_number = s.summary_number)
    ORDER BY s.summary_id`,
);

/** Only SQLite counts events up from 1 in each memory. */
const MEMORY_EVENTS = statement(
  (d) => `SELECT m.uid AS id FROM memories m WHERE ${d.inScopes("m")} AND (
      (SELECT count(*) FROM memory_events e WHERE ${d.sameMemory("e", "m")}) <
        ${d.engine === "sqlite" ? `coalesce((SELECT max(e.${d.eventColumn}) FROM memory_events e WHERE ${d.sameMemory("e", "m")}), 1)` : "1"}
      OR m.erased_at IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM memory_events e WHERE ${d.sameMemory("e", "m")} AND e.action = 'erased'))
    ORDER BY m.uid`,
);

const AUDIT = statement(
  () => `SELECT agent, at, action, conversation_uid AS conversation, detail FROM audit_log WHERE tenant = $1`,
);
const KEYS = statement(
  () =>
    "SELECT agent, salt, digest, conversation_uid AS conversation, seq FROM erased_keys WHERE tenant = $1",
);
/** Messages whose keys went with their content. */
const ERASED = statement(
  (
    d,
  ) => `SELECT c.agent, c.uid, m.seq FROM conversations c JOIN messages m ON ${d.conversation("m", "c.conversation_id")}
    WHERE c.tenant = $1 AND m.erased_at IS NOT NULL AND m.message_key = 'erased:' || m.seq`,
);
/**
 * A memory that came in with an export, and was made from what is erased here, has no record of its own: it was erased as of its
 * last change.
 */
const ERASED_MEMORIES = statement(
  (
    d,
  ) => `SELECT m.uid AS id FROM memories m WHERE ${d.inScopes("m")} AND m.erased_at IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM memory_events e WHERE ${d.sameMemory("e", "m")} AND e.action <> 'erased' AND e.at >= m.erased_at)`,
);

/** Ids of the audit log that were given and are not there. PostgreSQL gives some to transactions that fail. */
const AUDIT_GAPS = statement((d) =>
  d.engine === "sqlite"
    ? `SELECT s.seq - min(a.audit_id) + 1 - count(*) AS missing FROM audit_log a JOIN sqlite_sequence s ON s.name = 'audit_log'`
    : "SELECT 0 AS missing",
);

/** In words, each with what it concerns. */
export async function missingRows(reader: Reader): Promise<string[]> {
  const problems: string[] = [];
  const missing = (await reader.one<{ missing: number | null }>(AUDIT_GAPS))?.missing ?? 0;
  if (missing > 0) problems.push(`the audit log: ${counted(missing, "record")} missing`);
  for (const { tenant } of await reader.rows<{ tenant: string }>(TENANTS, "")) {
    problems.push(...(await missingTurns(reader, tenant)));
    for (const { id } of await reader.rows<{ id: string }>(EVENTS, tenant))
      problems.push(`${id}: the compaction event that made it is missing`);
    for (const { id } of await reader.rows<{ id: string }>(MEMORY_EVENTS, tenant))
      problems.push(`${id}: events of it are missing`);
    problems.push(...(await missingErasures(reader, tenant)));
  }
  return problems;
}

async function missingTurns(reader: Reader, tenant: string): Promise<string[]> {
  const problems: string[] = [];
  const named = await reader.rows<{ uid: string; seq: number }>(NAMED_AFTER_TURNS, tenant);
  for (const [uid, messages] of Map.groupBy(named, (message) => message.uid)) {
    const turns = await reader.rows<{ first: number; next: number }>(TURNS_OF, tenant, uid);
    // Turns that repeat messages do not tell which ones they have.
    if (turns.some(({ first }, index) => first < (turns[index - 1]?.next ?? 0))) continue;
    const own = new Set(
      turns.flatMap(({ first, next }) => Array.from({ length: next - first }, (_, i) => first + i)),
    );
    for (const { seq } of messages)
      if (!own.has(seq)) problems.push(`${uid} #${seq}: the turn that it began is missing`);
  }
  return problems;
}

type KeyRow = { agent: string; salt: string; digest: string; conversation: string; seq: number };

async function missingErasures(reader: Reader, tenant: string): Promise<string[]> {
  const audit = await reader.rows<AuditRecord & { agent: string }>(AUDIT, tenant);
  const certified = new Set<string>();
  const named = new Set<string>();
  const messages = new Set<string>();
  /** Erasures from before there were certificates name no messages. */
  const uncertified = new Set<string>();
  for (const record of audit) {
    const { agent, conversation, action } = record;
    const certificate = readCertificate(record);
    for (const id of memoriesIn(record)) named.add(id);
    if (certificate === null && action === "erase") uncertified.add(`${agent} ${conversation}`);
    for (const [seq] of certificate?.erased ?? []) messages.add(`${conversation} ${seq}`);
    for (const [digest, seq] of certificate?.keys?.digests ?? [])
      certified.add(JSON.stringify([agent, certificate?.keys?.salt, digest, conversation, seq]));
  }
  const kept = new Set<string>();
  for (const key of await reader.rows<KeyRow>(KEYS, tenant))
    kept.add(JSON.stringify([key.agent, key.salt, key.digest, key.conversation, Number(key.seq)]));
  const erased = await reader.rows<{ agent: string; uid: string; seq: number }>(ERASED, tenant);
  const memories = await reader.rows<{ id: string }>(ERASED_MEMORIES, tenant);
  return [
    ...[...certified]
      .filter((key) => !kept.has(key))
      .map((key) => `${placeOf(key)}: what recognises this erased entry when it comes again is missing`),
    ...[...kept]
      .filter((key) => !certified.has(key))
      .map((key) => `${placeOf(key)}: the certificate of its erasure is missing`),
    ...erased
      .filter(({ agent, uid, seq }) => !messages.has(`${uid} ${seq}`) && !uncertified.has(`${agent} ${uid}`))
      .map(({ uid, seq }) => `${uid} #${seq}: the certificate of its erasure is missing`),
    ...memories
      .filter(({ id }) => !named.has(id))
      .map(({ id }) => `${id}: the record of its erasure is missing`),
  ];
}

function placeOf(key: string): string {
  const [, , , conversation, seq] = JSON.parse(key);
  return `${conversation} #${seq}`;
}

function memoriesIn({ detail }: AuditRecord): string[] {
  try {
    const { memories } = Object(JSON.parse(detail));
    return Array.isArray(memories) ? memories.map(String) : [];
  } catch (error) {
    // What came with an export may be anything.
    if (!(error instanceof SyntaxError)) throw error;
    return [];
  }
}
