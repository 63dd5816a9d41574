/** The statements selected so far, and what another statement would add. */
import { characterClass, HANGUL, UNSPACED } from "../../../text/language/character-class.ts";
import { termWeights } from "../../../text/language/term-weights.ts";
import { AnchorTable } from "../anchors/anchor-table.ts";
import type { Anchor } from "../anchors.ts";
import { SCORING, VOICE } from "./scoring.ts";
import type { Speaker, WeighedStatement } from "./statement.ts";

export interface Candidate {
  readonly statement: WeighedStatement;
  readonly tokens: number;
  /** The length for a reader. It differs from the cost in tokens: a Chinese sentence needs more tokens than its English translation. */
  readonly length: number;
  /** The numbers of its terms and anchors. */
  readonly terms: readonly number[];
  readonly anchors: readonly number[];
  /** Gain divided by length at the last evaluation. */
  ratio: number;
}

/** Terms are numbered once, so that repeated evaluations need no strings. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

export class Selection {
  readonly taken: WeighedStatement[] = [];
  readonly #weights: ReadonlyMap<string, number>;
  readonly #termNumbers = new Numbering();
  readonly #anchorNumbers = new AnchorTable<number>();
  #anchorCount = 0;
  readonly #termWeights: number[] = [];
  readonly #timesSaid: number[] = [];
  readonly #isAnchorSaid: boolean[] = [];
  readonly #said = new Repetition();
  readonly #ofMoment = new Map<number, number>();
  readonly #room: number;
  readonly #ofSpeaker = new Map<Speaker, number>();

  /** `room` is the number of tokens for all statements together. */
  constructor(statements: readonly WeighedStatement[], room: number) {
    this.#weights = termWeights(statements);
    this.#room = Math.max(1, room);
  }

  candidate(statement: WeighedStatement, tokens: number): Candidate {
    const length = Math.sqrt(tokens * readingLength(statement.text));
    const terms = statement.terms.map((term) => this.#number(term));
    const anchors = statement.anchors.map((anchor) => this.#anchorNumber(anchor));
    const candidate = { statement, tokens, length, terms, anchors, ratio: 0 };
    candidate.ratio = this.ratio(candidate);
    return candidate;
  }

  cost({ statement, tokens }: Candidate): number {
    return tokens + this.#lineCost(statement);
  }

  ratio(candidate: Candidate): number {
    return (
      this.#gain(candidate) / (candidate.length + this.#lineCost(candidate.statement)) ** SCORING.costPower
    );
  }

  /** Adds no anchor, and repeats one selected statement. */
  isRepetition(candidate: Candidate): boolean {
    return this.#anchorGain(candidate) === 0 && this.#said.has(candidate.terms, candidate.statement.text);
  }

  take({ statement, tokens, terms, anchors }: Candidate): void {
    this.taken.push(statement);
    this.#said.add(terms, statement.text);
    this.#ofSpeaker.set(statement.speaker, (this.#ofSpeaker.get(statement.speaker) ?? 0) + tokens);
    this.#ofMoment.set(statement.moment, (this.#ofMoment.get(statement.moment) ?? 0) + 1);
    for (const anchor of anchors) this.#isAnchorSaid[anchor] = true;
    for (const term of terms) this.#timesSaid[term] = (this.#timesSaid[term] ?? 0) + 1;
  }

  #number(term: string): number {
    const number = this.#termNumbers.of(term);
    if (number === this.#termWeights.length) {
      this.#termWeights.push(this.#weights.get(term) ?? 0);
      this.#timesSaid.push(0);
    }
    return number;
  }

  #anchorNumber(anchor: Anchor): number {
    const known = this.#anchorNumbers.get(anchor);
    if (known !== undefined) return known;
    this.#anchorNumbers.set(anchor, this.#anchorCount);
    return this.#anchorCount++;
  }

  #lineCost({ moment }: WeighedStatement): number {
    return this.#ofMoment.has(moment) ? 0 : SCORING.lineCost;
  }

  /** Its own value, less repetitions, plus the anchors and terms that it adds. */
  #gain(candidate: Candidate): number {
    const { statement, terms } = candidate;
    let said = 0;
    let weight = 0;
    for (const term of terms) {
      const times = this.#timesSaid[term] ?? 0;
      if (times > 0) said++;
      weight += (this.#termWeights[term] ?? 0) / (1 + times);
    }
    const share = terms.length === 0 ? 0 : said / terms.length;
    const anchorGain = this.#anchorGain(candidate);
    const novelty = 1 - SCORING.repetition * share ** 2;
    const words =
      SCORING.anchorValue * anchorGain + (SCORING.termValue * weight) / Math.sqrt(Math.max(4, terms.length));
    const spoken = (this.#ofSpeaker.get(statement.speaker) ?? 0) / this.#room;
    const decay =
      SCORING.momentDecay ** (this.#ofMoment.get(statement.moment) ?? 0) / (1 + SCORING.balance * spoken);
    return decay * statement.fullness * (statement.salience * novelty + VOICE[statement.speaker] * words);
  }

  #anchorGain({ anchors, statement }: Candidate): number {
    let gain = 0;
    for (let i = 0; i < anchors.length; i++)
      if (this.#isAnchorSaid[anchors[i] ?? 0] !== true) gain += statement.anchors[i]?.weight ?? 0;
    return gain ** SCORING.anchorPower;
  }
}

/** Two statements are equal if one contains this share of the other's terms. */
const SAME = 0.8;
/** Fewer terms are too few to compare. */
const ENOUGH = 3;

/** Recognises statements that repeat a selected one in nearly the same words. */
class Repetition {
  readonly #holders = new Map<number, number[]>();
  readonly #figures: string[] = [];

  add(terms: readonly number[], text: string): void {
    const place = this.#figures.push(figuresOf(text)) - 1;
    for (const term of terms) {
      const holders = this.#holders.get(term);
      if (holders === undefined) this.#holders.set(term, [place]);
      else holders.push(place);
    }
  }

  /** True if one selected statement contains most of these terms, and the same figures, if there are any. */
  has(terms: readonly number[], text: string): boolean {
    if (terms.length < ENOUGH) return false;
    const shared = new Map<number, number>();
    for (const term of terms)
      for (const place of this.#holders.get(term) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1);
    const figures = figuresOf(text);
    for (const [place, count] of shared)
      if (count >= terms.length * SAME && (figures === "" || figures === this.#figures[place])) return true;
    return false;
  }
}

function figuresOf(text: string): string {
  return text.match(/\d+/g)?.join(" ") ?? "";
}

/**
 * Reading length in units of about four Latin letters. Unlike tokens, it does not depend on a tokenizer's
 * vocabulary: a sentence is about as long in every language.
 */
function readingLength(text: string): number {
  let quarters = 0;
  for (let i = 0; i < text.length; i++) {
    const name = characterClass(text.charCodeAt(i));
    quarters += name === UNSPACED || name === HANGUL ? 2.2 : 1;
  }
  return quarters / 4;
}
