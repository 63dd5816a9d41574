/**
 * Detects how a transcript changed since it was last read, from the hashes of its lines alone. Pure. An erased line
 * (null) matches any line, so that reading the file again neither reports a change nor restores it. But
 * erased lines alone prove nothing: only equal lines make two versions related, and the shared part of
 * two versions ends with such a line.
 */
export type ResumePlan =
  | { readonly kind: "same" }
  /** All stored lines are present, and more follow. */
  | { readonly kind: "grown" }
  /** The file ends before the stored lines do. */
  | { readonly kind: "truncated" }
  /** The first `sharedLines` lines equal the stored ones, then the content differs. */
  | { readonly kind: "edited"; readonly sharedLines: number }
  /** The beginning differs. The first `overlap` lines are the last stored ones; 0 if they have nothing in common. */
  | { readonly kind: "rotated"; readonly overlap: number };

type Stored = readonly (string | null)[];

/** `isEndInPlace`: the file has a line at the position of the last stored one, the only known fact about an erased line. */
export function planResume(stored: Stored, now: readonly string[], isEndInPlace: boolean): ResumePlan {
  const shared = sharedPrefix(stored, now);
  const proven = provenPart(stored, shared);
  if (shared === stored.length && (isEndInPlace || proven === shared))
    return { kind: shared === now.length ? "same" : "grown" };
  if (shared === now.length && shared < stored.length && (proven > 0 || shared === 0))
    return { kind: "truncated" };
  if (proven > 0) return { kind: "edited", sharedLines: proven };
  return { kind: "rotated", overlap: findOverlap(stored, now) };
}

/** The number of first lines up to the last one that was not erased. */
function provenPart(stored: Stored, shared: number): number {
  let proven = shared;
  while (proven > 0 && stored[proven - 1] === null) proven--;
  return proven;
}

function sharedPrefix(stored: Stored, now: readonly string[]): number {
  const most = Math.min(stored.length, now.length);
  let shared = 0;
  while (shared < most && isSame(stored[shared], now[shared])) shared++;
  return shared;
}

function isSame(stored: string | null | undefined, now: string | undefined): boolean {
  return stored === null || stored === now;
}

function hasText(stored: Stored, from: number, to: number): boolean {
  for (let line = from; line < to; line++) if (stored[line] !== null) return true;
  return false;
}

/** The length of the longest suffix of `stored` that is a prefix of `now`. */
export function findOverlap(stored: Stored, now: readonly string[]): number {
  const end = stored.slice(Math.max(0, stored.length - now.length));
  const overlap = end.includes(null) ? overlapWithErased(end, now) : overlapByPrefixes(end, now);
  return hasText(end, end.length - overlap, end.length) ? overlap : 0;
}

/** Knuth, Morris and Pratt: reads each stored line once. */
function overlapByPrefixes(end: Stored, now: readonly string[]): number {
  const borders = prefixFunction(now, end.length);
  let matched = 0;
  for (const line of end) {
    while (matched > 0 && now[matched] !== line) matched = borders[matched - 1] ?? 0;
    if (now[matched] === line) matched++;
  }
  return matched;
}

/** For each of the first `length` lines: the length of the longest proper prefix of `lines` that ends there. */
function prefixFunction(lines: readonly string[], length: number): number[] {
  const borders: number[] = [0];
  for (let line = 1; line < length; line++) {
    let border = borders[line - 1] ?? 0;
    while (border > 0 && lines[border] !== lines[line]) border = borders[border - 1] ?? 0;
    borders.push(lines[border] === lines[line] ? border + 1 : border);
  }
  return borders;
}

/** An erased line matches different lines, so the prefix function does not apply: each length is tried. */
function overlapWithErased(end: Stored, now: readonly string[]): number {
  for (let first = 0; first < end.length; first++) {
    let line = first;
    while (line < end.length && isSame(end[line], now[line - first])) line++;
    if (line === end.length) return end.length - first;
  }
  return 0;
}
