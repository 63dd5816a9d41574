/** Entries as the caller wants them: in a provider's wire format, or as the host gave them. */
import type { CountTokens } from "../../text/estimate-tokens.ts";
import type { Entry } from "./entry.ts";
import { renderWire, WIRE_FORMATS, type WireFormat } from "./wire/wire.ts";

/** `original`: each message as it was committed; a summary is a user message with its text. */
export const ASSEMBLE_FORMATS = ["original", ...WIRE_FORMATS] as const;
export type AssembleFormat = "original" | WireFormat;

export interface RenderedContext {
  readonly system: string | null;
  readonly messages: readonly unknown[];
  /** The JSON of each message, by which it is measured and recognised. */
  readonly serialised: readonly string[];
  /** Of the whole answer as it is sent. */
  readonly tokens: number;
}

export function renderMessages(
  entries: readonly Entry[],
  format: AssembleFormat,
  addition: string | null,
  countTokens: CountTokens,
): RenderedContext {
  const wire = entries.map((entry) => entry.wire);
  const { system, messages } =
    format === "original" ? { system: null, messages: wire.map(asOriginal) } : renderWire(wire, format);
  const hasFiles = wire.some(
    (item) => item.type === "message" && item.parts.some((part) => part.type === "file"),
  );
  const serialised = messages.map(
    (message) => (hasFiles ? JSON.stringify(message, withoutBytes) : JSON.stringify(message)) ?? "",
  );
  let tokens = countTokens(system ?? "") + countTokens(addition ?? "");
  for (const text of serialised) tokens += countTokens(text);
  return { system, messages, serialised, tokens };
}

function asOriginal(item: Entry["wire"]): unknown {
  return item.type === "text" ? { role: "user", content: item.text } : item.value;
}

/** Providers do not count an image by its characters. A stand-in of the usual size takes their place. */
const LONG = 2_000;
const FILE_TOKENS = 1_600;
const STAND_IN = "x".repeat(FILE_TOKENS * 4);

function withoutBytes(key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return STAND_IN;
  if (typeof value !== "string" || value.length < LONG) return value;
  const isBytes =
    value.startsWith("data:") ||
    ((key === "data" || key === "file_data") && !/\s/.test(value.slice(0, LONG)));
  return isBytes ? STAND_IN : value;
}
