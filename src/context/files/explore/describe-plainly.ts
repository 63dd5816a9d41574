/** Facts about content of unknown format: its size, its lines, and its beginning. */
import { counted } from "../../../text/counted.ts";
import { isPlainSentence } from "../../../text/credentials/safe-to-show.ts";
import { clip } from "../../../text/cut-text.ts";
import { oneLine } from "../../../text/escape-controls.ts";

const HEAD_BYTES = 1_000;
const LONGEST_LINE = 200;

export function describePlainly(content: Uint8Array): string {
  const lines = lineCount(content);
  const facts = [byteSize(content.length), ...(lines === 0 ? [] : [counted(lines, "line")])];
  const head = Buffer.from(content.subarray(0, HEAD_BYTES)).toString("utf8");
  const first = clip(oneLine(head.trimStart().split("\n", 1)[0] ?? ""), LONGEST_LINE);
  const isShown = first !== "" && !first.includes("\ufffd") && isPlainSentence(first);
  return `A file of ${facts.join(", ")}.${isShown ? `\nFirst line: ${first}` : ""}`;
}

function lineCount(content: Uint8Array): number {
  let lines = 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines++;
  return content.length > 0 && content.at(-1) !== 10 ? lines + 1 : lines;
}

/** `1329857` → `1.3 MB`, `1` → `1 byte`. */
const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

export function byteSize(bytes: number): string {
  if (bytes === 1) return "1 byte";
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
