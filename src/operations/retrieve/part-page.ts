/** One part of a message for people. Nothing is cut: all text is shown, and other content is named. */

import { type LabelledText, labelledTexts } from "../../context/retrieve/message-text.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import type { Part } from "../../types.ts";

/** No line for what says nothing to a person. Types without a look of their own are shown as their definition labels them. */
export function renderPart(part: Part, look: Look): string[] {
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

/** Lines after the first stand below it, so that the end of a result is seen. */
function indented(text: string): string {
  return escapeControls(text).replaceAll("\n", "\n  ");
}

function tag(look: Look, ...words: readonly (string | null)[]): string {
  return look.style("dim", `[${words.filter((word) => word !== null && word !== "").join(" ")}]`);
}

/** A data: URL is the file itself. */
function shownUrl(url: string | null): string | null {
  return url === null || /^data:/i.test(url) ? null : url;
}
