/**
 * Lists backups: those in the store's folder, and those written elsewhere, whose path the audit log
 * records. An erasure reports them, since they still contain the erased words.
 */
import { type Engine, internalsOf } from "../../engine.ts";
import { isPalimpsestError } from "../../errors.ts";
import { everyRow } from "../../store/every-row.ts";
import type { DumpRow } from "../../store/store.ts";
import { fileErrorCode } from "../../text/file-problem.ts";
import { isoTime } from "../../text/timestamps.ts";
import { type Backup, backupFolder, describeBackup, listBackups } from "./backups.ts";

const ACTION = "backup";

type AuditRow = Extract<DumpRow, { row: "audit" }>;

interface KnownBackups {
  /** Newest first. */
  readonly backups: readonly Backup[];
  /** Files elsewhere that no longer exist: moved or removed. */
  readonly missing: readonly string[];
}

export async function knownBackups(engine: Engine): Promise<KnownBackups> {
  const near = await listBackups(backupFolder(engine.config));
  const listed = new Set(near.map(({ file }) => file));
  const recorded = (await backupRecords(engine)).flatMap((record) => fileOf(record) ?? []);
  const far = [...new Set(recorded)].filter((file) => !listed.has(file));
  const looked = await Promise.all(far.map(async (file) => ({ file, backup: await findBackup(file) })));
  const backups = [...near, ...looked.flatMap(({ backup }) => backup ?? [])];
  return {
    backups: backups.toSorted((a, b) => b.at.localeCompare(a.at)),
    missing: looked.flatMap(({ file, backup }) => (backup === null ? [file] : [])),
  };
}

/** A read-only store is backed up too; a failed record is logged. */
export async function recordBackup(engine: Engine, file: string): Promise<void> {
  const { store, config } = engine;
  const { clock, log } = internalsOf(engine);
  const { tenant, agent } = config;
  const place = { tenant, agent, action: ACTION, conversation: null };
  const record: AuditRow = {
    row: "audit",
    ...place,
    at: isoTime(clock()),
    detail: JSON.stringify({ file }),
  };
  try {
    await store.load(only(record), { replace: false });
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    log.warn({ file, problem: error.message }, "the location of the backup could not be recorded");
  }
}

/** The backups in the audit log, of every tenant and agent, since each contains the whole store. */
export async function backupRecords({ store }: Engine): Promise<readonly AuditRow[]> {
  const records: AuditRow[] = [];
  for (const scope of await store.scopes())
    for await (const record of everyRow((from) => store.scoped(scope).auditLog({ from })))
      if (record.action === ACTION) records.push({ row: "audit", ...scope, ...record });
  return records;
}

function fileOf({ detail }: AuditRow): string | undefined {
  const { file }: { file?: unknown } = JSON.parse(detail);
  return typeof file === "string" ? file : undefined;
}

async function findBackup(file: string): Promise<Backup | null> {
  try {
    return await describeBackup(file);
  } catch (error) {
    // A folder without read permission may still contain it.
    const isGone = ["ENOENT", "ENOTDIR"].includes(fileErrorCode(error) ?? "");
    return isGone ? null : { file, at: "", bytes: 0 };
  }
}

async function* only<Row>(row: Row): AsyncIterable<Row> {
  yield row;
}
