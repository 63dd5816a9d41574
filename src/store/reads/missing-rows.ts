/**
 * Missing rows, detected by counts in the rows that they belong to and by other rows that refer to them: a seal cannot show
 * that a row is missing. Changing all of these is not detected.
 */
import type { Reader } from "../port.ts";
import { readCertificate } from "../rules/certificate.ts";
import { CONTENT_KEY_PREFIX } from "../seal.ts";
import { type Dialect, type Statement, statement } from "../statement.ts";
import type { AuditRecord } from "../store.ts";

/** Includes tenants that only have records left. */
const TENANTS = statement(
  () => `SELECT DISTINCT tenant FROM conversations WHERE (tenant, uid) > ($1, '') UNION SELECT tenant FROM memory_scopes
    UNION SELECT tenant FROM audit_log UNION SELECT tenant FROM tenant_counts`,
);

/**
 * Messages of a turn without host ids get keys that contain the turn's key. Host ids may look the same; those of messages in
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

/** Each compaction leaves both rows. */
const EVENTS = statement(
  (
    d,
  ) => `SELECT s.summary_id AS id FROM conversations c JOIN summaries s ON ${d.conversation("s", "c.conversation_id")}
    WHERE c.tenant = $1 AND NOT EXISTS (SELECT 1 FROM compaction_events e
      WHERE ${d.conversation("e", "c.conversation_id")} AND e.summary_number = s.summary_number)
    ORDER BY s.summary_id`,
);

type Counted = Readonly<Record<string, readonly [column: string, rows: string]>>;

/** `owners`: rows that count, named `o`. `counted`: the counted rows, each with the column that has their number. */
function countsOf(owners: (d: Dialect) => string, id: string, counted: (d: Dialect) => Counted) {
  return statement((d) => {
    const each = Object.entries(counted(d)).map(
      ([what, [column, rows]]) =>
        `SELECT ${id} AS id, '${what}' AS what, o.${column} - (SELECT count(*) FROM ${rows}) AS missing FROM ${owners(d)}`,
    );
    return `SELECT id, what, missing FROM (${each.join(" UNION ALL ")}) found WHERE missing <> 0 ORDER BY id, what`;
  });
}

const ofTenant = (table: string) => `${table} o WHERE o.tenant = $1`;

const COUNTS = [
  countsOf(
    () => ofTenant("conversations"),
    "o.uid",
    (d) => ({
      turns: ["turn_count", `turns x WHERE ${d.conversation("x", "o.conversation_id")}`],
      receipts: ["receipt_count", `assembly_receipts x WHERE ${d.conversation("x", "o.conversation_id")}`],
    }),
  ),
  countsOf(
    (d) => `memories o WHERE ${d.inScopes("o")}`,
    "o.uid",
    (d) => ({
      events: ["event_count", `memory_events x WHERE ${d.sameMemory("x", "o")}`],
      sources: ["source_count", `memory_sources x WHERE ${d.sameMemory("x", "o")}`],
      relations: ["relation_count", `memory_relations x WHERE ${d.sameMemory("x", "o")}`],
    }),
  ),
  countsOf(
    () => ofTenant("memory_scopes"),
    "'the scope ' || o.scope",
    (d) => ({ memories: ["memory_count", `memories x WHERE ${d.ofScope("x", "o")}`] }),
  ),
  countsOf(
    () => ofTenant("tenant_counts"),
    "'the tenant ' || o.tenant",
    () => ({
      decisions: ["decisions", "memory_decisions x WHERE x.tenant = $1"],
      "records of captured conversations": ["captures", "memory_captures x WHERE x.tenant = $1"],
    }),
  ),
];
const AUDIT_COUNT = countsOf(
  () => ofTenant("tenant_counts"),
  "'the tenant ' || o.tenant",
  () => ({ "audit records": ["audit_records", "audit_log x WHERE x.tenant = $1"] }),
);
const UNCOUNTED = statement(
  () => `SELECT 1 AS found WHERE NOT EXISTS (SELECT 1 FROM tenant_counts WHERE tenant = $1) AND (
    EXISTS (SELECT 1 FROM audit_log WHERE tenant = $1) OR EXISTS (SELECT 1 FROM memory_decisions WHERE tenant = $1)
    OR EXISTS (SELECT 1 FROM memory_captures WHERE tenant = $1))`,
);

