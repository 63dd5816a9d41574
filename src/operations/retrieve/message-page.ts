/** A message for people: who, when, how much, which; then what is in it. */
import { textsOfParts } from "../../context/retrieve/message-text.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { counted } from "../../text/terminal/amounts.ts";
import type { Look, Style } from "../../text/terminal/look.ts";
import type { ExclusionReason } from "../../types.ts";
import type { MessageAnswer } from "./message-schema.ts";
import { renderPart } from "./part-page.ts";

export const ROLE_STYLES: Readonly<Record<MessageAnswer["role"], Style>> = {
  system: ["bold", "magenta"],
  user: ["bold", "green"],
  assistant: ["bold", "cyan"],
  tool: ["bold", "yellow"],
};

const REASONS: Readonly<Record<ExclusionReason, string>> = {
  branch: "not on the active path",
  reset: "left the context at a reset",
  heartbeat: "heartbeat, not in the context",
  injected: "added by Palimpsest, not in the context",
  "host-summary": "the host's own summary, not in the context",
  erased: "erased",
};

export function renderMessage(message: MessageAnswer, look: Look): string {
  const body = message.erasedAt === null ? bodyOf(message, look) : erased(message.erasedAt, look);
  return [headOf(message, look), ...body].join("\n");
}

/** One that is cut: its words as far as they are there. */
export function renderStart(message: MessageAnswer, look: Look): string {
  const words = textsOfParts(message.parts).map(({ label, text }) =>
    label === null ? escapeControls(text) : `${look.style("dim", `[${label}]`)} ${escapeControls(text)}`,
  );
  return [headOf(message, look), ...words].join("\n");
}

function headOf(
  { seq, role, createdAt, tokenCount, id, excluded, erasedAt, damaged }: MessageAnswer,
  look: Look,
): string {
  const who = look.style(ROLE_STYLES[role], `#${seq} ${role}`);
  const about = [look.time(createdAt), counted(tokenCount, "token"), id].map((text) => ` · ${text}`).join("");
  const why = excluded === null || erasedAt !== null ? "" : ` · ${look.style("yellow", REASONS[excluded])}`;
  const warning = damaged === true ? ` · ${look.style("red", "damaged: does not match its hash")}` : "";
  return `${who}${look.style("dim", about)}${why}${warning}`;
}

function bodyOf({ parts }: MessageAnswer, look: Look): string[] {
  const body = parts.flatMap((part) => renderPart(part, look));
  return body.length > 0 ? body : [look.style("dim", "(no text; lcm read --raw shows the original)")];
}

function erased(at: string, look: Look): string[] {
  return [look.style("dim", `(erased ${look.time(at)})`)];
}
