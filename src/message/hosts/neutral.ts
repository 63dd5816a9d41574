/**
 * Our own documented JSONL, for hosts without a format that we know: an optional header
 * `{"type":"palimpsest","version":1,"session":"…","title":"…"}`, then one message a line. A message has a `role`
 * and `content` or `parts` of any message family, or is an item of the Responses API; `id` and `createdAt` are
 * optional. Objects without a role that are none of these are events. An object with an unknown role cannot be
 * placed and is reported. The file is linear.
 */
import { ROLES } from "../../types.ts";
import { isKnownRole } from "../read-parts.ts";
import { responseItemFor } from "../read-response-item.ts";
import { fieldAt, textAt, timeAt } from "./json-fields.ts";
import { fileStem } from "./session-names.ts";
import { BLANK_ENTRY, type Entry, type TranscriptFormat } from "./transcript-format.ts";

export const neutral: TranscriptFormat = {
  name: "neutral",
  label: "Palimpsest JSONL",
  host: null,
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

/** Enough to identify our format: a role alone is ambiguous. */
function isSpoken(line: unknown): boolean {
  const hasWords = fieldAt(line, "content") !== undefined || fieldAt(line, "parts") !== undefined;
  return textAt(line, "role") !== null && hasWords;
}

function readEntry(value: unknown): Entry {
  const kind = kindOf(value);
  const problem = kind === "unreadable" ? `its role is not one of ${ROLES.join(", ")}` : timeProblem(value);
  return {
    ...BLANK_ENTRY,
    kind: problem === null ? kind : "unreadable",
    ...(problem === null ? {} : { problem }),
    entryKey: textAt(value, "id"),
    createdAt: timeAt(value, "createdAt") ?? timeAt(value, "timestamp"),
  };
}

/** In our own format an unreadable time is an error: otherwise the message would get the time of the import. */
function timeProblem(line: unknown): string | null {
  const given = fieldAt(line, "createdAt") ?? null;
  if (given === null || timeAt(line, "createdAt") !== null) return null;
  return `createdAt ${JSON.stringify(given)} is not a time`;
}

/** Once the format is known: some message families have no content field, and items have no role. */
function kindOf(line: unknown): Entry["kind"] {
  const role = fieldAt(line, "role");
  if (isKnownRole(role) || responseItemFor(fieldAt(line, "type")) !== undefined) return "message";
  return role === undefined ? "event" : "unreadable";
}
