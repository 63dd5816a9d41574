/** Counts the lines of a content that comes in pieces, and the line feeds in each of its frames. */
import { FRAME_BYTES } from "../../store/file-store.ts";

const LINE_FEED = 10;

export class FeedCounter {
  readonly #feeds: number[] = [];
  #bytes = 0;
  #last: number | undefined;

  add(piece: Uint8Array): void {
    for (let at = 0; at < piece.byteLength; ) {
      const end = Math.min(piece.byteLength, at + FRAME_BYTES - (this.#bytes % FRAME_BYTES));
      const frame = Math.floor(this.#bytes / FRAME_BYTES);
      this.#feeds[frame] = (this.#feeds[frame] ?? 0) + countFeeds(piece.subarray(at, end));
      this.#bytes += end - at;
      at = end;
    }
    this.#last = piece.at(-1) ?? this.#last;
  }

  /** A last one without a line feed counts. */
  get lines(): number {
    const feeds = this.#feeds.reduce((sum, count) => sum + count, 0);
    return feeds + (this.#last === undefined || this.#last === LINE_FEED ? 0 : 1);
  }

  agreesWith(feeds: Uint32Array): boolean {
    return feeds.length === this.#feeds.length && this.#feeds.every((count, frame) => count === feeds[frame]);
  }
}

function countFeeds(bytes: Uint8Array): number {
  let found = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) found++;
  return found;
}
