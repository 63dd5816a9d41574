/**
 * Reads and writes contents. The driver returns every value as text, and bytes as two characters each, so a content of
 * hundreds of megabytes would exceed the longest possible string: it is read in slices, one row each, by one statement and so
 * from one snapshot.
 */
import { decodeContent } from "../content-encoding.ts";

const SLICE_BYTES = 4 * 1024 * 1024;
/** One statement carries at most this much content and this many rows; a single larger content is sent alone. */
const BATCH_BYTES = 32 * 1024 * 1024;
const BATCH_ROWS = 1_000;

/** Cuts rows into groups that one statement can carry. */
export function* contentBatches<Row extends { readonly content: { readonly stored: Uint8Array | null } }>(
  rows: readonly Row[],
): Generator<readonly Row[]> {
  let start = 0;
  let bytes = 0;
  for (const [index, { content }] of rows.entries()) {
    const size = content.stored?.byteLength ?? 0;
    if (index > start && (index - start >= BATCH_ROWS || bytes + size > BATCH_BYTES)) {
      yield rows.slice(start, index);
      start = index;
      bytes = 0;
    }
    bytes += size;
  }
  if (start < rows.length) yield rows.slice(start);
}

/** Columns for a content in `page`, a row source with `encoding` and `content`, joined with `SLICES`. */
export const CONTENT_COLUMNS = `page.encoding, slice.number AS slice, octet_length(page.content) AS stored_size,
  CASE WHEN page.encoding = 'text' AND octet_length(page.content) <= ${SLICE_BYTES}
    THEN convert_from(page.content, 'UTF8') END AS text,
  CASE WHEN page.encoding <> 'text' OR octet_length(page.content) > ${SLICE_BYTES}
    THEN substring(page.content FROM slice.number * ${SLICE_BYTES} + 1 FOR ${SLICE_BYTES}) END AS bytes`;

export const SLICES = `CROSS JOIN LATERAL
  generate_series(0, greatest(coalesce(octet_length(page.content), 0) - 1, 0) / ${SLICE_BYTES}) AS slice(number)`;

/**
 * Columns that cut a page by size: which position follows each row, and how many bytes came before it. The condition keeps
 * the rows before which the page was not full, at most $limit of them.
 */
export function pageWindow(position: string): string {
  return `lead(${position}) OVER by_position AS following, row_number() OVER by_position AS rank,
    coalesce(sum(content_size) OVER (ORDER BY ${position}
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before`;
}

export type ContentRow = {
  encoding: string | null;
  slice: number;
  stored_size: number | null;
  text: string | null;
  bytes: Buffer | null;
  following: number | null;
};

/** The rows of a page with their whole contents: slices of one content are consecutive. */
export function* joinSlices<Row extends ContentRow>(
  rows: readonly Row[],
): Generator<{ readonly row: Row; readonly content: string | Uint8Array | null }> {
  for (let index = 0; index < rows.length; ) {
    const row = rows[index] as Row;
    const count = Math.max(1, Math.ceil((row.stored_size ?? 0) / SLICE_BYTES));
    const stored = row.text ?? concatenate(rows.slice(index, index + count));
    yield { row, content: decodeContent(row.encoding, stored) };
    index += count;
  }
}

function concatenate(slices: readonly ContentRow[]): Uint8Array | null {
  const first = slices[0]?.bytes ?? null;
  if (first === null || slices.length === 1) return first;
  const whole = Buffer.allocUnsafe(slices[0]?.stored_size ?? 0);
  for (const { slice, bytes } of slices) if (bytes !== null) whole.set(bytes, slice * SLICE_BYTES);
  return whole;
}
