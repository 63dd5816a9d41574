/** Entries of a given size, named by number: `m7` is message 7, `s7` a summary that begins with it. */
import type { Role } from "../../../types.ts";
import type { Entry } from "../entry.ts";

/** A message with exactly this estimated number of tokens. */
function messageOf(role: Role, tokens: number): { readonly role: Role; readonly content: string } {
  const frame = JSON.stringify({ role, content: "" }).length;
  return { role, content: "word ".repeat(tokens).slice(0, Math.max(0, 4 * tokens - frame)) };
}

export function sampleEntry(seq: number, tokens: number, more: Partial<Entry> = {}): Entry {
  const role = more.role ?? "assistant";
  const value = messageOf(role, tokens);
  return {
    id: `m${seq}`,
    type: "message",
    role,
    at: "2026-03-01T10:00:00.000Z",
    seq,
    depth: null,
    tokens,
    reason: "in the window",
    cutTo: null,
    wire: { type: "message", role, value, parts: [{ type: "text", text: value.content }] },
    original: value,
    summaryText: null,
    hasFiles: false,
    savedTokens: 0,
    toolCalls: [],
    toolResults: [],
    ...more,
  };
}

export function sampleSummaryEntry(seq: number, tokens: number, more: Partial<Entry> = {}): Entry {
  const original = messageOf("user", tokens);
  const text = original.content;
  return sampleEntry(seq, tokens, {
    id: `s${seq}`,
    type: "summary",
    role: "user",
    depth: 0,
    reason: "summary of older messages",
    wire: { type: "text", role: "user", text },
    original,
    summaryText: text,
    ...more,
  });
}
