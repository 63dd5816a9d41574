/** Renders one part of a message for the model that writes a summary. */
import { definitionOf } from "../../message/parts/index.ts";
import { isPathArgument, readArguments } from "../../message/tool-arguments.ts";
import { cutMiddle } from "../../text/cut-text.ts";
import { hideBase64 } from "../../text/hide-base64.ts";
import type { Part, PartOf } from "../../types.ts";

/** Most characters shown of each kind of part. */
export interface PartLimits {
  readonly text: number;
  readonly reasoning: number;
  /** Of a tool call's arguments. */
  readonly input: number;
  /** Of a tool's output. */
  readonly output: number;
}

export const UNKNOWN_TOOL = "unknown";

type Names = ReadonlyMap<string, string>;

export function renderSourcePart(part: Part, names: Names, limits: PartLimits): string {
  if (part.type === "tool") return renderTool(part, names, limits);
  return definitionOf(part).inSource(part, (text, kind) => cutMiddle(hideBase64(text.trim()), limits[kind]));
}

/** A stored part may contain the call, its result, or both. */
function renderTool(part: PartOf<"tool">, names: Names, limits: PartLimits): string {
  const name = part.name ?? names.get(part.callId ?? "") ?? UNKNOWN_TOOL;
  const lines: string[] = [];
  if (part.input !== null) lines.push(`tool ${name}(${renderArguments(part.input, limits.input)})`);
  if (part.output !== null) {
    const output = cutMiddle(hideBase64(part.output.trim()), limits.output);
    lines.push(`result of ${name}, ${part.status}:${output === "" ? " nothing" : `\n${output}`}`);
  }
  return lines.join("\n");
}

/** Below this length, only the marker would remain. */
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
