/** The calls of tool results, for facts that the result itself does not contain. */
import type { Part } from "../../types.ts";
import { harmlessInput } from "./describe-call.ts";

export interface ToolCall {
  readonly name: string | null;
  /** JSON text, or what the model wrote; for a long one only the part that may be shown. */
  readonly input: string | null;
}

export type FindCall = (callId: string) => ToolCall | null | Promise<ToolCall | null>;

/** Number of calls kept. A result follows its call within a few messages. */
const MOST_CALLS = 512;
/** Maximum characters of an input that is kept unchanged. */
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
    // Inserting it again makes it the newest.
    this.#calls.delete(callId);
    this.#calls.set(callId, { name, input: input.length > LONGEST_INPUT ? harmlessInput(input) : input });
    if (this.#calls.size <= this.#most) return;
    for (const oldest of this.#calls.keys()) {
      this.#calls.delete(oldest);
      break;
    }
  }
}
