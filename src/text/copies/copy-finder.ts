/**
 * Finds copies of erased texts: exact copies, near copies, and long pieces inside other texts.
 * It stores the shingles of the erased texts and the matching ones of other texts, but no words. Pure.
 */
import { isReferenceHeading } from "../file-reference.ts";
import { SHINGLE, ShingleStream, visitWordHashes, withoutEscapes } from "./shingles.ts";

/** `exact`: contains the whole erased text. `near`: at least half. `part`: a line of it, or twelve consecutive words. */
export type CopyKind = "exact" | "near" | "part";

export interface Likeness {
  readonly kind: CopyKind;
  /** The share of an erased text that it contains, from 0 to 1. */
  readonly share: number;
}

/** Minimum letters and digits of a text or line, since shorter ones occur everywhere. */
const SHORTEST = 12;
/** The same for a line without a word such as `hunter2` or `48151623`, since short plain lines occur in many texts. */
const SHORTEST_PLAIN_LINE = 32;
const TELLING_WORD = /(?=\p{L}*\p{N})[\p{L}\p{N}]{6,}/u;
const NEAR = 0.5;
/** Shingles that make a piece without a whole line: those of twelve consecutive words. */
const PIECE = 8;
/** A shingle in more texts than this, and in more than 1 % of them, is common and is ignored. */
const COMMON = 20;
const COMMON_SHARE = 0.01;

/** A text that is searched, in consecutive pieces. */
interface Look {
  add(piece: string): void;
  end(): void;
}

export class CopyFinder<Place> {
  /** The number of a shingle by the first half of its hash; the second half is compared. */
  readonly #numbers = new Map<number, number>();
  readonly #checks: number[] = [];
  readonly #lengths = new Set<number>();
  /** For each shingle: the first erased text with it, and the lines that contain it. */
  readonly #textOf: number[] = [];
  readonly #linesOf: number[][] = [];
  readonly #textSizes: number[] = [];
  readonly #lineSizes: number[] = [];
  readonly #found: { readonly place: Place; readonly shingles: Uint32Array }[] = [];
  #looked = 0;

  constructor(texts: Iterable<string>) {
    for (const text of texts) this.#learn(withoutEscapes(text));
  }

  /** Whether the erased texts are too short to be recognised. */
  get isBlind(): boolean {
    return this.#checks.length === 0;
  }

  /** Searches a text and records the shingles that it shares with erased ones. */
  look(place: Place, text: string): void {
    const look = this.open(place);
    look.add(text);
    look.end();
  }

  open(place: Place): Look {
    const seen = new Set<number>();
    const stream = this.#streamInto(seen);
    return {
      add: (piece) => visitWordHashes(withoutEscapes(piece), (hash) => stream.add(hash)),
      end: () => {
        if (stream.words > 0) this.#looked++;
        if (this.#likenessOf(seen, seen) !== null)
          this.#found.push({ place, shingles: Uint32Array.from(seen) });
      },
    };
  }

  /** Whether a text shares anything with the erased ones, even if it is common. */
  repeats(text: string): boolean {
    const seen = new Set<number>();
    const stream = this.#streamInto(seen);
    visitWordHashes(withoutEscapes(text), (hash) => stream.add(hash));
    return this.#likenessOf(seen, seen) !== null;
  }

  /** The copies among all searched texts, in the order of the search. */
  copies(): { readonly place: Place; readonly likeness: Likeness }[] {
    const frequency = new Uint32Array(this.#checks.length);
    for (const { shingles } of this.#found)
      for (const number of shingles) frequency[number] = (frequency[number] ?? 0) + 1;
    const most = Math.max(COMMON, this.#looked * COMMON_SHARE);
    return this.#found.flatMap(({ place, shingles }) => {
      const rare = new Set(shingles.filter((number) => (frequency[number] ?? 0) <= most));
      const likeness = this.#likenessOf(new Set(shingles), rare);
      return likeness === null ? [] : [{ place, likeness }];
    });
  }

  #streamInto(seen: Set<number>): ShingleStream {
    return new ShingleStream(this.#lengths, (first, second) => {
      const number = this.#numbers.get(first);
      if (number !== undefined && this.#checks[number] === second) seen.add(number);
    });
  }

  /** An exact copy always counts; near copies and parts must not be common. */
  #likenessOf(seen: ReadonlySet<number>, rare: ReadonlySet<number>): Likeness | null {
    if (seen.size === 0) return null;
    const share = this.#greatestShare(seen);
    if (share === 1) return { kind: "exact", share };
    if (rare.size > 0 && this.#greatestShare(rare) >= NEAR) return { kind: "near", share };
    return rare.size >= PIECE || this.#hasLine(rare) ? { kind: "part", share } : null;
  }

  #greatestShare(numbers: ReadonlySet<number>): number {
    const counts = countBy(numbers, (number) => [this.#textOf[number] ?? 0]);
    return Math.max(...Array.from(counts, ([text, count]) => count / (this.#textSizes[text] ?? 1)));
  }

  #hasLine(numbers: ReadonlySet<number>): boolean {
    const counts = countBy(numbers, (number) => this.#linesOf[number] ?? []);
    return Array.from(counts).some(([line, count]) => count === this.#lineSizes[line]);
  }

  /** Adds the shingles of a text, including those across line ends, and records which belong to a line. */
  #learn(text: string): void {
    const known = this.#checks.length;
    this.#shinglesOf(text);
    for (const line of text.split("\n")) if (isTelling(line)) this.#learnLine(line);
    const size = this.#checks.length - known;
    if (size > 0) this.#textSizes.push(size);
  }

  #learnLine(line: string): void {
    const shingles = new Set(this.#shinglesOf(line));
    if (shingles.size === 0) return;
    const number = this.#lineSizes.push(shingles.size) - 1;
    for (const shingle of shingles) this.#linesOf[shingle]?.push(number);
  }

  /** Empty for a text that is too short. */
  #shinglesOf(text: string): number[] {
    const hashes: number[] = [];
    let letters = 0;
    visitWordHashes(text, (hash, length) => {
      hashes.push(hash);
      letters += length;
    });
    if (letters < SHORTEST) return [];
    const numbers: number[] = [];
    const length = Math.min(SHINGLE, hashes.length);
    this.#lengths.add(length);
    const stream = new ShingleStream([length], (first, second) =>
      numbers.push(this.#numberOf(first, second)),
    );
    for (const hash of hashes) stream.add(hash);
    return numbers;
  }

  #numberOf(first: number, second: number): number {
    const known = this.#numbers.get(first);
    if (known !== undefined) return known;
    const number = this.#checks.push(second) - 1;
    this.#numbers.set(first, number);
    this.#textOf.push(this.#textSizes.length);
    this.#linesOf.push([]);
    return number;
  }
}

function isTelling(line: string): boolean {
  if (isReferenceHeading(line.trim())) return false;
  return TELLING_WORD.test(line) || line.replaceAll(/[^\p{L}]+/gu, "").length >= SHORTEST_PLAIN_LINE;
}

function countBy(
  numbers: ReadonlySet<number>,
  groupsOf: (number: number) => readonly number[],
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const number of numbers)
    for (const group of groupsOf(number)) counts.set(group, (counts.get(group) ?? 0) + 1);
  return counts;
}
