/** Reads contents of files: a part of one, or several whole. A frame is a row, so no row is large. */
import { joinBytes } from "../../text/bytes.ts";
import type { Scope } from "../../types.ts";
import { FRAME_BYTES, MOST_FILE_BYTES, type StoredFile } from "../file-store.ts";
import { cutRange, FrameIndex, openFrame, requireTable } from "../frames.ts";
import { damagedContent } from "../store-errors.ts";
import { bytes } from "./rows.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

/** The content of a file of the scope. */
const OF_FILE = `SELECT x.content_hash, x.byte_size, x.frames FROM large_files f
  JOIN file_contents x ON x.tenant = $1 AND x.content_hash = f.content_hash
  WHERE f.tenant = $1 AND f.agent = $2 AND f.file_id = $3`;
const BY_HASH =
  "SELECT content_hash, byte_size, frames FROM file_contents WHERE tenant = $1 AND content_hash = $2";

export async function readFileLines(
  session: Session,
  scope: Scope,
  id: string,
): Promise<Uint32Array | undefined> {
  const row = await session.one<{ byte_size: number; frames: Buffer }>(
    OF_FILE,
    scope.tenant,
    scope.agent,
    id,
  );
  if (row === undefined) return undefined;
  // Copied: the driver's buffers are parts of the received data.
  return new FrameIndex(new Uint8Array(row.frames), row.byte_size).lineFeeds;
}

export function readFileBytes(
  session: Session,
  scope: Scope,
  id: string,
  start: number,
  end: number,
): Promise<Uint8Array | undefined> {
  const last = Math.min(end, start + MOST_FILE_BYTES);
  return readRange(session, FRAMES_OF_FILE, [scope.tenant, scope.agent, id], start, last);
}

/** In pieces, for callers that read all of it. At least one, also for an empty content. */
export async function* contentPieces(
  session: Session | Transaction,
  scope: Scope,
  { content, bytes: size }: StoredFile,
): AsyncGenerator<[number, Uint8Array]> {
  const step = Math.floor(MOST_FILE_BYTES / 4 / FRAME_BYTES) * FRAME_BYTES;
  const values = [scope.tenant, bytes(content)];
  for (let start = 0; start === 0 || start < size; start += step)
    yield [
      start,
      (await readRange(session, FRAMES_BY_HASH, values, start, start + step)) ?? new Uint8Array(),
    ];
}

/** One row for each frame of a range; a single row without a frame if there is none. */
function framesOf(which: string, next: number): string {
  return `SELECT found.byte_size, octet_length(found.frames) AS table_bytes, frame.number, frame.bytes FROM (${which}) found
    LEFT JOIN LATERAL (
      SELECT number, bytes FROM file_chunks c WHERE c.tenant = $1 AND c.content_hash = found.content_hash
        AND number >= $${next}::bigint AND number < $${next + 1}::bigint ORDER BY number) frame ON true
    ORDER BY frame.number`;
}

const FRAMES_OF_FILE = framesOf(OF_FILE, 4);
const FRAMES_BY_HASH = framesOf(BY_HASH, 3);

type FrameRow = NumberedBytes & { byte_size: number; table_bytes: number };
type NumberedBytes = { number: number | null; bytes: Buffer | null };

/** Bytes from `start` up to `end`; undefined if the content does not exist. */
async function readRange(
  session: Session | Transaction,
  select: string,
  values: readonly unknown[],
  start: number,
  end: number,
): Promise<Uint8Array | undefined> {
  const [first, behind] = [Math.floor(start / FRAME_BYTES), Math.ceil(Math.max(start, end) / FRAME_BYTES)];
  const rows = await session.rows<FrameRow>(select, ...values, first, behind);
  const [row] = rows;
  if (row === undefined) return undefined;
  requireTable(row.table_bytes, row.byte_size);
  const last = Math.min(end, row.byte_size);
  if (start >= last) return new Uint8Array();
  const frames = openFrames(rows, first, Math.ceil(last / FRAME_BYTES), row.byte_size);
  return cutRange(frames, first, start, last);
}

/** Frames that must be consecutive, without a gap. */
function openFrames(
  rows: readonly NumberedBytes[],
  first: number,
  behind: number,
  contentBytes: number,
): Uint8Array[] {
  return Array.from({ length: behind - first }, (_, index) => {
    const row = rows[index];
    if (row?.number !== first + index || row.bytes === null)
      throw damagedContent(`frame ${first + index} is missing`);
    return openFrame(row.bytes, first + index, contentBytes);
  });
}

const WHOLE_CONTENTS = `
  SELECT wanted.place::int AS place, f.file_id IS NOT NULL AS is_there, frame.number, frame.bytes
  FROM unnest($2::text[]) WITH ORDINALITY AS wanted(file_id, place)
  LEFT JOIN LATERAL (
    SELECT file_id, content_hash FROM large_files WHERE tenant = $1 AND file_id = wanted.file_id LIMIT 1) f ON true
  LEFT JOIN LATERAL (
    SELECT number, bytes FROM file_chunks c WHERE c.tenant = $1 AND c.content_hash = f.content_hash
    ORDER BY number) frame ON true
  ORDER BY wanted.place, frame.number`;

type WholeRow = { place: number; is_there: boolean; number: number | null; bytes: Buffer | null };

/** A content, opened on request; damage is reported then. */
export type OpenContent = () => Uint8Array;

/**
 * Contents by their hashes, each read once. Undefined if one of the files was removed since it was read: its message was
 * erased or contains it itself again, and has to be read again.
 */
export async function readWholeContents(
  session: Session | Transaction,
  scope: Scope,
  files: readonly StoredFile[],
): Promise<ReadonlyMap<string, OpenContent> | undefined> {
  const byHash = new Map(files.map((file) => [file.content, file]));
  if (byHash.size === 0) return new Map();
  const wanted = [...byHash.values()];
  const rows = await session.rows<WholeRow>(
    WHOLE_CONTENTS,
    scope.tenant,
    wanted.map(({ id }) => id),
  );
  if (rows.some(({ is_there }) => !is_there)) return undefined;
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return new Map(
    wanted.map((file, index): [string, OpenContent] => [
      file.content,
      () => {
        const frames = byPlace.get(index + 1) ?? [];
        return joinBytes(openFrames(frames, 0, Math.ceil(file.bytes / FRAME_BYTES), file.bytes));
      },
    ]),
  );
}
