/** A file, or its bytes from `from` up to `to`, in pieces. */
import { FRAME_BYTES } from "../../store/file-store.ts";
import type { ScopedStore } from "../../store/store.ts";

/** Several frames per query: the overhead of a query exceeds the cost of its bytes. */
const PIECE = 8 * FRAME_BYTES;

export async function* filePieces(
  store: ScopedStore,
  { id, bytes }: { readonly id: string; readonly bytes: number },
  from = 0,
  to = bytes,
): AsyncGenerator<Uint8Array> {
  for (let start = from; start < to; ) {
    const end = Math.min(to, start + PIECE - (start % FRAME_BYTES));
    const piece = await store.fileBytes(id, start, end);
    // The file was erased meanwhile.
    if (piece === undefined || piece.byteLength === 0) return;
    yield piece;
    start += piece.byteLength;
  }
}
