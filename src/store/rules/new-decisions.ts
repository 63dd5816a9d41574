/** For loading: as often as a decision is on record already, one of the dump is taken for that. */
import { sha256 } from "../../text/bytes.ts";
import type { NewDecision } from "../memory-store.ts";

export class NewDecisions {
  /** Equal ones on record that were met by none of the dump yet. */
  readonly #left = new Map<string, number>();

  addKnown(decision: NewDecision): void {
    const name = nameOf(decision);
    this.#left.set(name, (this.#left.get(name) ?? 0) + 1);
  }

  /** Whether it is not on record, or not as often as it came. */
  isNew(decision: NewDecision): boolean {
    const name = nameOf(decision);
    const left = this.#left.get(name) ?? 0;
    if (left > 0) this.#left.set(name, left - 1);
    return left === 0;
  }
}

const FIELDS = [
  "at",
  "agent",
  "stage",
  "verdict",
  "reason",
  "detail",
  "memory",
  "scope",
  "conversation",
  "firstSeq",
  "lastSeq",
] as const satisfies readonly (keyof NewDecision)[];

function nameOf(decision: NewDecision): string {
  return sha256(JSON.stringify(FIELDS.map((field) => decision[field])));
}
