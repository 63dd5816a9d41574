/**
 * The call of a result in one line: `Tool: Read | path=src/a.ts`. It stays in the context as long as the
 * result does, so it fails closed: only known harmless fields are shown, and only if their value is
 * plain. Commands, addresses, headers, bodies and unknown fields are never shown, not even their names.
 */

import { holdsCredential } from "../../text/credentials/hide-credentials.ts";
import { shownTool } from "../../text/credentials/names-in-references.ts";
import {
  announcesCredential,
  isKeyOfWords,
  isPlainName,
  isPlainSentence,
  isPlainValue,
  isSensitiveName,
  namesCredential,
} from "../../text/credentials/safe-to-show.ts";
import { oneLine } from "../../text/escape-controls.ts";

const LONGEST_LINE = 300;
const LONGEST_VALUE = 120;

/** `input` is JSON text; for anything else, only the tool is shown. */
export function describeCall(tool: string | null, input: string | null): string {
  let line = `Tool: ${shownTool(tool) ?? "unknown"}`;
  for (const [name, value] of harmlessFields(input)) {
    const field = ` | ${name}=${value}`;
    if (line.length + field.length <= LONGEST_LINE) line += field;
  }
  return line;
}

/** The input reduced to what the line may show: enough to keep of a long one. */
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
  // Text that begins differently is not an object and need not be parsed.
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

/**
 * Fields of a call's input that may be shown, each kind with its own check for a plain value. Unlisted fields
 * are never shown.
 */
type Show = (value: unknown) => string | null;

const PATHS =
  "path paths file filepath filename files notebookpath dir directory folder cwd workdir workingdirectory relativepath relativeworkspacepath absolutepath targetfile targetdirectory basepath rootpath searchpath root oldpath newpath source destination";
const PATTERNS =
  "pattern patterns glob globpattern regex regexp query search searchterm searchquery include exclude type symbol";
const IDS =
  "id ids sessionid conversation conversationid messageid summaryid fileid taskid shellid bashid processid agentid jobid runid issuenumber prnumber pullnumber cellid";
const NUMBERS =
  "line lines linenumber startline endline start end from to limit offset count page pages perpage headlimit depth maxdepth maxresults before after context viewrange";

const SHOWN: ReadonlyMap<string, Show> = new Map([
  ...namesOf(PATHS, showPath),
  ...namesOf(PATTERNS, showPattern),
  ...namesOf(IDS, showId),
  ...namesOf(NUMBERS, showNumber),
]);

/** The part of the field that may be shown; null if none. */
function harmlessField(name: string, value: unknown): string | null {
  // `file_path`, `filePath` and `FilePath` are the same field. Other characters would be shown with the name.
  if (!/^[A-Za-z_-]{1,40}$/.test(name)) return null;
  const shown = SHOWN.get(name.replaceAll(/[_-]/g, "").toLowerCase())?.(value) ?? null;
  return shown === null || holdsCredential(shown) ? null : shown;
}

function namesOf(names: string, show: Show): [string, Show][] {
  return names.split(" ").map((name) => [name, show]);
}

const LONGEST_PATH = 100;

/** The end of a long path, which is more informative than the beginning. */
function showPath(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 1_000) return null;
  const path = value.replaceAll("\\", "/").replace(/^[A-Za-z]:(?=\/)/, "");
  // Two slashes follow a scheme; a question mark, or an @ after a character, belongs to an address.
  if (/\/\/|[^/]@|[?=&%;|`"'<>$]|\s-/.test(path)) return null;
  if (namesCredentialBefore(path)) return null;
  const segments = path.split("/");
  if (!segments.every((segment) => segment === "" || isPlainName(segment))) return null;
  if (path.length <= LONGEST_PATH) return isPlainName(path) ? value : null;
  const end = path.slice(path.indexOf("/", path.length - LONGEST_PATH + 1) + 1);
  return end.length < LONGEST_PATH && isPlainName(end) ? `…/${end}` : null;
}

/** Text after the name of a credential may be one, even if it looks like a word: `token/swordfish`, `password-swordfish`. */
function namesCredentialBefore(path: string): boolean {
  const words = path
    .replace(/(?:\.\w{1,8}){1,3}$/, "")
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{M}\p{N}]+/u);
  // A folder with this name usually contains code.
  const named = words.slice(0, -1).filter((word) => word !== "auth");
  return named.some((word) => namesCredential(word) || announcesCredential(word));
}

/** An assignment, including spaces and characters that an expression may put in between. */
const ASSIGNMENT = /[\p{L}\p{N}"'\]})]\s*(?:[=：]|(?<!:):(?!:))\s*\S/u;
/** Operators and escapes of regular expressions: the text between them is words. */
const SYNTAX = /\\[A-Za-z]|[^\p{L}\p{M}\p{N}_\-./]+/gu;

/** The search text: words, with operators of expressions between them. */
function showPattern(value: unknown): string | null {
  if (typeof value !== "string" || value.trim() === "" || value.length > 100) return null;
  if (value.includes("://") || ASSIGNMENT.test(value) || isSensitiveName(value) || isKeyOfWords(value))
    return null;
  const words = value
    .replaceAll(SYNTAX, " ")
    .split(" ")
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return value;
  const together = words.join(" ");
  return words.every(isPlainValue) && isPlainSentence(together) && isPlainName(together) ? value : null;
}

/** Numbers, names with a number, and our own ids; longer ones may be credentials. */
const ID =
  /^(?:(?:[a-z]{1,12}[_-])?(?=[a-f]*\d)[0-9a-f]{1,8}|(?:conv|msg|sum|file)_[0-9a-f]{16}(?:_\d{1,9})?)$/;

function showId(value: unknown): string | null {
  if (typeof value === "number") return showNumber(value);
  return typeof value === "string" && ID.test(value) ? value : null;
}

function showNumber(value: unknown): string | null {
  if (typeof value === "number")
    return Number.isFinite(value) && Math.abs(value) < 1e9 ? String(value) : null;
  if (Array.isArray(value))
    return value.length === 2 && value.every((item) => showNumber(item) !== null) ? value.join("-") : null;
  return typeof value === "string" && /^\d{1,9}(?:-\d{1,9})?$/.test(value) ? value : null;
}
