/** Maintenance of PostgreSQL's own files for the operator: checks that they are intact, and removes erased content. */
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { messageOf, PalimpsestError } from "../../errors.ts";
import { counted } from "../../text/counted.ts";
import { brokenSeals } from "../reads/broken-seals.ts";
import { Session } from "./session.ts";

/** Tables that an erasure changes. */
const ERASED_FROM = [
  "conversations",
  "messages",
  "large_files",
  "file_contents",
  "file_chunks",
  "message_parts",
  "summaries",
  "context_items",
  "context_exclusions",
  "assembly_receipts",
  "conversation_bootstrap_state",
  "transcript_lines",
  "turns",
  "memories",
  "memory_sources",
  "memory_relations",
  "memory_uses",
  "memory_events",
  "memory_decisions",
  "memory_vectors",
  "memory_vector_bits",
  "message_vectors",
  "message_vector_bits",
  "memory_segments",
  "search_segments",
  "search_runs",
  "search_pages",
];

/** Tables in which the planner keeps values of columns. */
const STATISTICS = ["pg_statistic", "pg_statistic_ext_data"];

const OLDER_TRANSACTIONS_TIMEOUT_MS = 60_000;

/**
 * FULL rewrites the tables: a plain VACUUM frees the space of erased rows and leaves their bytes in it. ANALYZE replaces the
 * planner's statistics, which hold values of columns. That leaves dead rows in the catalogs, so these are rewritten last, and
 * only once no transaction can see the dead rows any more: FULL would copy them.
 */
export async function compactFiles(client: pg.Client): Promise<void> {
  const session = new Session(client);
  const warnings: string[] = [];
  client.on("notice", ({ severity, message }) => {
    if (severity === "WARNING" && message !== undefined) warnings.push(message);
  });
  await rewrite(session, ERASED_FROM);
  warnings.push(...(await dropStatisticsOfEmptyTables(session)));
  await rewrite(session, STATISTICS);
  // A table that this user may not vacuum is skipped with a warning.
  if (warnings.length === 0) {
    await session.script("DELETE FROM erasure_cleanups");
    return;
  }
  throw new PalimpsestError("store-readonly", `not all tables could be compacted: ${warnings.join("; ")}`, {
    advice:
      "Run this as the owner of the database. Nobody can read the erased content through the store, but it is still in the server's files.",
  });
}

async function rewrite(session: Session, tables: readonly string[]): Promise<void> {
  await olderTransactionsEnded(session);
  for (const table of tables) await session.script(`VACUUM (FULL, ANALYZE) ${table}`);
}

/** Indexes on expressions have their own statistics. */
const STATISTICS_OF_EMPTY_TABLES = `
  SELECT s.schemaname, s.tablename, s.attname, s.inherited, c.oid FROM pg_class t
  JOIN pg_class c ON c.oid = t.oid OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = t.oid)
  JOIN pg_stats s ON s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname
  WHERE t.oid = ANY ($1::text[]::regclass[]) AND t.reltuples = 0`;

const CLEAR_IN_18 = `SELECT pg_clear_attribute_stats(schemaname, tablename, attname, inherited)
  FROM (${STATISTICS_OF_EMPTY_TABLES}) empty`;
const CLEAR_BEFORE_18 = `DELETE FROM pg_statistic WHERE starelid IN (SELECT oid FROM (${STATISTICS_OF_EMPTY_TABLES}) empty)`;

/**
 * ANALYZE does not change the statistics of an empty table, which contain values of its last rows. From PostgreSQL 18 on the
 * owner of a table can clear them; before, only a superuser can. Returns why they could not be cleared.
 */
async function dropStatisticsOfEmptyTables(session: Session): Promise<string[]> {
  const left = await session.rows<{ tablename: string }>(STATISTICS_OF_EMPTY_TABLES, ERASED_FROM);
  if (left.length === 0) return [];
  const version = await session.one<{ major: number }>(
    "SELECT current_setting('server_version_num')::int / 10000 AS major",
  );
  try {
    await session.run((version?.major ?? 0) >= 18 ? CLEAR_IN_18 : CLEAR_BEFORE_18, ERASED_FROM);
    return [];
  } catch (error) {
    const tables = new Set(left.map(({ tablename }) => tablename));
    return [`the statistics of ${[...tables].join(", ")} cannot be cleared: ${messageOf(error)}`];
  }
}

/**
 * VACUUM keeps rows that an earlier transaction may still see: readers of this database, writers anywhere on the server, and
 * replicas. They must end first.
 */
