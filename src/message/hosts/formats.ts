/** The transcript formats, in the order in which they are tried. */
import type { MessageFormat } from "../../types.ts";
import { claudeCode, claudeCodeSubagent } from "./claude-code.ts";
import { codex, readItem } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { fieldAt, firstText, isObject, textAt, timeAt } from "./json-fields.ts";
import { neutral } from "./neutral.ts";
import { pi } from "./pi.ts";
import { fileStem, uuidAtEnd } from "./session-names.ts";
import { BLANK_ENTRY, type Entry, type TranscriptFormat } from "./transcript-format.ts";

/**
 * Codex rollouts of 2025 before the envelope: a header without a type, then bare items of the Responses API,
 * with `record_type` lines in between that mark saved states. Only the header has a time.
 */
export const codexLegacy: TranscriptFormat = {
  name: "codex-legacy",
  label: "Codex (before September 2025)",
  host: "codex",
  tree: false,
  recognises: (lines) => lines.some((line) => isState(line) || isHeader(line)),
  session: (lines, path) => ({
    sessionId: headerId(lines) ?? uuidAtEnd(path) ?? fileStem(path),
    title: null,
    startedAt: firstText(lines.filter(isHeader).map((line) => timeAt(line, "timestamp"))),
  }),
  readEntry,
  unwrap: (value) => value,
};

function isState(line: unknown): boolean {
  return textAt(line, "record_type") !== null;
}

function isHeader(line: unknown): boolean {
  const isTyped = fieldAt(line, "type") !== undefined || fieldAt(line, "role") !== undefined;
  const isDated = textAt(line, "id") !== null && textAt(line, "timestamp") !== null;
  return !isTyped && isDated && (hasField(line, "instructions") || hasField(line, "git"));
}

function hasField(line: unknown, key: string): boolean {
  return isObject(line) && Object.hasOwn(line, key);
}

function isItem(line: unknown): boolean {
  return textAt(line, "type") !== null && !isState(line);
}

function headerId(lines: readonly unknown[]): string | null {
  return firstText(lines.filter(isHeader).map((line) => textAt(line, "id")));
}

function readEntry(value: unknown): Entry {
  if (isItem(value)) return readItem(value);
  const branch = textAt(fieldAt(value, "git"), "branch");
  return { ...BLANK_ENTRY, createdAt: timeAt(value, "timestamp"), context: { branch } };
}

/** Neutral is last: it accepts any line with a role, which lines of other formats may have too. */
export const TRANSCRIPT_FORMATS: readonly TranscriptFormat[] = [
  claudeCodeSubagent,
  claudeCode,
  codex,
  copilotCli,
  pi,
  codexLegacy,
  neutral,
];

/** The format with this name; undefined for messages that came through the API. */
export function transcriptFormat(name: MessageFormat): TranscriptFormat | undefined {
  return TRANSCRIPT_FORMATS.findLast((format) => format.name === name);
}
