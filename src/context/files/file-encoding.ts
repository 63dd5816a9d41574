/** How a file as a whole reads, told by its beginning. */
import type { FileStore } from "../../store/file-store.ts";
import { detectEncoding, type Encoding } from "./explore/detect-encoding.ts";

/** As much of a file as an exploration looks at. */
const HEAD_BYTES = 65_536;

/** Null for what is no text. */
export async function fileEncoding(
  store: Pick<FileStore, "fileBytes">,
  id: string,
): Promise<Encoding | null> {
  const head = await store.fileBytes(id, 0, HEAD_BYTES);
  return head === undefined ? null : detectEncoding(head);
}

/** The same for whoever only asks whether it is UTF-16, and has the beginning: most files have no zeros. */
export function headEncoding(beginning: Uint8Array): Encoding | null {
  const head = beginning.subarray(0, HEAD_BYTES);
  const isMarked = head[0] === 0xff || head[0] === 0xfe;
  return isMarked || head.includes(0) ? detectEncoding(head) : null;
}
