/**
 * Whether a text contains a passage, ignoring runs of white space: equals a search in `collapseSpaces` of the
 * text, without creating that. The passage must contain only single spaces.
 */
export function holdsPassage(text: string, passage: string): boolean {
  const [start, end] = longestWord(passage);
  const word = passage.slice(start, end);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (agreesBehind(text, at + word.length, passage, end) && agreesBefore(text, at, passage, start))
      return true;
  return false;
}

/** The longest word is probably the rarest one, so few positions need a full comparison. */
function longestWord(passage: string): readonly [start: number, end: number] {
  let [start, end] = [0, 0];
  for (let from = 0; from <= passage.length; ) {
    const space = passage.indexOf(" ", from);
    const behind = space < 0 ? passage.length : space;
    if (behind - from > end - start) [start, end] = [from, behind];
    from = behind + 1;
  }
  return [start, end];
}

function agreesBehind(text: string, from: number, passage: string, place: number): boolean {
  let at = from;
  for (let i = place; i < passage.length; i++) {
    if (passage.charCodeAt(i) !== SPACE) {
      if (text.charCodeAt(at++) !== passage.charCodeAt(i)) return false;
      continue;
    }
    const run = at;
    while (isSpace(text, at)) at++;
    if (at === run) return false;
  }
  return true;
}

function agreesBefore(text: string, behind: number, passage: string, place: number): boolean {
  let at = behind;
  for (let i = place - 1; i >= 0; i--) {
    if (passage.charCodeAt(i) !== SPACE) {
      if (text.charCodeAt(--at) !== passage.charCodeAt(i)) return false;
      continue;
    }
    const run = at;
    while (isSpace(text, at - 1)) at--;
    if (at === run) return false;
  }
  return true;
}

const SPACE = 0x20;

function isSpace(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit === SPACE || (unit >= 0x09 && unit <= 0x0d)) return true;
  return unit >= 0xa0 && /\s/.test(text.charAt(index));
}
