/**
 * What an imported transcript must look like, said as simply as possible: the file's lines as they stand, after
 * the lines of files that were rotated away. How the store gets there is not modelled.
 */
export interface ModelLine {
  readonly text: string;
  readonly isMessage: boolean;
  /** A line that was erased stands for any line, and its words stay away. */
  readonly erased: boolean;
  /** Only the last line can lack its line feed. */
  readonly terminated: boolean;
  /** What it will be once its writer has finished it. */
  readonly becomes?: ModelLine;
}

export interface ModelTranscript {
  /** Messages of files that this one took over from: still said, no longer in the file. */
  readonly before: readonly ModelLine[];
  readonly lines: readonly ModelLine[];
}

export const NO_TRANSCRIPT: ModelTranscript = { before: [], lines: [] };

/** The transcript after the file was read again. */
export function readAgain({ before, lines }: ModelTranscript, file: readonly ModelLine[]): ModelTranscript {
  const stored = lines.filter((line) => line.terminated);
  const now = file.filter((line) => line.terminated);
  const shared = sharedLines(stored, now);
  if (shared === stored.length || shared === now.length || isProof(stored.slice(0, shared)))
    return { before, lines: [...stored.slice(0, shared), ...file.slice(shared)] };
  // What the old file ended with, with or without its line feed, was said.
  const old = lines.filter((line) => line.terminated || line.isMessage);
  const overlap = overlapOf(old, now);
  return {
    before: [...before, ...old.slice(0, old.length - overlap)],
    lines: [...terminated(old.slice(old.length - overlap)), ...file.slice(overlap)],
  };
}

function terminated(lines: readonly ModelLine[]): ModelLine[] {
  return lines.map((line) => ({ ...line, terminated: true }));
}

function sharedLines(stored: readonly ModelLine[], now: readonly ModelLine[]): number {
  let shared = 0;
  while (shared < stored.length && shared < now.length && isSame(stored[shared], now[shared])) shared++;
  return shared;
}

function isSame(stored: ModelLine | undefined, now: ModelLine | undefined): boolean {
  return stored?.erased === true || stored?.text === now?.text;
}

/** Erased lines equal anything, so they prove nothing. */
function isProof(lines: readonly ModelLine[]): boolean {
  return lines.some((line) => !line.erased);
}

/** The longest end of what is on record that the file begins with. */
function overlapOf(stored: readonly ModelLine[], now: readonly ModelLine[]): number {
  for (let length = Math.min(stored.length, now.length); length > 0; length--) {
    const end = stored.slice(stored.length - length);
    if (isProof(end) && end.every((line, index) => isSame(line, now[index]))) return length;
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

/**
 * A file that grew is read from where reading stopped, if its last complete line still stands there. An edit
 * before that line which moves nothing can then not be seen: that is what reading only the new part costs.
 */
export function isHiddenEdit(before: readonly ModelLine[], after: readonly ModelLine[]): boolean {
  const known = bytesOf(before.filter((line) => line.terminated));
  const [now, last] = [bytesOf(after), bytesOf(before.filter((line) => line.terminated).slice(-1))];
  const hasGrown = now.length > bytesOf(before).length;
  return hasGrown && !now.startsWith(known) && now.slice(0, known.length).endsWith(last);
}
