/**
 * Removes contents that nothing refers to. Always in two statements: the first takes the lock that excludes writers of new
 * references, the second looks for existing references, and sees them, because every statement sees what was committed before
 * it began. In one statement, the snapshot would be from before the wait for the lock.
 */
import type { Scope } from "../../types.ts";
import type { GarbageReport } from "../file-store.ts";
import type { Connections } from "./connections.ts";
import { byteaArray, bytes } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

const UNREFERENCED = `NOT EXISTS (
  SELECT FROM large_files f WHERE f.tenant = $1 AND f.content_hash = x.content_hash)`;

/** Bytes of the frames of a content. */
const STORED = `(SELECT coalesce(sum(octet_length(c.bytes)), 0) FROM file_chunks c
  WHERE c.tenant = $1 AND c.content_hash = x.content_hash)`;

/** Those of the contents that nothing refers to any more. */
export async function dropUnreferenced(
  transaction: Transaction,
  scope: Scope,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return;
  const values = [scope.tenant, byteaArray([...new Set(hashes)].map((hash) => bytes(hash)))];
  transaction.send(
    `SELECT FROM file_contents WHERE tenant = $1 AND content_hash = ANY($2::bytea[])
     ORDER BY content_hash FOR UPDATE`,
    ...values,
  );
  await transaction.run(
    `DELETE FROM file_contents x WHERE tenant = $1 AND content_hash = ANY($2::bytea[]) AND ${UNREFERENCED}`,
    ...values,
  );
}

/** Contents that are checked in one transaction. */
const BATCH = 500;

/** Tenant by tenant, so that each statement concerns one of them. */
export async function collectGarbage(connections: Connections, dryRun: boolean): Promise<GarbageReport> {
  const report = { contents: 0, bytes: 0 };
  const tenants = await connections.read((session) =>
    session.rows<{ tenant: string }>("SELECT DISTINCT tenant FROM file_contents"),
  );
  for (const { tenant } of tenants) {
    const { contents, bytes: size } = dryRun
      ? await connections.read((session) => countGarbage(session, tenant))
      : await dropGarbage(connections, tenant);
    report.contents += contents;
    report.bytes += size;
  }
  return report;
}

async function countGarbage(session: Session, tenant: string): Promise<GarbageReport> {
  const row = await session.one<{ contents: number; bytes: number }>(
    `SELECT count(*) AS contents, coalesce(sum(${STORED}), 0) AS bytes FROM file_contents x
     WHERE x.tenant = $1 AND ${UNREFERENCED}`,
    tenant,
  );
  return { contents: row?.contents ?? 0, bytes: row?.bytes ?? 0 };
}

async function dropGarbage(connections: Connections, tenant: string): Promise<GarbageReport> {
  const report = { contents: 0, bytes: 0 };
  for (let after: string | undefined = ""; after !== undefined; ) {
    const hash: string = after;
    const { last, dropped } = await connections.write((transaction) => dropBatch(transaction, tenant, hash));
    report.contents += dropped.length;
    report.bytes += dropped.reduce((sum, { stored }) => sum + stored, 0);
    after = last;
  }
  return report;
}

/** A content that is locked just now is not garbage, or soon will not be. */
async function dropBatch(transaction: Transaction, tenant: string, after: string) {
  const candidates = await transaction.rows<{ hash: string }>(
    `SELECT encode(content_hash, 'hex') AS hash FROM file_contents x
     WHERE x.tenant = $1 AND x.content_hash > $2::bytea AND ${UNREFERENCED}
     ORDER BY content_hash LIMIT ${BATCH} FOR UPDATE OF x SKIP LOCKED`,
    tenant,
    bytes(after),
  );
  const last = candidates.at(-1)?.hash;
  if (last === undefined) return { last, dropped: [] };
  const dropped = await transaction.rows<{ stored: number }>(
    `DELETE FROM file_contents x WHERE x.tenant = $1 AND x.content_hash = ANY($2::bytea[]) AND ${UNREFERENCED}
     RETURNING ${STORED} AS stored`,
    tenant,
    byteaArray(candidates.map(({ hash }) => bytes(hash))),
  );
  return { last, dropped };
}