async function olderTransactionsEnded(session: Session): Promise<void> {
  const now = await session.one<{ xid: string }>("SELECT pg_current_xact_id()::text AS xid");
  for (const deadline = Date.now() + OLDER_TRANSACTIONS_TIMEOUT_MS; ; await delay(100)) {
    const older = await session.one(
      `SELECT WHERE pg_snapshot_xmin(pg_current_snapshot()) <= $1::xid8 OR EXISTS (
         SELECT FROM pg_stat_activity WHERE (datname = current_database() OR datname IS NULL)
           AND pid <> pg_backend_pid() AND age(backend_xmin) >= age($1::xid8::xid))
         OR EXISTS (SELECT FROM pg_replication_slots
           WHERE greatest(age(xmin), age(catalog_xmin)) >= age($1::xid8::xid))`,
      now?.xid,
    );
    if (older === undefined) return;
    if (Date.now() < deadline) continue;
    throw new PalimpsestError("busy", "a transaction that began before the erasure is still open", {
      advice:
        "Wait until running backups and exports have ended and replicas have caught up, then try again.",
    });
  }
}

/** Reads every row, so that damaged pages are detected; indexes are checked if the extension amcheck is installed. */
export async function checkEngine(client: pg.Client): Promise<string[]> {
  const session = new Session(client);
  const problems: string[] = [];
  const attempt = async (name: string, sql: string) => {
    await session.script(sql).catch((error) => problems.push(`${name}: ${messageOf(error)}`));
  };
  for (const table of await relations(session, "r"))
    await attempt(table, `SELECT count(row) FROM (SELECT * FROM ${table}) row`);
  const amcheck = await findAmcheck(session);
  for (const index of amcheck === undefined ? [] : await relations(session, "i"))
    await attempt(index, `SELECT ${amcheck}.bt_index_check('${index}'::regclass)`);
  problems.push(...(await orphans(session)));
  await brokenSeals(session).then(
    (broken) => problems.push(...broken),
    (error) => problems.push(`seals: ${messageOf(error)}`),
  );
  return problems;
}

type Reference = { child: string; parent: string; columns: string[]; parents: string[] };

/** Missing targets of these are found for each conversation by another check, and can be repaired. */
const SUMMARY_LINKS = ["summary_messages", "summary_parents"];

/** Rows that refer to missing rows: the server enforces references for writes, but does not detect damage. */
async function orphans(session: Session): Promise<string[]> {
  const references = await session.rows<Reference>(
    `SELECT r.conrelid::regclass::text AS child, r.confrelid::regclass::text AS parent,
       array_agg(quote_ident(a.attname) ORDER BY k.place) AS columns,
       array_agg(quote_ident(b.attname) ORDER BY k.place) AS parents
     FROM pg_constraint r CROSS JOIN unnest(r.conkey, r.confkey) WITH ORDINALITY AS k(own, other, place)
     JOIN pg_attribute a ON a.attrelid = r.conrelid AND a.attnum = k.own
     JOIN pg_attribute b ON b.attrelid = r.confrelid AND b.attnum = k.other
     WHERE r.contype = 'f' AND r.connamespace = current_schema()::regnamespace
     GROUP BY r.oid, r.conrelid, r.confrelid ORDER BY child, parent`,
  );
  const problems: string[] = [];
  for (const { child, parent, columns, parents } of references) {
    if (SUMMARY_LINKS.includes(child)) continue;
    const same = columns.map((column, place) => `p.${parents[place]} = c.${column}`).join(" AND ");
    const isSet = columns.map((column) => `c.${column} IS NOT NULL`).join(" AND ");
    const found = await session.one<{ count: number }>(
      `SELECT count(*) AS count FROM ${child} c WHERE ${isSet} AND NOT EXISTS (SELECT 1 FROM ${parent} p WHERE ${same})`,
    );
    if (found !== undefined && found.count > 0)
      problems.push(`${child}: ${counted(found.count, "row")} without the row of ${parent} they belong to`);
  }
  return problems;
}

/** Only the indexes that amcheck supports: those of pgvector have another type. */
async function relations(session: Session, kind: "r" | "i"): Promise<string[]> {
  const rows = await session.rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = $1
       AND (relkind <> 'i' OR relam = (SELECT oid FROM pg_am WHERE amname = 'btree')) ORDER BY relname`,
    kind,
  );
  return rows.map((row) => row.name);
}

/** The schema of amcheck, if it is installed and this user may call it. */
async function findAmcheck(session: Session): Promise<string | undefined> {
  const found = await session.one<{ schema: string }>(
    `SELECT quote_ident(n.nspname) AS schema
     FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
     JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = 'bt_index_check' AND p.pronargs = 1
     WHERE e.extname = 'amcheck' AND has_schema_privilege(n.oid, 'USAGE')
       AND has_function_privilege(p.oid, 'EXECUTE')`,
  );
  return found?.schema;
}