const AUDIT = statement(
  () => `SELECT agent, at, action, conversation_uid AS conversation, detail FROM audit_log WHERE tenant = $1`,
);
const KEYS = statement(
  () =>
    "SELECT agent, salt, digest, conversation_uid AS conversation, seq FROM erased_keys WHERE tenant = $1",
);
/** Messages whose keys were erased with their content. */
const ERASED = statement(
  (
    d,
  ) => `SELECT c.agent, c.uid, m.seq FROM conversations c JOIN messages m ON ${d.conversation("m", "c.conversation_id")}
    WHERE c.tenant = $1 AND m.erased_at IS NOT NULL AND m.message_key = 'erased:' || m.seq`,
);
/**
 * A memory that came with an export, and was made from messages that are erased here, has no record of its own: it was erased
 * as of its last change.
 */
const ERASED_MEMORIES = statement(
  (
    d,
  ) => `SELECT m.uid AS id FROM memories m WHERE ${d.inScopes("m")} AND m.erased_at IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM memory_events e WHERE ${d.sameMemory("e", "m")} AND e.action <> 'erased' AND e.at >= m.erased_at)`,
);

/** As text, each with the affected row. */
export async function missingRows(reader: Reader): Promise<string[]> {
  const problems: string[] = [];
  for (const { tenant } of await reader.rows<{ tenant: string }>(TENANTS, "")) {
    problems.push(...(await missingTurns(reader, tenant)));
    for (const { id } of await reader.rows<{ id: string }>(EVENTS, tenant))
      problems.push(`${id}: the compaction event that made it is missing`);
    for (const counts of COUNTS) problems.push(...(await miscounted(reader, counts, tenant)));
    problems.push(...(await missingErasuresOf(reader, tenant)));
  }
  return problems;
}

/** Only records of erasures, and the digests by which erased entries are recognised. */
export async function missingErasures(reader: Reader): Promise<string[]> {
  const tenants = await reader.rows<{ tenant: string }>(TENANTS, "");
  const problems: string[] = [];
  for (const { tenant } of tenants) problems.push(...(await missingErasuresOf(reader, tenant)));
  return problems;
}

type Miscount = { readonly id: string; readonly what: string; readonly missing: number };

async function miscounted(reader: Reader, counts: Statement, tenant: string): Promise<string[]> {
  const rows = await reader.rows<Miscount>(counts, tenant);
  return rows.map(({ id, what, missing }) =>
    missing > 0
      ? `${id}: ${what} of it are missing (${missing})`
      : `${id}: there are more ${what} of it than were stored (${-missing})`,
  );
}

async function missingTurns(reader: Reader, tenant: string): Promise<string[]> {
  const problems: string[] = [];
  const named = await reader.rows<{ uid: string; seq: number }>(NAMED_AFTER_TURNS, tenant);
  for (const [uid, messages] of Map.groupBy(named, (message) => message.uid)) {
    const turns = await reader.rows<{ first: number; next: number }>(TURNS_OF, tenant, uid);
    // Turns that repeat messages do not show which ones they have.
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

async function missingErasuresOf(reader: Reader, tenant: string): Promise<string[]> {
  const audit = await reader.rows<AuditRecord & { agent: string }>(AUDIT, tenant);
  const certified = new Set<string>();
  const named = new Set<string>();
  const messages = new Set<string>();
  /** Erasures from before certificates existed do not name messages. */
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
  const isUncounted = (await reader.one(UNCOUNTED, tenant)) !== undefined;
  return [
    ...(await miscounted(reader, AUDIT_COUNT, tenant)),
    ...(isUncounted ? [`the tenant ${tenant}: how many records it has is missing`] : []),
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
    // The detail of a record from an export may have any form.
    if (!(error instanceof SyntaxError)) throw error;
    return [];
  }
}
