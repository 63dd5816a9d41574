/**
 * A text that was cut inside an emoji ends in a lone surrogate, which no file can contain. The text between lone
 * surrogates is still externalised, each stretch as its own payload; the surrogates stay in the message and are hidden
 * with the stretch before them.
 */
import type { FoundPayload } from "./found-payload.ts";

/** A shorter stretch is not worth a reference. */
const SHORTEST = 512;

/** Runs of lone surrogates. */
const HALVES = /\p{Surrogate}+/gu;

/** The payload itself if it is well-formed, as nearly all are. */
export function wellFormedStretches(found: FoundPayload): FoundPayload[] {
  const text = found.string.slice(found.start, found.end);
  if (text.isWellFormed()) return [found];
  const stretches: FoundPayload[] = [];
  let before: Halves | null = null;
  const add = (behind: Halves | null) => {
    const stretch = between(found, before, behind);
    if (stretch.hiddenEnd - stretch.hiddenStart > SHORTEST) stretches.push(stretch);
    before = behind;
  };
  for (const { 0: halves, index } of text.matchAll(HALVES)) {
    const start = found.start + index;
    add({ start, end: start + halves.length });
  }
  add(null);
  return stretches;
}

interface Halves {
  readonly start: number;
  readonly end: number;
}

/** The text between two runs of lone surrogates; null is the end of the payload. */
function between(found: FoundPayload, before: Halves | null, behind: Halves | null): FoundPayload {
  const start = before?.end ?? found.start;
  const end = behind?.start ?? found.end;
  const hiddenStart = Math.max(start, found.hiddenStart);
  const hiddenEnd = Math.min(end, found.hiddenEnd);
  const stretch = { ...found, start, end, hiddenStart, hiddenEnd };
  const showsEnds = found.hiddenStart > found.start || found.hiddenEnd < found.end;
  if (showsEnds) return { ...stretch, outerStart: start, outerEnd: end };
  // A reference replaces everything there: a lone surrogate beside it would be noise.
  const outerStart = before === null ? found.outerStart : start;
  return { ...stretch, outerStart, outerEnd: behind?.end ?? found.outerEnd };
}
