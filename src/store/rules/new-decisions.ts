/** For loading: each stored decision matches one equal decision of the dump. */
import { sha256 } from "../../text/bytes.ts";
import type { NewDecision } from "../memory-store.ts";

export class NewDecisions {
  /** Equal stored decisions that no decision of the dump has matched yet. */
  readonly #left = new Map<string, number>();

  addKnown(decision: NewDecision): void {
    const name = nameOf(decision);
    this.#left.set(name, (this.#left.get(name) ?? 0) + 1);
  }

  /** Whether it is not stored, or fewer times than it came. */
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
