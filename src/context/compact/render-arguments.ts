/** Arguments of a tool call as `name: value` pairs, paths and commands first, so that a cut never hides them. */
import { cutMiddle } from "../../text/cut-text.ts";
import { hideBase64 } from "../../text/hide-base64.ts";
import { isPathArgument, readArguments } from "./tool-arguments.ts";

/** Below this, a value would be all marker. */
const SHORTEST = 40;

export function renderArguments(input: string, limit: number): string {
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
