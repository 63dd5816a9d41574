/**
 * Text as the numbers that MiniLM reads: lower case without accents, words and signs apart, and each word as the longest
 * pieces that the vocabulary knows. It does what the model was trained with, so nothing in it is a matter of taste; only that words such as `[SEP]` are words
here, so that no text can pretend to end.
 */
export type Vocabulary = ReadonlyMap<string, number>;

const LONGEST_WORD = 100;
/** Invisible characters, which are removed. Lone surrogates become U+FFFD before. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\ufffd]/gu;
const SPACES = /\s+/gu;
const IDEOGRAPH =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
/** ASCII symbols count as punctuation, even those that Unicode classifies otherwise. */
const WORDS = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;

/** The first pieces of a text between the begin and end markers, limited in total. */
export function wordPieces(text: string, vocabulary: Vocabulary, most: number): BigInt64Array<ArrayBuffer> {
  const mark = (name: string) => vocabulary.get(name) ?? 0;
  const pieces: number[] = [mark("[CLS]")];
  for (const [word] of plain(text).matchAll(WORDS)) {
    if (pieces.length >= most - 1) break;
    pieces.push(...piecesOf(word, vocabulary, mark("[UNK]")));
  }
  return BigInt64Array.from([...pieces.slice(0, most - 1), mark("[SEP]")], BigInt);
}

function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(SPACES, " ")
    .replace(UNSEEN, "")
    .replace(IDEOGRAPH, " $& ")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

/** A word with an unknown part is unknown. */
function piecesOf(word: string, vocabulary: Vocabulary, unknown: number): number[] {
  const letters = [...word];
  if (letters.length > LONGEST_WORD) return [unknown];
  const pieces: number[] = [];
  for (let start = 0; start < letters.length; ) {
    const found = longestPiece(letters, start, vocabulary);
    if (found === null) return [unknown];
    pieces.push(found.piece);
    start = found.end;
  }
  return pieces;
}

function longestPiece(letters: readonly string[], start: number, vocabulary: Vocabulary) {
  for (let end = letters.length; end > start; end--) {
    const piece = vocabulary.get((start === 0 ? "" : "##") + letters.slice(start, end).join(""));
    if (piece !== undefined) return { piece, end };
  }
  return null;
}
