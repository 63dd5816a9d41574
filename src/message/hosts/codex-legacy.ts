/**
 * Codex rollouts of 2025 before the envelope: a header without a type, then bare items of the Responses API,
 * with `record_type` lines between them that mark saved states. Items have no time; only the header has.
 */
import { readItem } from "./codex.ts";
import { fieldAt, firstText, isObject, textAt, timeAt } from "./json-fields.ts";
import { fileStem, uuidAtEnd } from "./session-names.ts";
import { BLANK_ENTRY, type Entry, type TranscriptFormat } from "./transcript-format.ts";

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
