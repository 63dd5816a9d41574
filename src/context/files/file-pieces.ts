/** A file from its beginning, piece by piece. */
import { FRAME_BYTES } from "../../store/file-store.ts";
import type { ScopedStore } from "../../store/store.ts";

/** Several frames at once: each question takes longer than its bytes. */
const PIECE = 8 * FRAME_BYTES;

export async function* filePieces(
  store: ScopedStore,
  { id, bytes }: { readonly id: string; readonly bytes: number },
  from = 0,
): AsyncGenerator<Uint8Array> {
  for (let start = from; start < bytes; ) {
    const piece = await store.fileBytes(id, start, start + PIECE - (start % FRAME_BYTES));
    // Erased meanwhile: there is no rest of it.
    if (piece === undefined || piece.byteLength === 0) return;
    yield piece;
    start += piece.byteLength;
  }
}
