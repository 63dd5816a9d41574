/**
 * Old tool results as short stubs. What is old was settled by the newest compaction: between two of them nothing
 * changes, so that what was sent before stays a prefix. Ids, names and pairing are kept; only long texts go.
 */
import { isBlock } from "../ingest/block.ts";
import { textOfParts } from "../ingest/read-parts.ts";
import { partsIn } from "../ingest/stored-value.ts";
import type { Entry } from "./entry.ts";

export interface ToolResultToStub {
  /** `msg_…` */
  readonly id: string;
  readonly tool: string | null;
  readonly text: string;
}

/** The text that stands for an old tool result, or null to show it as it was. The same input gives the same text. */
export type StubToolResult = (result: ToolResultToStub) => string | null;

/** Shorter texts inside a result are names, ids and status. */
const KEPT_WHOLE = 120;

export function stubOld(entry: Entry, freshFrom: number, stub: StubToolResult): Entry {
  if (entry.seq >= freshFrom || entry.role !== "tool" || entry.wire.type !== "message") return entry;
  const { parts, value } = entry.wire;
  if (parts.some((part) => part.type !== "tool" || part.output === null)) return entry;
  const tool = parts.flatMap((part) => (part.type === "tool" ? (part.name ?? []) : []))[0] ?? null;
  const text = stub({ id: entry.id, tool, text: textOfParts(parts) });
  if (text === null) return entry;
  const shown = replaceTexts(value, text);
  const tokens = Math.min(entry.tokens, Math.ceil(text.length / 2));
  return {
    ...entry,
    tokens,
    reason: "stub of an old tool result",
    wire: { ...entry.wire, value: shown, parts: partsIn(shown) },
    original: shown,
  };
}

/** The first long text becomes the stub, further ones go. */
function replaceTexts(value: unknown, stub: string): unknown {
  let isPlaced = false;
  const replace = (inner: unknown): unknown => {
    if (typeof inner === "string") {
      if (inner.length <= Math.max(KEPT_WHOLE, stub.length)) return inner;
      const text = isPlaced ? "[…]" : stub;
      isPlaced = true;
      return text;
    }
    if (Array.isArray(inner)) return inner.map(replace);
    if (!isBlock(inner) || ArrayBuffer.isView(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, field]) => [key, replace(field)]));
  };
  return replace(value);
}
