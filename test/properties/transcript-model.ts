/**
 * What an imported transcript must look like, said as simply as possible: the file's lines as they stand, after
 * the lines of files that were rotated away. How the store gets there is not modelled.
 */
export interface ModelLine {
  readonly text: string;
  /** What the host calls the message, where it says so. */
  readonly id: string | null;
  readonly isMessage: boolean;
  /** Its words stay away. Without an id it stands for any line; with one, for a line of that id. */
  readonly erased: boolean;
  /** Only the last line can lack its line feed. */
  readonly terminated: boolean;
  /** What it will be once its writer has finished it. */
  readonly becomes?: ModelLine;
}

export interface ModelTranscript {
  /** Messages of files that this one took over from: still said, no longer in the file. */
  readonly before: readonly ModelLine[];
  /** Of an erased line, `text` is what the file had in its place when it was last read. */
  readonly lines: readonly ModelLine[];
}

export const NO_TRANSCRIPT: ModelTranscript = { before: [], lines: [] };

/** Whether a line has the id of an erased message, and no words that are on record under that id. */
export type IsErased = (line: ModelLine) => boolean;

/** The transcript after the file was read again. */
export function readAgain(
  { before, lines }: ModelTranscript,
  file: readonly ModelLine[],
  isErased: IsErased,
): ModelTranscript {
  const read = file.map((line) => ({ ...line, erased: isErased(line) }));
  const stored = lines.filter((line) => line.terminated);
  const now = read.filter((line) => line.terminated);
  const shared = sharedLines(stored, now);
  if (shared !== null) {
    const kept = [...stored.slice(0, shared), ...unfinishedErased(lines, read, shared)];
    return { before, lines: replaced(read, kept) };
  }
  // What the old file ended with, with or without its line feed, was said.
  const old = lines.filter((line) => line.terminated || line.isMessage);
  const overlap = overlapOf(old, now);
  return {
    before: [...before, ...old.slice(0, old.length - overlap)],
    lines: replaced(read, old.slice(old.length - overlap)),
  };
}

/** The file's lines, the first of them as they are on record. */
function replaced(file: readonly ModelLine[], known: readonly ModelLine[]): ModelLine[] {
  return file.map((line, index) => {
    const { id, isMessage, erased } = known[index] ?? line;
    return { ...line, id, isMessage, erased };
  });
}

/** How many first lines of the file are those on record; null when it is another file. */
function sharedLines(stored: readonly ModelLine[], now: readonly ModelLine[]): number | null {
  let shared = 0;
  while (shared < stored.length && shared < now.length && isSame(stored[shared], now[shared])) shared++;
  const proven = stored.slice(0, shared).findLastIndex(isProof) + 1;
  const isAllThere = shared === stored.length && (proven === shared || isEndInPlace(stored, now));
  const isCut = shared === now.length && shared < stored.length && proven > 0;
  if (isAllThere || isCut) return shared;
  return proven > 0 ? proven : null;
}

function isSame(stored: ModelLine | undefined, now: ModelLine | undefined): boolean {
  if (stored === undefined || now === undefined) return false;
  if (!stored.erased) return stored.text === now.text;
  return stored.id === null || (stored.id === now.id && now.erased);
}

/** What equals anything proves nothing. */
function isProof({ erased, id }: ModelLine): boolean {
  return !erased || id !== null;
}

/** Of an erased line at the end it is known where it stood. */
function isEndInPlace(stored: readonly ModelLine[], now: readonly ModelLine[]): boolean {
  const sizes = (lines: readonly ModelLine[]) => [sizeOf(lines.slice(0, -1)), sizeOf(lines.slice(-1))];
  return sizes(stored).join() === sizes(now.slice(0, stored.length)).join();
}

function sizeOf(lines: readonly ModelLine[]): number {
  return lines.reduce((size, { text }) => size + Buffer.byteLength(text) + 1, 0);
}

/** An erased last line without its line feed is the same still when it got no longer, or only its line feed. */
function unfinishedErased(
  stored: readonly ModelLine[],
  file: readonly ModelLine[],
  shared: number,
): readonly ModelLine[] {
  const last = stored[shared];
  if (last === undefined || last.terminated || !last.erased || last.id !== null) return [];
  return last.text.length === file[shared]?.text.length ? [last] : [];
}

/** The longest end of what is on record that the file begins with. */
function overlapOf(stored: readonly ModelLine[], now: readonly ModelLine[]): number {
  for (let length = Math.min(stored.length, now.length); length > 0; length--) {
    const end = stored.slice(stored.length - length);
    if (end.some(isProof) && end.every((line, index) => isSame(line, now[index]))) return length;
  }
  return 0;
}

/** What the model sees: each message line once, in order. */
export function saidIn({ before, lines }: ModelTranscript): string[] {
  return [...before, ...lines].flatMap((line) => (line.isMessage && !line.erased ? [line.text] : []));
}

/** The file as the store gives it back: erased lines are empty. */
export function bytesOf(lines: readonly ModelLine[]): string {
  return lines.map((line) => `${line.erased ? "" : line.text}${line.terminated ? "\n" : ""}`).join("");
}
