/** Flags for a part of a file: `--lines 10-20` sets the fields of the range. */
import type { OtherWay } from "../command.ts";

interface RangeFields {
  readonly startLine?: number;
  readonly endLine?: number;
  readonly startByte?: number;
  readonly endByte?: number;
}

export const NO_RANGE_FLAGS = { startLine: false, endLine: false, startByte: false, endByte: false } as const;

export const RANGE_FLAGS = {
  lines: {
    value: "range",
    description: "Lines of a file: 10-20 (both included), 10- (to the end) or 10 (one line).",
    conflicts: "bytes",
    toInput: readLines,
  },
  bytes: {
    value: "range",
    description: "Bytes of a file: 0-1000 (without byte 1000) or 1000- (to the end).",
    toInput: readBytes,
  },
} satisfies Readonly<Record<string, OtherWay<RangeFields>>>;

/** The range as command-line flags. */
export function rangeWords({ startLine = 1, endLine, startByte, endByte }: AnyRange): string {
  if (startByte !== undefined) return `--bytes ${startByte}-${endByte ?? ""}`;
  return `--lines ${startLine}-${endLine ?? ""}`;
}

type AnyRange = { readonly [Field in keyof RangeFields]?: number | undefined };

function readLines(text: string): RangeFields {
  const [, from = "", dash, to = ""] = /^(\d{1,15})(-)?(\d{1,15})?$/.exec(text) ?? [];
  if (from === "" || Number(from) < 1) throw new Error("Use 10-20, 10- or 10; lines count from 1.");
  const end = dash === undefined ? from : to;
  requireOrder(from, end);
  return { startLine: Number(from), ...(end === "" ? {} : { endLine: Number(end) }) };
}

function readBytes(text: string): RangeFields {
  const [, from = "", to = ""] = /^(\d{1,15})-(\d{1,15})?$/.exec(text) ?? [];
  if (from === "") throw new Error("Use 0-1000 or 1000-; bytes count from 0.");
  requireOrder(from, to);
  return { startByte: Number(from), ...(to === "" ? {} : { endByte: Number(to) }) };
}

function requireOrder(from: string, to: string): void {
  if (to !== "" && Number(to) < Number(from)) throw new Error("The end is before the start.");
}
