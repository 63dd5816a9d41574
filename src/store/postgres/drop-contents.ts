/**
 * Removes contents that nothing refers to. Always in two statements: the first takes the lock that keeps out whoever
 * is about to refer to a content, the second looks whether somebody did before, and sees it, because every statement
 * sees what was committed before it began. In one, the look would be from before the wait for the lock.
 */
import type { Scope } from "../../types.ts";
import type { GarbageReport } from "../file-store.ts";
import type { Connections } from "./connections.ts";
import { byteaArray, bytes } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

const UNREFERENCED = `NOT EXISTS (
  SELECT FROM large_files f WHERE f.tenant = x.tenant AND f.content_hash = x.content_hash)`;

/** Bytes that the frames of a content take. */
const STORED = `(SELECT coalesce(sum(octet_length(c.bytes)), 0) FROM file_chunks c
  WHERE c.tenant = x.tenant AND c.content_hash = x.content_hash)`;

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

/** Contents that are looked at in one transaction. */
const BATCH = 500;

type GarbageRow = { tenant: string; hash: string; stored: number };

export async function collectGarbage(connections: Connections, dryRun: boolean): Promise<GarbageReport> {
  if (dryRun) return connections.read(countGarbage);
  const report = { contents: 0, bytes: 0 };
  let after: readonly [string, string] = ["", ""];
  for (;;) {
    const { candidates, dropped } = await connections.write((transaction) => dropBatch(transaction, after));
    report.contents += dropped.length;
    report.bytes += dropped.reduce((sum, { stored }) => sum + stored, 0);
    const last = candidates.at(-1);
    if (last === undefined) return report;
    after = [last.tenant, last.hash];
  }
}

async function countGarbage(session: Session): Promise<GarbageReport> {
  const row = await session.one<{ contents: number; bytes: number }>(
    `SELECT count(*) AS contents, coalesce(sum(${STORED}), 0) AS bytes FROM file_contents x WHERE ${UNREFERENCED}`,
  );
  return { contents: row?.contents ?? 0, bytes: row?.bytes ?? 0 };
}

/** What somebody holds just now is not garbage, or soon will not be. */
async function dropBatch(transaction: Transaction, [tenant, hash]: readonly [string, string]) {
  const candidates = await transaction.rows<Omit<GarbageRow, "stored">>(
    `SELECT tenant, encode(content_hash, 'hex') AS hash FROM file_contents x
     WHERE (tenant, content_hash) > ($1, $2::bytea) AND ${UNREFERENCED}
     ORDER BY tenant, content_hash LIMIT ${BATCH} FOR UPDATE OF x SKIP LOCKED`,
    tenant,
    bytes(hash),
  );
  if (candidates.length === 0) return { candidates, dropped: [] };
  const dropped = await transaction.rows<GarbageRow>(
    `DELETE FROM file_contents x USING unnest($1::text[], $2::bytea[]) AS candidate(tenant, content_hash)
     WHERE x.tenant = candidate.tenant AND x.content_hash = candidate.content_hash AND ${UNREFERENCED}
     RETURNING x.tenant, encode(x.content_hash, 'hex') AS hash, ${STORED} AS stored`,
    candidates.map((candidate) => candidate.tenant),
    byteaArray(candidates.map((candidate) => bytes(candidate.hash))),
  );
  return { candidates, dropped };
}
