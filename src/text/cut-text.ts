/** Shortens text with a visible marker, and never splits a surrogate pair. */

const NUMBER = new Intl.NumberFormat("en-US");
/** How far a cut may move to end at a line or a word, as a share of what is kept. */
const SLACK = 0.2;
/** A cut that saves less than this would only replace words by a marker. */
const WORTH_CUTTING = 80;

/** Keeps both ends; a marker in the middle has the number of omitted characters, and their location if known. */
export function cutMiddle(text: string, limit: number, whole?: string): string {
  if (text.length <= limit + WORTH_CUTTING) return text;
  const head = cutStart(text, Math.ceil(limit * 0.6));
  const tail = cutEnd(text, Math.floor(limit * 0.4));
  const left = text.length - head.length - tail.length;
  const where = whole === undefined ? "" : `; full text: ${whole}`;
  return `${head}\n[… ${NUMBER.format(left)} characters left out${where} …]\n${tail}`;
}

/** Keeps the beginning and ends with an ellipsis, at the end of a word if one is near. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, wholeCharacters(text, Math.max(0, limit - 1)));
  const space = head.lastIndexOf(" ");
  return `${(space > head.length * (1 - SLACK) ? head.slice(0, space) : head).trimEnd()}…`;
}

function cutStart(text: string, length: number): string {
  const end = wholeCharacters(text, length);
  const near = ["\n", " "].map((sign) => text.lastIndexOf(sign, end));
  return text.slice(0, near.find((at) => at > length * (1 - SLACK)) ?? end);
}

function cutEnd(text: string, length: number): string {
  const start = wholeCharacters(text, text.length - length);
  const near = ["\n", " "].map((sign) => text.indexOf(sign, start));
  const found = near.find((at) => at >= 0 && at - start < length * SLACK);
  return text.slice(found === undefined ? start : found + 1);
}

/** The index, or the one before it when it would split a surrogate pair. */
export function wholeCharacters(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const before = text.charCodeAt(index - 1);
  const splits = unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return splits ? index - 1 : index;
}
