/** One part of a message for people. Nothing is cut: every word of it is shown, or named where it is no text. */

import { escapeControls } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import type { Part } from "../../types.ts";

/** No line for what says nothing to a person. */
export function renderPart(part: Part, look: Look): string[] {
  switch (part.type) {
    case "text":
      return [part.synthetic === true ? look.style("dim", part.text) : escapeControls(part.text)];
    case "reasoning":
      return part.text === "" ? [] : [look.style(["dim", "italic"], `[reasoning] ${part.text}`)];
    case "tool":
      return renderTool(part, look);
    case "compaction":
      return [tag(look, "summary by the host"), escapeControls(part.text)];
    case "subtask":
      return [tag(look, "subtask", part.agent, part.description), escapeControls(part.prompt)];
    case "other":
      return [tag(look, part.blockType), escapeControls(part.text)].filter((line) => line !== "");
    default:
      return renderMark(part, look);
  }
}

/** Parts that are a mark in the conversation and no text. */
function renderMark(
  part: Exclude<Part, { type: "text" | "reasoning" | "tool" | "compaction" | "subtask" | "other" }>,
  look: Look,
): string[] {
  switch (part.type) {
    case "file":
      return [tag(look, part.mime ?? "file", part.name ?? shownUrl(part.url))];
    case "patch":
      return [tag(look, "patch", part.hash, ...part.files)];
    case "snapshot":
      return [tag(look, "snapshot", part.hash)];
    case "agent":
      return [tag(look, "agent", part.name)];
    case "retry":
      return [tag(look, "retry", part.attempt?.toString() ?? null, part.error)];
    case "step_finish":
      return part.reason === null ? [] : [tag(look, "step finished", part.reason)];
    case "step_start":
      return [];
  }
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
