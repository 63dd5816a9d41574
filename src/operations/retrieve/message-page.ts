/** A message for people: role, time, size and id; then its content. */
import { type LabelledText, labelledTexts, textsOfParts } from "../../context/retrieve/message-text.ts";
import { counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import type { Look, Style } from "../../text/terminal/look.ts";
import type { ExclusionReason, Part } from "../../types.ts";
import type { MessageAnswer } from "./message-schema.ts";

export const ROLE_STYLES: Readonly<Record<MessageAnswer["role"], Style>> = {
  system: ["bold", "magenta"],
  user: ["bold", "green"],
  assistant: ["bold", "cyan"],
  tool: ["bold", "yellow"],
};

const REASONS: Readonly<Record<ExclusionReason, string>> = {
  branch: "on an abandoned branch",
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

/** A message that is cut: its available text. */
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

/**
 * One part of a message for people. Nothing is cut: all text is shown, and other content is named.
 *
 * Content without information for people has no line. Types without their own format use the labels of their definition.
 */
function renderPart(part: Part, look: Look): string[] {
  switch (part.type) {
    case "text":
      return [part.synthetic === true ? look.style("dim", part.text) : escapeControls(part.text)];
    case "reasoning":
      return part.text === "" ? [] : [look.style(["dim", "italic"], `[reasoning] ${part.text}`)];
    case "tool":
      return renderTool(part, look);
    case "file":
      return [tag(look, part.mime ?? "file", part.name ?? shownUrl(part.url))];
    case "patch":
      return [tag(look, "patch", part.hash, ...part.files)];
    case "retry":
      return [tag(look, "retry", part.attempt?.toString() ?? null, part.error)];
    case "other":
      return [tag(look, part.blockType), escapeControls(part.text)].filter((line) => line !== "");
    default:
      return labelledTexts(part).flatMap((text) => renderLabelled(text, look));
  }
}

function renderLabelled({ label, text }: LabelledText, look: Look): string[] {
  const lines = label === null ? [] : [tag(look, ...label)];
  return text === null ? lines : [...lines, escapeControls(text)];
}

function renderTool(part: Extract<Part, { type: "tool" }>, look: Look): string[] {
  const lines: string[] = [];
  if (part.input !== null || part.output === null)
    lines.push(`${look.style("cyan", `→ ${part.name ?? "tool"}`)} ${indented(part.input ?? "")}`.trimEnd());
  if (part.output === null) return lines;
  const mark = part.status === "error" ? look.style("red", "← error") : look.style("cyan", "←");
  const name = part.name === null || part.input !== null ? "" : `${look.style("dim", part.name)} `;
  return [...lines, `${mark} ${name}${indented(part.output)}`.trimEnd()];
}

/** Indents lines after the first, so that the end of a result is visible. */
function indented(text: string): string {
  return escapeControls(text).replaceAll("\n", "\n  ");
}

function tag(look: Look, ...words: readonly (string | null)[]): string {
  return look.style("dim", `[${words.filter((word) => word !== null && word !== "").join(" ")}]`);
}

/** A data: URL contains the whole file, so it is not shown. */
function shownUrl(url: string | null): string | null {
  return url === null || /^data:/i.test(url) ? null : url;
}
