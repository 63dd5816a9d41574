/** How many columns a text takes in a terminal: CJK and emoji take two, combining marks none. */
let segmenter: Intl.Segmenter | undefined;

/** Made when it is needed first: starting it takes longer than most commands do. */
function graphemes(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

const ASCII = /^[ -~]*$/;

const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const EMOJI = /^\p{Emoji_Presentation}|^\p{Emoji}\ufe0f/u;
const WIDTHLESS = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (WIDTHLESS.test(grapheme)) return 0;
  return WIDE.test(grapheme) || EMOJI.test(grapheme) ? 2 : 1;
}

/** At most this many columns; what is cut ends in `…`. */
export function fitWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let fitted = "";
  let width = 0;
  for (const { segment } of graphemes(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    fitted += segment;
  }
  return `${fitted}…`;
}

export function padWidth(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}
