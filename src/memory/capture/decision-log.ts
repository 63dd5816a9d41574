/** Decisions about the candidates of a stretch with their reasons, for the report and the store. */
import type { MemoryWrite, NewDecision } from "../../store/memory-store.ts";
import type { DecisionVerdict } from "../inputs.ts";
import type { ReadMessage, Stretch } from "./read-stretch.ts";

export interface CaptureDecision {
  readonly verdict: string;
  readonly reason: string;
  readonly abstract: string;
  readonly memory: string | null;
}

interface DecisionDetail {
  /** The memory that the candidate became or matched. Erasing it also erases the decision. */
  readonly memory?: string | null;
  readonly [name: string]: unknown;
}

/** The messages that a decision is about. Erasing any of them erases the decision. */
export type DecidedSeqs = Pick<NewDecision, "firstSeq" | "lastSeq">;

export function aboutMessage({ seq }: Pick<ReadMessage, "seq">): DecidedSeqs {
  return { firstSeq: seq, lastSeq: seq };
}

export class DecisionLog {
  readonly decisions: CaptureDecision[] = [];
  readonly writes: MemoryWrite[] = [];
  readonly #about: Omit<NewDecision, "stage" | "verdict" | "reason" | "detail" | "memory">;

  constructor({ conversation, from, to }: Stretch, scope: string, at: string, agent: string) {
    this.#about = { at, agent, scope, conversation, firstSeq: from + 1, lastSeq: to };
  }

  /**
   * Stores the words of a candidate only where nothing else stores them. A decision without messages is about the whole stretch.
   */
  add(
    stage: NewDecision["stage"],
    verdict: DecisionVerdict,
    reason: string,
    abstract: string,
    { memory = null, ...detail }: DecisionDetail = {},
    seqs: DecidedSeqs | null = null,
  ): void {
    this.decisions.push({ verdict, reason, abstract, memory });
    const kept = memory === null && abstract !== "" ? { abstract } : {};
    const decision = {
      ...this.#about,
      ...seqs,
      stage,
      verdict,
      reason,
      memory,
      detail: JSON.stringify({ ...kept, ...detail }),
    };
    this.writes.push({ kind: "decide", decision });
  }
}
