/** In which documents of a segment a term stands, ascending, and how often: the gap, one bit for "once", the count. */
import { ByteReader, type ByteWriter } from "../../../text/varints.ts";

/** `gap`: how many documents lie between this one and the one before. */
export function writePosting(bytes: ByteWriter, gap: number, count: number): void {
  bytes.varint(2 * gap + (count > 1 ? 1 : 0));
  if (count > 1) bytes.varint(count - 2);
}

export type VisitPosting = (document: number, count: number) => void;

export function visitPostings(bytes: Uint8Array, visit: VisitPosting): void {
  const reader = new ByteReader(bytes);
  let document = -1;
  while (!reader.isDone) {
    const head = reader.varint();
    document += Math.floor(head / 2) + 1;
    visit(document, head % 2 === 0 ? 1 : reader.varint() + 2);
  }
}
