/** One part of a message in words. */

import { cutMiddle } from "../../text/cut-text.ts";
import { hideBase64 } from "../../text/hide-base64.ts";
import type { Part } from "../../types.ts";
import { isPathArgument, readArguments } from "./tool-arguments.ts";

/** Most characters shown of each kind of part. */
export interface PartLimits {
  readonly text: number;
  readonly reasoning: number;
  /** Of a tool call's arguments. */
  readonly input: number;
  /** Of a tool's answer. */
  readonly output: number;
}

/** Stands before text that a host added to a message; nobody said it. */
export const HOST_NOTE = "(added by the host) ";

type Names = ReadonlyMap<string, string>;
type ToolPart = Extract<Part, { type: "tool" }>;

export function renderPart(part: Part, names: Names, limits: PartLimits): string {
  const show = (text: string, limit: number) => cutMiddle(hideBase64(text.trim()), limit);
  switch (part.type) {
    case "text":
      return `${part.synthetic === true ? HOST_NOTE : ""}${show(part.text, limits.text)}`;
    case "compaction":
    case "other":
      return show(part.text, limits.text);
    case "reasoning":
      return show(part.text, limits.reasoning);
    case "tool":
      return renderTool(part, names, limits);
    case "patch":
      return part.files.length === 0 ? "" : `patch of ${part.files.join(", ")}`;
    case "file":
      return renderFile(part);
    case "subtask":
      return `task for ${part.agent ?? "an agent"}: ${show(part.description ?? part.prompt, limits.text)}`;
    case "agent":
      return part.name === null ? "" : `agent ${part.name}`;
    case "retry":
      return `retry after: ${show(part.error ?? "an error", limits.output)}`;
    case "step_start":
    case "step_finish":
    case "snapshot":
      return "";
  }
}

/** A stored part may hold the call, its answer, or both. */
function renderTool(part: ToolPart, names: Names, limits: PartLimits): string {
  const name = part.name ?? names.get(part.callId ?? "") ?? "unknown";
  const lines: string[] = [];
  if (part.input !== null) lines.push(`tool ${name}(${renderArguments(part.input, limits.input)})`);
  if (part.output !== null) {
    const output = cutMiddle(hideBase64(part.output.trim()), limits.output);
    lines.push(`result of ${name}, ${part.status}:${output === "" ? " nothing" : `\n${output}`}`);
  }
  return lines.join("\n");
}

function renderFile(part: Extract<Part, { type: "file" }>): string {
  const isInline = part.url === null || /^data:/i.test(part.url);
  const name = part.name ?? (isInline ? "without a name" : part.url);
  return `file ${name}${part.mime === null ? "" : ` (${part.mime})`}`;
}

/** Below this, a value would be all marker. */
const SHORTEST = 40;

/** Arguments of a tool call as `name: value` pairs, paths and commands first, so that a cut never hides them. */
function renderArguments(input: string, limit: number): string {
  const fields = readArguments(input);
  if (fields === undefined) return cutMiddle(hideBase64(input.trim()), limit);
  const paths = fields.filter(([name]) => isPathArgument(name));
  const others = fields.filter(([name]) => !isPathArgument(name));
  const share = Math.max(SHORTEST, limit / Math.max(1, others.length));
  const shown = [
    ...paths.map(([name, value]) => `${name}: ${hideBase64(asText(value))}`),
    ...others.map(([name, value]) => `${name}: ${cutMiddle(hideBase64(asText(value)), share)}`),
  ];
  return shown.join(", ");
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
