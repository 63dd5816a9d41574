/** A file, or the bytes `from` up to `to` of it, piece by piece. */
import { FRAME_BYTES } from "../../store/file-store.ts";
import type { ScopedStore } from "../../store/store.ts";

/** Several frames at once: each question takes longer than its bytes. */
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
    // Erased meanwhile: there is no rest of it.
    if (piece === undefined || piece.byteLength === 0) return;
    yield piece;
    start += piece.byteLength;
  }
}
