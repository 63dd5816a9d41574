/** Items and checks for tests of the wire formats. */

import { readMessage } from "../../../../message/read-parts.ts";
import { WIRE_FORMATS, type WireFormat } from "../../../../message/wire-formats.ts";
import { renderWire, type WireItem } from "../wire.ts";
import { checkAnthropic } from "./check-anthropic.ts";
import { checkOpenaiChat } from "./check-openai-chat.ts";
import { checkResponses } from "./check-responses.ts";

export const CHECKERS = {
  anthropic: checkAnthropic,
  "openai-chat": checkOpenaiChat,
  "openai-responses": checkResponses,
} as const;

/** An item as the engine passes it: read leniently, like stored messages. */
export function itemOf(value: unknown): WireItem {
  const { role, parts } = readMessage(value, "lenient");
  return { type: "message", role, value, parts };
}

export const summary = (text: string): WireItem => ({ type: "text", role: "user", text });

/** All rule violations, in every format. */
export function violationsOf(items: readonly WireItem[]): string[] {
  return WIRE_FORMATS.flatMap((format) => checkFormat(items, format));
}

function checkFormat(items: readonly WireItem[], format: WireFormat): string[] {
  return CHECKERS[format](renderWire(items, format)).map((violation) => `${format} ${violation}`);
}
