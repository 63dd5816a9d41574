/**
 * Contents of files on their way in, each once in its tenant. Whoever is about to refer to a content holds its row
 * first, with a lock that others may share: a content that nothing refers to yet may be garbage to somebody else, and
 * removing it takes a lock that this one keeps out until the transaction has ended.
 */
import type { Scope } from "../../types.ts";
import { type Frame, type FramedContent, FrameMaker } from "../frames.ts";
import { contentBatches } from "./content.ts";
import { byteaArray, bytes } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

/** Contents by their hashes. */
type NewContents = ReadonlyMap<string, Uint8Array>;

/** Puts in what is not known, and holds it all. Answers with what is on record of `given`, hashes without contents. */
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

/** Frames that are damaged make way for those that are made from the contents. */
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
 * A content that somebody else puts in at the same time is waited for. Updating it with what it is holds it, as above;
 * doing nothing would not.
 */
export function insertContents(
  transaction: Transaction,
  scope: Scope,
  contents: readonly FramedContent[],
): void {
  if (contents.length === 0) return;
  // In one order everywhere, so that two writers of the same contents do not wait for each other.
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

/** The frames of a content come with it, in one transaction: either all of them are there already, or none is. */
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
