/**
 * Formats that are recognised and deliberately not imported. The error names the product and says what to do
 * instead, which helps more than "unknown format".
 */
import { decodeLeniently } from "../../text/utf8.ts";
import { textAt } from "./json-fields.ts";

interface UnsupportedFormat {
  /** What the file is, for people. */
  readonly label: string;
  readonly advice: string;
  /** `start` is the first bytes as text, because documents that span many lines cannot be recognised by their lines. */
  recognises(lines: readonly unknown[], start: string): boolean;
}

const UNSUPPORTED_FORMATS: readonly UnsupportedFormat[] = [
  {
    label: "an OpenClaw trajectory, a log of runs without messages",
    advice:
      "Import the session beside it, the file of the same name without .trajectory. It contains the messages.",
    recognises: (lines, start) =>
      lines.some(isOpenClawTrajectory) || /^\s*\{\s*"traceSchema"\s*:\s*"openclaw-trajectory/.test(start),
  },
  {
    label: "a single record or an event stream of OpenCode",
    advice: "Import OpenCode's database (opencode.db), or write the session out with: opencode export",
    recognises: (lines, start) =>
      lines.some(isOpencodeRecord) || /^\s*\{[^[]*"(id|sessionID)"\s*:\s*"ses_/.test(start),
  },
];

/** Includes the pointer file for a trajectory stored elsewhere. */
function isOpenClawTrajectory(line: unknown): boolean {
  return textAt(line, "traceSchema")?.startsWith("openclaw-trajectory") === true;
}

function isOpencodeRecord(line: unknown): boolean {
  return textAt(line, "sessionID")?.startsWith("ses_") === true;
}

/** Binary files, recognised by their first bytes. */
const MAGIC_NUMBERS: readonly (readonly [bytes: readonly number[], label: string, advice: string])[] = [
  [[0x1f, 0x8b], "compressed with gzip", "Unpack it first."],
  [[0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd", "Unpack it first."],
  [[0x50, 0x4b, 0x03, 0x04], "a zip archive", "Unpack it first."],
];

interface Refusal {
  readonly label: string;
  readonly advice: string;
}

export function unsupportedFormat(lines: readonly unknown[], start: Uint8Array): Refusal | undefined {
  const magic = MAGIC_NUMBERS.find(([bytes]) => bytes.every((byte, index) => start[index] === byte));
  if (magic !== undefined) return { label: magic[1], advice: magic[2] };
  const text = decodeLeniently(start);
  return UNSUPPORTED_FORMATS.find((format) => format.recognises(lines, text));
}
