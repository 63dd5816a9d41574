/**
 * BM25 of one posting list, added up in place. A question may read millions of postings, so the loop allocates nothing
 * and calls nothing. Reading a damaged list also ends: after it, no byte is 0x80 or more.
 */
import { ByteReader } from "../../../text/varints.ts";

/** The usual constants of BM25. */
const SATURATION = 1.2;
const LENGTH = 0.75;

/** The length normalisation: a constant, and a term for each word of the document. */
export interface Damping {
  readonly base: number;
  readonly perWord: number;
}

export function dampingOf(meanLength: number): Damping {
  return { base: SATURATION * (1 - LENGTH), perWord: (SATURATION * LENGTH) / Math.max(1, meanLength) };
}

interface ScoredList {
  readonly postings: Uint8Array;
  readonly idf: number;
  readonly lengths: Uint32Array;
  readonly damping: Damping;
}

/** Adds to the score of each document of the list, and the term's weight to its coverage. */
export function scorePostings(list: ScoredList, scores: Float64Array, covered: Float64Array | null): void {
  const { postings, idf, lengths } = list;
  const { base, perWord } = list.damping;
  const most = idf * (SATURATION + 1);
  const end = postings.length;
  let document = -1;
  let position = 0;
  while (position < end) {
    let head = postings[position++] as number;
    if (head >= 0x80) {
      head &= 0x7f;
      for (let shift = 7; ; shift += 7) {
        const byte = postings[position++] as number;
        head |= (byte & 0x7f) << shift;
        if (!(byte >= 0x80)) break;
      }
    }
    document += (head >>> 1) + 1;
    let count = 1;
    if ((head & 1) === 1) {
      count = 2;
      for (let scale = 1; ; scale *= 0x80) {
        const byte = postings[position++] as number;
        count += (byte & 0x7f) * scale;
        if (!(byte >= 0x80)) break;
      }
    }
    const gain = (most * count) / (count + base + perWord * (lengths[document] as number));
    scores[document] = (scores[document] as number) + gain;
    if (covered !== null) covered[document] = (covered[document] as number) + idf;
  }
}

/** The same for a few documents, ascending: `scores` and `covered` are indexed by position among them. */
export function scoreSome(
  list: ScoredList,
  documents: Int32Array,
  scores: Float64Array,
  covered: Float64Array | null,
): void {
  const { postings, idf, lengths } = list;
  const { base, perWord } = list.damping;
  const most = idf * (SATURATION + 1);
  const end = postings.length;
  const places = documents.length;
  let place = 0;
  let document = -1;
  let position = 0;
  while (position < end && place < places) {
    let head = postings[position++] as number;
    if (head >= 0x80) {
      head &= 0x7f;
      for (let shift = 7; ; shift += 7) {
        const byte = postings[position++] as number;
        head |= (byte & 0x7f) << shift;
        if (!(byte >= 0x80)) break;
      }
    }
    document += (head >>> 1) + 1;
    const at = position;
    if ((head & 1) === 1) while ((postings[position++] as number) >= 0x80);
    while (place < places && (documents[place] as number) < document) place++;
    if (documents[place] !== document) continue;
    const count = (head & 1) === 1 ? 2 + new ByteReader(postings, at).varint() : 1;
    const gain = (most * count) / (count + base + perWord * (lengths[document] as number));
    scores[place] = (scores[place] as number) + gain;
    if (covered !== null) covered[place] = (covered[place] as number) + idf;
  }
}
