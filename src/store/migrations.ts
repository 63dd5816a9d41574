/**
 * Changes of the schema since the `schema.sql` of each engine, for both engines. A new store is created by `schema.sql` and
 * then by these, in order; an older store gets those that it lacks. A released entry never changes, and neither does
 * `schema.sql`; a correction is another entry.
 */
import { PalimpsestError } from "../errors.ts";
import type { EngineName } from "./store.ts";

/** The version that `schema.sql` creates. Stores of earlier versions are refused. */
export const BASE_VERSION: Readonly<Record<EngineName, number>> = { sqlite: 7, postgres: 8 };
/** The commit that still migrates earlier versions to `BASE_VERSION`. */
const LAST_WITH_EARLIER = "b6db576f19ade8d7de283d86d068ee22d4efc323";

export interface Migration {
  /** Counts up from 9. */
  readonly version: number;
  /** One text if both engines can run it, for example `ALTER TABLE summaries ADD COLUMN note TEXT`. */
  readonly sql: string | Readonly<Record<EngineName, string>>;
}

/** The version that added seals of memories and files: existing rows are sealed in their current state. */
export const WITH_SEALS = 10;

/** The version that added seals of all other rows. */
export const WITH_ROW_SEALS = 12;

/** The version that added seals of the lines of transcripts. */
export const WITH_LINE_SEALS = 13;

/** The version that added the host of a conversation, covered by its seal. */
export const WITH_HOSTS = 14;

/** The version that added the salt and the time of messages to lines of transcripts, covered by their seal. */
export const WITH_LINE_ORIGINS = 15;

/** The version that added links from conversations to their parents. */
export const WITH_PARENTS = 16;

/** The version that added counts of rows: a deleted row leaves no seal. */
const WITH_ROW_COUNTS = 17;

/** Reasons why a message is not in the context. SQLite cannot change a check, so the table is created again. */
const REASONS = "'reset', 'heartbeat', 'branch', 'injected', 'host-summary', 'erased'";

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 9,
    // `erased_keys`: erased entries of hosts, by salted digests of their identifiers, and the message of each: later entries
    // with such an identifier are stored as erased. An index of the audit log. `erasure_cleanups`: since when the store's own
    // files may contain erased text; deleted after cleaning. `step`: what remains to be done, `files` or only the `log`.
    sql: `CREATE TABLE erased_keys (
  tenant           TEXT NOT NULL,
  agent            TEXT NOT NULL,
  salt             TEXT NOT NULL,
  digest           TEXT NOT NULL,
  conversation_uid TEXT NOT NULL,
  seq              INTEGER NOT NULL,
  PRIMARY KEY (tenant, agent, salt, digest, conversation_uid, seq)
);
CREATE TABLE erasure_cleanups (
  tenant TEXT PRIMARY KEY,
  at     TEXT NOT NULL,
  step   TEXT NOT NULL
)`,
  },
  // Seals: hashes of the contents of rows, so that corruption is detected. NULL once the text is erased.
  {
    version: WITH_SEALS,
    sql: {
      sqlite: `ALTER TABLE memories ADD COLUMN words_seal BLOB;
ALTER TABLE memories ADD COLUMN facts_seal BLOB;
ALTER TABLE large_files ADD COLUMN file_seal BLOB;
ALTER TABLE large_files ADD COLUMN described_seal BLOB`,
      postgres: `ALTER TABLE memories ADD COLUMN words_seal bytea;
ALTER TABLE memories ADD COLUMN facts_seal bytea;
ALTER TABLE large_files ADD COLUMN file_seal bytea;
ALTER TABLE large_files ADD COLUMN described_seal bytea`,
    },
  },
  {
    version: 11,
    sql: {
      sqlite: `CREATE TABLE context_exclusions_11 (
  message_id      INTEGER PRIMARY KEY REFERENCES messages (message_id),
  conversation_id INTEGER NOT NULL REFERENCES conversations (conversation_id),
  reason          TEXT NOT NULL CHECK (reason IN (${REASONS}))
) STRICT;
INSERT INTO context_exclusions_11 SELECT message_id, conversation_id, reason FROM context_exclusions;
DROP TABLE context_exclusions;
ALTER TABLE context_exclusions_11 RENAME TO context_exclusions`,
      postgres: `ALTER TABLE context_exclusions DROP CONSTRAINT context_exclusions_reason_check;
ALTER TABLE context_exclusions ADD CONSTRAINT context_exclusions_reason_check CHECK (reason IN (${REASONS}))`,
    },
  },
  // 48 bits over the columns of a row that nothing else covers: see sealed-table.ts.
  {
    version: WITH_ROW_SEALS,
    sql: { sqlite: sealColumns("INTEGER"), postgres: sealColumns("bigint") },
  },
  {
    version: WITH_LINE_SEALS,
    sql: {
      sqlite: "ALTER TABLE transcript_lines ADD COLUMN seal INTEGER",
      postgres: "ALTER TABLE transcript_lines ADD COLUMN seal bigint",
    },
  },
  {
    version: WITH_HOSTS,
    sql: ["host", "project", "branch", "model"]
      .map((column) => `ALTER TABLE conversations ADD COLUMN ${column} TEXT`)
      .join(";\n"),
  },
  // The columns of a message's row that cannot be read from its transcript line: with them, a lost row can be restored
  // exactly. NULL once the message is erased.
  {
    version: WITH_LINE_ORIGINS,
    sql: {
      sqlite: `ALTER TABLE transcript_lines ADD COLUMN message_salt BLOB;
ALTER TABLE transcript_lines ADD COLUMN message_time TEXT;
UPDATE transcript_lines SET message_salt = m.salt, message_time = m.created_at FROM messages m
  WHERE m.message_id = transcript_lines.message_id AND m.salt IS NOT NULL AND line_hash IS NOT NULL`,
      postgres: `ALTER TABLE transcript_lines ADD COLUMN message_salt bytea;
ALTER TABLE transcript_lines ADD COLUMN message_time timestamptz;
UPDATE transcript_lines l SET message_salt = m.salt, message_time = m.created_at FROM messages m
  WHERE m.tenant = l.tenant AND m.conversation_id = l.conversation_id AND m.seq = l.seq AND m.salt IS NOT NULL
    AND l.line_hash IS NOT NULL`,
    },
  },
  // `parent`: uid of the conversation that this one was forked from, or whose sub-agent it is. The parent may be deleted.
  {
    version: WITH_PARENTS,
    sql: `ALTER TABLE conversations ADD COLUMN parent TEXT;
ALTER TABLE conversations ADD COLUMN relation TEXT`,
  },
  // How many rows of other tables belong to a conversation, a memory, a scope of memories and a tenant. A seal cannot show
  // that a row is missing.
  {
    version: WITH_ROW_COUNTS,
    sql: {
      sqlite: rowCounts("INTEGER", {
        conversation: ["conversation_id"],
        memory: ["memory_id"],
        scope: ["scope_id"],
      }),
      postgres: rowCounts("bigint", {
        conversation: ["tenant", "conversation_id"],
        memory: ["tenant", "scope", "number"],
        scope: ["tenant", "scope"],
      }),
    },
  },
  // Viewers query the most recently changed memories twice a second.
  {
    version: 18,
    sql: {
      sqlite: "CREATE INDEX memories_changed_idx ON memories (scope_id, updated_at DESC, uid)",
      postgres: `CREATE INDEX memories_changed_idx ON memories (tenant, updated_at DESC, uid)
  WHERE updated_at > '-infinity'`,
    },
  },
];

