/**
 * Which call a result belongs to, in one line: `Tool: Read | path=src/a.ts`. It stays in the context for as long as the
 * result does, so it fails closed: only fields that are known to be harmless are shown, and only when their value is
 * plain. Commands, addresses, headers, bodies and unknown fields never are, not even their names.
 */

import { shownTool } from "../../text/credentials/names-in-references.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { harmlessField } from "./harmless-field.ts";

const LONGEST_LINE = 300;
const LONGEST_VALUE = 120;

/** `input` is JSON text; anything else tells nothing but the tool. */
export function describeCall(tool: string | null, input: string | null): string {
  let line = `Tool: ${shownTool(tool) ?? "unknown"}`;
  for (const [name, value] of harmlessFields(input)) {
    const field = ` | ${name}=${value}`;
    if (line.length + field.length <= LONGEST_LINE) line += field;
  }
  return line;
}

/** The input with nothing in it that the line would not show: what there is to remember of a long one. */
export function harmlessInput(input: string): string {
  return JSON.stringify(Object.fromEntries(harmlessFields(input)));
}

function harmlessFields(input: string | null): [string, string][] {
  return Object.entries(objectIn(input)).flatMap(([name, value]): [string, string][] => {
    const shown = harmlessField(name, value);
    return shown === null ? [] : [[name, cut(oneLine(shown))]];
  });
}

function objectIn(input: string | null): object {
  // What begins otherwise is no object, and need not be parsed to know.
  if (input === null || !/^\s*\{/.test(input)) return {};
  try {
    return Object(JSON.parse(input)) as object;
  } catch {
    return {};
  }
}

function cut(value: string): string {
  return value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE - 1).toWellFormed()}…`;
}
