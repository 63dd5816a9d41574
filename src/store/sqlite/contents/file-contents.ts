/** Contents of files: stored once, read in part, and removed when nothing refers to them. */
import { createHash } from "node:crypto";
import { isPalimpsestError } from "../../../errors.ts";
import { joinBytes } from "../../../text/bytes.ts";
import { FRAME_BYTES, type GarbageReport, MOST_FILE_BYTES, type PutContent } from "../../file-store.ts";
import { cutRange, type FramedContent, FrameIndex, FrameMaker, openFrame } from "../../frames.ts";
import { damagedContent } from "../../store-errors.ts";
import type { Database } from "../database.ts";
import { bytes, hex } from "../rows.ts";
import type { StoredRange, WrittenContent } from "./content-folder.ts";

/** Larger contents are stored beside the database: making a file durable takes as long as many rows. */
const LARGEST_IN_ROW = 64 * 1024;

/** Stores a content unless it exists. Part of a transaction. */
export function putContent(database: Database, hash: string, content: Uint8Array): void {
  if (isThere(database, hash)) return;
  if (content.byteLength <= LARGEST_IN_ROW) {
    const maker = new FrameMaker(hash);
    const frames = [...maker.add(content), ...maker.end()].map(({ stored }) => stored);
    insertContent(database, maker.content, joinBytes(frames));
    return;
  }
  const writer = database.contents.startWriting(hash);
  try {
    writer.add(content);
    keepWritten(database, writer.end());
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** Stores a content that was written beside the database, unless it exists. Part of a transaction. */
export function keepWritten(database: Database, written: WrittenContent): PutContent {
  const { hash, bytes: size, lines } = written.content;
  if (!isThere(database, hash)) {
    database.contents.keep(written);
    insertContent(database, written.content, null);
  }
  return { hash, bytes: size, lines };
}

/** Whether it exists, and its file beside the database is intact: a lost or damaged one is restored. */
function isThere(database: Database, hash: string): boolean {
  if (!isKnown(database, hash)) return false;
  try {
    const digest = createHash("sha256");
    for (const [, piece] of contentPieces(database, hash, sizeOf(database, hash))) digest.update(piece);
    return digest.digest("hex") === hash;
  } catch (error) {
    if (!isPalimpsestError(error, "store-corrupt")) throw error;
    return false;
  }
}

function sizeOf(database: Database, hash: string): number {
  const statement = "SELECT byte_size FROM file_contents WHERE content_hash = ?";
  return database.one<{ byte_size: number }>(statement, bytes(hash))?.byte_size ?? 0;
}

export function isKnown(database: Database, hash: string): boolean {
  return (
    database.one("SELECT 1 AS found FROM file_contents WHERE content_hash = ?", bytes(hash)) !== undefined
  );
}

function insertContent(
  database: Database,
  { hash, bytes: size, lines, table }: FramedContent,
  stored: Uint8Array | null,
): void {
  database.run(
    `INSERT INTO file_contents (content_hash, byte_size, line_count, frames, content) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (content_hash) DO UPDATE SET byte_size = excluded.byte_size, line_count = excluded.line_count,
       frames = excluded.frames, content = excluded.content`,
    bytes(hash),
    size,
    lines,
    table,
    stored,
  );
}

type ContentRow = { byte_size: number; frames: Uint8Array; content: Uint8Array | null };

/** Bytes from `start` up to `end`; undefined if the content does not exist. */
export function readContent(
  database: Database,
  hash: string,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): Uint8Array | undefined {
  const row = database.one<ContentRow>(
    "SELECT byte_size, frames, content FROM file_contents WHERE content_hash = ?",
    bytes(hash),
  );
  if (row === undefined) return undefined;
  const index = new FrameIndex(row.frames, row.byte_size);
  const last = Math.min(end, row.byte_size);
  if (start >= last) return new Uint8Array();
  const { first, behind } = index.framesOf(start, last);
  const stored = storedBytes(database, hash, row.content, index, index.storedRange(first, behind));
  const frames: Uint8Array[] = [];
  for (let frame = first, at = 0; frame < behind; at += index.storedSize(frame++))
    frames.push(openFrame(stored.subarray(at, at + index.storedSize(frame)), frame, row.byte_size));
  return cutRange(frames, first, start, last);
}

/** From its row, or from the file beside the database. */
function storedBytes(
  database: Database,
  hash: string,
  inRow: Uint8Array | null,
  index: FrameIndex,
  range: StoredRange,
): Uint8Array {
  if (inRow === null) return database.contents.read(hash, index.storedBytes, range);
  if (inRow.byteLength !== index.storedBytes) throw damagedContent("its frames do not match their table");
  return inRow.subarray(range.offset, range.offset + range.length);
}

/** In pieces, for callers that read all of it; one empty piece for an empty content. */
export function* contentPieces(
  database: Database,
  hash: string,
  size: number,
): Generator<[number, Uint8Array]> {
  const step = Math.floor(MOST_FILE_BYTES / 4 / FRAME_BYTES) * FRAME_BYTES;
  let start = 0;
  do {
    yield [start, readContent(database, hash, start, start + step) ?? new Uint8Array()];
    start += step;
  } while (start < size);
}

export function readLineFeeds(database: Database, hash: string): Uint32Array | undefined {
  const row = database.one<Pick<ContentRow, "byte_size" | "frames">>(
    "SELECT byte_size, frames FROM file_contents WHERE content_hash = ?",
    bytes(hash),
  );
  return row === undefined ? undefined : new FrameIndex(row.frames, row.byte_size).lineFeeds;
}

const UNREFERENCED = `NOT EXISTS (SELECT 1 FROM large_files f WHERE f.content_hash = file_contents.content_hash)`;

type DroppedRow = { content_hash: Uint8Array; stored: number };

/** Deletes those of the contents that nothing refers to any more. Part of a transaction; `removeDropped` follows it. */
export function dropUnreferenced(database: Database, hashes: readonly string[]): void {
  for (const hash of new Set(hashes)) {
    const dropped = database.run(
      `DELETE FROM file_contents WHERE content_hash = ? AND ${UNREFERENCED}`,
      bytes(hash),
    );
    if (dropped > 0) database.droppedContents.add(hash);
  }
}

/**
 * Removes files whose rows were deleted by a committed transaction. Holds the write lock, so that no other process stores the
 * same content meanwhile; garbage collection finds the remnants of an interruption.
 */
export function removeDropped(database: Database): void {
  if (database.droppedContents.size === 0) return;
  database.transaction(() => {
    for (const hash of database.droppedContents) if (!isKnown(database, hash)) database.contents.remove(hash);
  });
  database.droppedContents.clear();
}

/** Contents that nothing refers to, and files without a row. */
export function collectGarbage(database: Database, dryRun: boolean): GarbageReport {
  const rows = database.transaction(() =>
    dryRun
      ? database.all<DroppedRow>(
          `SELECT content_hash, ${STORED} AS stored FROM file_contents WHERE ${UNREFERENCED}`,
        )
      : database.all<DroppedRow>(
          `DELETE FROM file_contents WHERE ${UNREFERENCED} RETURNING content_hash, ${STORED} AS stored`,
        ),
  );
  const dropped = new Set(rows.map((row) => hex(row.content_hash)));
  const report = { contents: rows.length, bytes: rows.reduce((sum, row) => sum + row.stored, 0) };
  return database.transaction(() => {
    for (const { hash, file, bytes: size } of database.contents.list()) {
      if (hash !== null && !dropped.has(hash) && isKnown(database, hash)) continue;
      report.bytes += size;
      if (hash === null || !dropped.has(hash)) report.contents++;
      if (!dryRun) database.contents.removeFile(file);
    }
    return report;
  });
}

/** The size of a content in its row. */
const STORED = "coalesce(length(content), 0)";
