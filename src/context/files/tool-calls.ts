/** The calls that results answer: what a result does not say of itself. */
import type { Part } from "../../types.ts";
import { harmlessInput } from "./describe-call.ts";

export interface ToolCall {
  readonly name: string | null;
  /** JSON text, or what the model wrote; of a long one only what may be shown. */
  readonly input: string | null;
}

export type FindCall = (callId: string) => ToolCall | null | Promise<ToolCall | null>;

/** Calls that are remembered. A result follows its call within a few messages. */
const MOST_CALLS = 512;
/** Characters of an input that is remembered as it is. */
const LONGEST_INPUT = 2_000;

/** The newest calls, in bounded memory. */
export class RecentCalls {
  readonly #most: number;
  readonly #calls = new Map<string, ToolCall>();

  constructor(most = MOST_CALLS) {
    this.#most = most;
  }

  add(parts: readonly Part[]): void {
    for (const part of parts) if (part.type === "tool" && part.callId !== null) this.#note(part.callId, part);
  }

  find(callId: string): ToolCall | null {
    return this.#calls.get(callId) ?? null;
  }

  #note(callId: string, { name, input }: Extract<Part, { type: "tool" }>): void {
    if (input === null) return;
    // Set anew, it is the newest again.
    this.#calls.delete(callId);
    this.#calls.set(callId, { name, input: input.length > LONGEST_INPUT ? harmlessInput(input) : input });
    if (this.#calls.size <= this.#most) return;
    for (const oldest of this.#calls.keys()) {
      this.#calls.delete(oldest);
      break;
    }
  }
}