/** `keys`: the columns that identify the owner of the rows. */
function rowCounts(
  type: string,
  keys: Readonly<Record<"conversation" | "memory" | "scope", readonly string[]>>,
): string {
  const counted = [
    ["conversations", "turn_count", "turns", keys.conversation],
    ["conversations", "receipt_count", "assembly_receipts", keys.conversation],
    ["memories", "event_count", "memory_events", keys.memory],
    ["memories", "source_count", "memory_sources", keys.memory],
    ["memories", "relation_count", "memory_relations", keys.memory],
    ["memory_scopes", "memory_count", "memories", keys.scope],
  ] as const;
  const columns = counted.map(([table, column, of, key]) => {
    const same = key.map((name) => `counted.${name} = ${table}.${name}`).join(" AND ");
    return `ALTER TABLE ${table} ADD COLUMN ${column} ${type} NOT NULL DEFAULT 0;
UPDATE ${table} SET ${column} = (SELECT count(*) FROM ${of} counted WHERE ${same})`;
  });
  const ofTenant = ["audit_log", "memory_decisions", "memory_captures"];
  const countOf = (table: string) =>
    `(SELECT count(*) FROM ${table} counted WHERE counted.tenant = known.tenant)`;
  return `${columns.join(";\n")};
CREATE TABLE tenant_counts (
  tenant        TEXT PRIMARY KEY,
  audit_records ${type} NOT NULL,
  decisions     ${type} NOT NULL,
  captures      ${type} NOT NULL
);
INSERT INTO tenant_counts (tenant, audit_records, decisions, captures)
  SELECT known.tenant, ${ofTenant.map(countOf).join(", ")}
  FROM (${ofTenant.map((table) => `SELECT tenant FROM ${table}`).join(" UNION ")}) known`;
}

function sealColumns(type: string): string {
  const tables = [
    "conversations",
    "turns",
    "assembly_receipts",
    "summaries",
    "compaction_events",
    "conversation_bootstrap_state",
    "audit_log",
    "memory_events",
    "memory_sources",
    "memory_relations",
    "memory_decisions",
    "memory_captures",
  ];
  return tables.map((table) => `ALTER TABLE ${table} ADD COLUMN seal ${type}`).join(";\n");
}

/** The version of a store after these changes. */
export function versionAfter(changes: readonly Migration[]): number {
  return Math.max(0, ...changes.map(({ version }) => version));
}

export const SCHEMA_VERSION = versionAfter(MIGRATIONS);

/** Refuses a store that this version of Palimpsest cannot migrate. `location` names the store. */
export function requireKnownVersion(version: number, engine: EngineName, location: string): number {
  if (version > SCHEMA_VERSION)
    throw new PalimpsestError(
      "store-newer",
      `${location} was written by a newer palimpsest (schema ${version}, this one knows ${SCHEMA_VERSION})`,
      { advice: "Update palimpsest: npm install palimpsest@latest. Nothing was changed." },
    );
  if (version < BASE_VERSION[engine])
    throw new PalimpsestError(
      "not-supported",
      `${location} has schema ${version}, from before the first release (this one migrates from ${BASE_VERSION[engine]})`,
      {
        advice: `Open it once with the commit ${LAST_WITH_EARLIER} of palimpsest, for example with: lcm status. Nothing was changed.`,
      },
    );
  return version;
}

/** The statements of the changes after version `since` in order, as this engine runs them. */
export function sqlOf(changes: readonly Migration[], engine: EngineName, since = 0): string {
  const missing = changes.filter(({ version }) => version > since);
  return missing.map(({ sql }) => `${typeof sql === "string" ? sql : sql[engine]};\n`).join("");
}
