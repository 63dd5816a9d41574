import { decodeExactly } from "../../text/utf8.ts";

/** Gives the rows of a packed page their contents back: text where it is text, bytes where it is not. */
export function* unpack<Row extends { content: string | Uint8Array | null }>(page: {
  readonly rows: readonly Omit<Row, "content">[];
  readonly lengths: readonly number[];
  readonly contents: Uint8Array;
}): Generator<Row> {
  let offset = 0;
  for (const [index, row] of page.rows.entries()) {
    const length = page.lengths[index] ?? -1;
    const slice = length < 0 ? null : page.contents.subarray(offset, offset + length);
    offset += Math.max(length, 0);
    // Bytes are copied, so that one odd message does not keep the whole page in memory.
    const content = slice === null ? null : (decodeExactly(slice) ?? slice.slice());
    yield { ...row, content } as Row;
  }
}
