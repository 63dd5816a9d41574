/** Rows with large contents from a thread: the contents are concatenated in one buffer that is transferred. */
import { joinBytes } from "../../text/bytes.ts";
import { decodeExactly } from "../../text/utf8.ts";
import { DEFAULT_LIMIT, DEFAULT_PAGE_BYTES } from "../tables/pages.ts";

type WithContent = { readonly content: string | Uint8Array | null };

export interface PackedRows<Row extends WithContent> {
  readonly rows: readonly Omit<Row, "content">[];
  /** Length in bytes of each row's content; -1 if it was erased. */
  readonly lengths: readonly number[];
  readonly contents: Uint8Array<ArrayBuffer>;
}

export interface PackedPage<Row extends WithContent> extends PackedRows<Row> {
  readonly next: number | null;
}

interface TakenPage<Row> {
  readonly rows: readonly Row[];
  readonly contents: readonly (Uint8Array | null)[];
  /** The first row that is not in the page. */
  readonly following: Row | null;
}

/** Contents are decoded on the way: the size of a page is that of the decoded contents, not of the stored ones. */
export function takePage<Row>(
  rows: Iterable<Row>,
  {
    limit = DEFAULT_LIMIT,
    maxBytes = DEFAULT_PAGE_BYTES,
  }: { readonly limit?: number | undefined; readonly maxBytes?: number },
  contentOf: (row: Row) => Uint8Array | null,
): TakenPage<Row> {
  const taken: Row[] = [];
  const contents: (Uint8Array | null)[] = [];
  let size = 0;
  for (const row of rows) {
    if (taken.length >= limit || (taken.length > 0 && size >= maxBytes))
      return { rows: taken, contents, following: row };
    const content = contentOf(row);
    taken.push(row);
    contents.push(content);
    size += content?.byteLength ?? 0;
  }
  return { rows: taken, contents, following: null };
}

export function packContents(
  contents: readonly (Uint8Array | null)[],
): Pick<PackedRows<WithContent>, "lengths" | "contents"> {
  return {
    lengths: contents.map((content) => content?.byteLength ?? -1),
    contents: joinBytes(contents.filter((content) => content !== null)),
  };
}

/** Inserts the contents into the rows again: as text if they are valid text, otherwise as bytes. */
export function* unpack<Row extends WithContent>(page: PackedRows<Row>): Generator<Row> {
  let offset = 0;
  for (const [index, row] of page.rows.entries()) {
    const length = page.lengths[index] ?? -1;
    const slice = length < 0 ? null : page.contents.subarray(offset, offset + length);
    offset += Math.max(length, 0);
    // Bytes are copied, so that a single message does not keep the whole page in memory.
    const content = slice === null ? null : (decodeExactly(slice) ?? slice.slice());
    yield { ...row, content } as Row;
  }
}
