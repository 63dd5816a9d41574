/**
 * Stores contents of files, each once in its tenant. A writer locks the row of a content, in shared mode, before it refers to
 * it: a content without references may be garbage for another process, and removing it needs a lock that waits until this
 * transaction has ended.
 */
import type { Scope } from "../../types.ts";
import { type Frame, type FramedContent, FrameMaker } from "../frames.ts";
import { contentBatches } from "./content.ts";
import { byteaArray, bytes } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

/** Contents by their hashes. */
type NewContents = ReadonlyMap<string, Uint8Array>;

/** Stores unknown contents, and locks all of them. Returns which of `given`, hashes without contents, are stored. */
export async function putContents(
  transaction: Transaction,
  scope: Scope,
  contents: NewContents,
  given: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await holdContents(transaction, scope, [...contents.keys(), ...given]);
  const unknown = [...contents].filter(([hash]) => !known.has(hash));
  const framed = await Promise.all(unknown.map(([, content]) => frameContent(content)));
  insertContents(
    transaction,
    scope,
    framed.map(({ content }) => content),
  );
  insertFrames(
    transaction,
    scope,
    framed.flatMap(({ content: { hash }, frames }) =>
      frames.map(({ stored }, number) => ({ hash, number, content: { stored } })),
    ),
  );
  return new Set(given.filter((hash) => known.has(hash) || contents.has(hash)));
}

/** Replaces damaged frames by those made from the contents. */
export async function renewContents(
  transaction: Transaction,
  scope: Scope,
  contents: NewContents,
): Promise<void> {
  const framed = await Promise.all([...contents.values()].map(frameContent));
  const written = framed.map(({ content }) => content);
  insertContents(transaction, scope, written);
  transaction.send(
    `UPDATE file_contents f SET line_count = w.lines, frames = w.frames
     FROM unnest($2::bytea[], $3::bigint[], $4::bytea[]) AS w(hash, lines, frames)
     WHERE f.tenant = $1 AND f.content_hash = w.hash`,
    scope.tenant,
    byteaArray(written.map(({ hash }) => bytes(hash))),
    written.map(({ lines }) => lines),
    byteaArray(written.map(({ table }) => table)),
  );
  transaction.send(
    "DELETE FROM file_chunks WHERE tenant = $1 AND content_hash = ANY($2::bytea[])",
    scope.tenant,
    byteaArray(written.map(({ hash }) => bytes(hash))),
  );
  insertFrames(
    transaction,
    scope,
    framed.flatMap(({ content: { hash }, frames }) =>
      frames.map(({ stored }, number) => ({ hash, number, content: { stored } })),
    ),
  );
}

async function holdContents(
  transaction: Transaction,
  scope: Scope,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction.rows<{ hash: string }>(
    `SELECT encode(content_hash, 'hex') AS hash FROM file_contents
     WHERE tenant = $1 AND content_hash = ANY($2::bytea[]) ORDER BY content_hash FOR KEY SHARE`,
    scope.tenant,
    byteaArray([...new Set(hashes)].map((hash) => bytes(hash))),
  );
  return new Set(rows.map(({ hash }) => hash));
}

async function frameContent(content: Uint8Array): Promise<{
  readonly content: FramedContent;
  readonly frames: readonly Frame[];
}> {
  const maker = new FrameMaker();
  const frames = [...(await maker.addInBackground(content)), ...maker.end()];
  return { content: maker.content, frames };
}

/**
 * Waits for another transaction that stores the same content. An UPDATE without a change locks the row, as above; DO NOTHING
 * would not.
 */
export function insertContents(
  transaction: Transaction,
  scope: Scope,
  contents: readonly FramedContent[],
): void {
  if (contents.length === 0) return;
  // In one order everywhere, which prevents deadlocks between writers of the same contents.
  const sorted = contents.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  transaction.send(
    `INSERT INTO file_contents (tenant, content_hash, byte_size, line_count, frames)
     SELECT $1::text, * FROM unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::bytea[])
     ON CONFLICT (tenant, content_hash) DO UPDATE SET byte_size = excluded.byte_size`,
    scope.tenant,
    byteaArray(sorted.map(({ hash }) => bytes(hash))),
    sorted.map((content) => content.bytes),
    sorted.map(({ lines }) => lines),
    byteaArray(sorted.map(({ table }) => table)),
  );
}

interface NumberedFrame {
  readonly hash: string;
  readonly number: number;
  readonly content: Pick<Frame, "stored">;
}

/** The frames of a content are stored with it, in one transaction: either all of them exist, or none. */
export function insertFrames(transaction: Transaction, scope: Scope, frames: readonly NumberedFrame[]): void {
  for (const batch of contentBatches(frames))
    transaction.send(
      `INSERT INTO file_chunks (tenant, content_hash, number, bytes)
       SELECT $1::text, * FROM unnest($2::bytea[], $3::integer[], $4::bytea[])
       ON CONFLICT (tenant, content_hash, number) DO NOTHING`,
      scope.tenant,
      byteaArray(batch.map(({ hash }) => bytes(hash))),
      batch.map(({ number }) => number),
      byteaArray(batch.map(({ content }) => content.stored)),
    );
}
