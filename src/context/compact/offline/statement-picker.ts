/**
 * Selects statements within a token budget: greedily the one that adds most for its length. An anchor counts
 * once, and a term less with each repetition, so that different content comes before repeated content.
 * The budget can be increased later, and the last selected statement can be removed.
 */
import type { CountTokens } from "../../../text/estimate-tokens.ts";
import { Heap } from "./heap.ts";
import { type Candidate, Selection } from "./selection.ts";
import type { WeighedStatement } from "./statement.ts";

/** Each selection lowers the gain of others and may require evaluating all of them again: beyond this number, the lowest are ignored. */
const MOST = 3_000;

export class StatementPicker {
  readonly #selection: Selection;
  readonly #heap: Heap<Candidate>;

  /** `room` is the number of tokens for all statements together. */
  constructor(statements: readonly WeighedStatement[], room: number, countTokens: CountTokens) {
    const selection = new Selection(statements, room);
    const candidates = statements.map((statement) =>
      selection.candidate(statement, countTokens(statement.text) + 1),
    );
    this.#selection = selection;
    this.#heap = new Heap(candidates.length <= MOST ? candidates : best(candidates), comesBefore);
  }

  /** Selects statements for this many more tokens. */
  fill(maxTokens: number): void {
    const tooLong: Candidate[] = [];
    let left = maxTokens;
    while (left > 0) {
      const candidate = this.#next();
      if (candidate === undefined || candidate.ratio <= 0) break;
      if (this.#selection.isRepetition(candidate)) continue;
      const cost = this.#selection.cost(candidate);
      if (cost > left) tooLong.push(candidate);
      else {
        this.#selection.take(candidate);
        left -= cost;
      }
    }
    for (const candidate of tooLong) this.#heap.push(candidate);
  }

  /** Removes the last selected statement. False if none is left. */
  giveBack(): boolean {
    return this.#selection.taken.pop() !== undefined;
  }

  /** In the order of the source. */
  get taken(): WeighedStatement[] {
    return this.#selection.taken.toSorted((a, b) => a.index - b.index);
  }

  /** The top was best at its last evaluation; later selections may have lowered its gain. */
  #next(): Candidate | undefined {
    for (;;) {
      const candidate = this.#heap.pop();
      if (candidate === undefined) return undefined;
      const ratio = this.#selection.ratio(candidate);
      const isStale = ratio < candidate.ratio;
      candidate.ratio = ratio;
      const next = this.#heap.peek();
      if (!isStale || next === undefined || !comesBefore(next, candidate)) return candidate;
      this.#heap.push(candidate);
    }
  }
}

function best(candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .toSorted((a, b) => b.ratio - a.ratio || a.statement.index - b.statement.index)
    .slice(0, MOST);
}

function comesBefore(a: Candidate, b: Candidate): boolean {
  return a.ratio === b.ratio ? a.statement.index < b.statement.index : a.ratio > b.ratio;
}
