/** Builders of sources for tests: short and typed. */
import type { Part, Role } from "../../../types.ts";
import type { SourceMessage, SourceSummary } from "../source.ts";

const START = Date.parse("2026-03-09T08:00:00.000Z");

/** The n-th message of a conversation, a minute after the previous one. */
export function message(seq: number, role: Role, ...content: readonly (string | Part)[]): SourceMessage {
  const parts = content.map((part): Part => (typeof part === "string" ? { type: "text", text: part } : part));
  return {
    seq,
    role,
    createdAt: new Date(START + seq * 60_000).toISOString(),
    tokenCount: 100,
    parts,
  };
}

export function call(callId: string, name: string, input: unknown): Part {
  return { type: "tool", callId, name, status: "pending", input: JSON.stringify(input), output: null };
}

export function result(callId: string, output: string, status: "completed" | "error" = "completed"): Part {
  return { type: "tool", callId, name: null, status, input: null, output };
}

/** The n-th summary, an hour after the previous one. */
export function summary(place: number, text: string, depth = 0): SourceSummary {
  const at = (hour: number) => new Date(START + hour * 3_600_000).toISOString();
  return { id: `sum_${place}`, depth, earliestAt: at(place), latestAt: at(place + 1), tokenCount: 100, text };
}
