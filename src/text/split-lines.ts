import { joinBytes } from "./bytes.ts";

export interface Line {
  /** Without the line feed. */
  readonly bytes: Uint8Array;
  /** Where the line starts, in bytes. */
  readonly offset: number;
  /** False for a last line that lacks its line feed. */
  readonly terminated: boolean;
}

const LINE_FEED = 0x0a;

/**
 * The lines of a stream of bytes, holding only the current line. A line ends at a line feed and nowhere
 * else: text may contain every other character that some programs treat as a line end. A chunk may be reused by its source
 * once the next one is requested.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, start = 0): AsyncGenerator<Line> {
  let offset = start;
  let pieces: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const bytes = joinBytes([...pieces, chunk.subarray(from, end)]);
      yield { bytes, offset, terminated: true };
      offset += bytes.length + 1;
      from = end + 1;
      pieces = [];
    }
    if (from < chunk.length) pieces.push(chunk.slice(from));
  }
  if (pieces.length > 0) yield { bytes: joinBytes(pieces), offset, terminated: false };
}
