/**
 * Our own documented JSONL, for hosts that write none we know: an optional header
 * `{"type":"palimpsest","version":1,"session":"…","title":"…"}`, then one message a line. A message has a `role`
 * and `content` or `parts` of any message family, or is an item of the Responses API; `id` and `createdAt` are
 * optional. Objects that are none of these are events. The file is linear.
 */
import { responseItemFor } from "../read-response-item.ts";
import { fieldAt, textAt, timeAt } from "./json-fields.ts";
import { fileStem } from "./session-names.ts";
import { BLANK_ENTRY, type Entry, type TranscriptFormat } from "./transcript-format.ts";

export const neutral: TranscriptFormat = {
  name: "neutral",
  label: "Palimpsest JSONL",
  tree: false,
  recognises: (lines) => lines.some((line) => isNeutralHeader(line) || isSpoken(line)),
  session: (lines, path) => {
    const header = lines.find(isNeutralHeader);
    return { sessionId: textAt(header, "session") ?? fileStem(path), title: textAt(header, "title") };
  },
  readEntry,
  unwrap: (value) => value,
};

export function isNeutralHeader(line: unknown): boolean {
  return textAt(line, "type") === "palimpsest" && fieldAt(line, "role") === undefined;
}

/** Enough to take a file for ours: a role alone may mean anything. */
function isSpoken(line: unknown): boolean {
  const hasWords = fieldAt(line, "content") !== undefined || fieldAt(line, "parts") !== undefined;
  return textAt(line, "role") !== null && hasWords;
}

/** Once the file is ours: some families put everything beside the content, and items have no role. */
function isMessage(line: unknown): boolean {
  return textAt(line, "role") !== null || responseItemFor(fieldAt(line, "type")) !== undefined;
}

function readEntry(value: unknown): Entry {
  return {
    ...BLANK_ENTRY,
    kind: isMessage(value) ? "message" : "event",
    entryKey: textAt(value, "id"),
    createdAt: timeAt(value, "createdAt") ?? timeAt(value, "timestamp"),
  };
}
