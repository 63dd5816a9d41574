/**
 * One code point for all that differ only in case, so that two texts that match without regard to case fold to the
 * same. Upper case first: `ſ` and `s`, `ς` and `σ` meet there. What would become several characters stays alone.
 * Halves of a broken pair become the replacement character, as they do in UTF-8.
 */
const folded = new Map<number, number>();

export function foldCase(point: number): number {
  let result = folded.get(point);
  if (result === undefined) {
    result = foldOnce(point);
    folded.set(point, result);
  }
  return result;
}

function foldOnce(point: number): number {
  if (point >= 0xd800 && point <= 0xdfff) return 0xfffd;
  const character = String.fromCodePoint(point);
  const upper = ifSingle(character.toUpperCase(), character);
  return ifSingle(upper.toLowerCase(), upper).codePointAt(0) ?? point;
}

function ifSingle(changed: string, before: string): string {
  return [...changed].length === 1 ? changed : before;
}
