/**
 * A text that was cut inside an emoji ends in half a character, which no file can hold. What stands between such halves
 * is kept apart all the same, each stretch as a payload of its own; the halves stay in the message, and go out of view
 * with the stretch before them.
 */
import type { FoundPayload } from "./found-payload.ts";

/** A shorter stretch is not worth a reference. */
const SHORTEST = 512;

/** Halves of characters without the other half. */
const HALVES = /\p{Surrogate}+/gu;

/** The payload itself when it is whole, as nearly all are. */
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

/** What stands between two such places; null is the end of the payload. */
function between(found: FoundPayload, before: Halves | null, behind: Halves | null): FoundPayload {
  const start = before?.end ?? found.start;
  const end = behind?.start ?? found.end;
  const hiddenStart = Math.max(start, found.hiddenStart);
  const hiddenEnd = Math.min(end, found.hiddenEnd);
  const stretch = { ...found, start, end, hiddenStart, hiddenEnd };
  const showsEnds = found.hiddenStart > found.start || found.hiddenEnd < found.end;
  if (showsEnds) return { ...stretch, outerStart: start, outerEnd: end };
  // A reference takes the place of all that is there: a half beside it would only be noise.
  const outerStart = before === null ? found.outerStart : start;
  return { ...stretch, outerStart, outerEnd: behind?.end ?? found.outerEnd };
}
