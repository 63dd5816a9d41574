/** The documents of a segment that contain a term, ascending, with counts: the gap, one bit for "once", the count. */
import { ByteReader, type ByteWriter } from "../../text/varints.ts";

/** `gap`: the number of documents between this one and the previous one. */
export function writePosting(bytes: ByteWriter, gap: number, count: number): void {
  bytes.varint(2 * gap + (count > 1 ? 1 : 0));
  if (count > 1) bytes.varint(count - 2);
}

type VisitPosting = (document: number, count: number) => void;

/** One question reads millions of postings, so the common small numbers are decoded inline. */
export function visitPostings(bytes: Uint8Array, visit: VisitPosting): void {
  let document = -1;
  let position = 0;
  while (position < bytes.length) {
    let head = bytes[position++] ?? 0;
    if (head >= 0x80) {
      const reader = new ByteReader(bytes, position - 1);
      head = reader.varint();
      position = reader.position;
    }
    document += (head >>> 1) + 1;
    let count = 1;
    if ((head & 1) === 1) {
      const reader = new ByteReader(bytes, position);
      count = reader.varint() + 2;
      position = reader.position;
    }
    visit(document, count);
  }
}

/** Sets the mark of each document to 1, whatever the count. Returns how many marks were 0 before. */
export function markPostings(bytes: Uint8Array, marks: Uint8Array): number {
  let document = -1;
  let added = 0;
  let position = 0;
  while (position < bytes.length) {
    let head = bytes[position++] ?? 0;
    if (head >= 0x80) {
      const reader = new ByteReader(bytes, position - 1);
      head = reader.varint();
      position = reader.position;
    }
    document += (head >>> 1) + 1;
    if (marks[document] === 0) {
      marks[document] = 1;
      added++;
    }
    if ((head & 1) === 1) while ((bytes[position++] ?? 0) >= 0x80);
  }
  return added;
}
