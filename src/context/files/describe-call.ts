/**
 * Which call a result belongs to, in one line: `Tool: Read | path=src/a.ts`. It stays in the context for as long as the
 * result does, so it fails closed: only fields that are known to be harmless are shown, and only when their value is
 * plain. Commands, addresses, headers, bodies and unknown fields never are, not even their names.
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

/**
 * Fields of a call's input that may be shown, each sort with its own idea of a plain value. A field that is not listed
 * is never shown.
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

/** What may be shown of the field; null when nothing may. */
function harmlessField(name: string, value: unknown): string | null {
  // `file_path`, `filePath` and `FilePath` are the same field. Other signs would be shown with the name.
  if (!/^[A-Za-z_-]{1,40}$/.test(name)) return null;
  const shown = SHOWN.get(name.replaceAll(/[_-]/g, "").toLowerCase())?.(value) ?? null;
  return shown === null || holdsCredential(shown) ? null : shown;
}

function namesOf(names: string, show: Show): [string, Show][] {
  return names.split(" ").map((name) => [name, show]);
}

const LONGEST_PATH = 100;

/** The end of a long one: it tells more than the beginning. */
function showPath(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 1_000) return null;
  const path = value.replaceAll("\\", "/").replace(/^[A-Za-z]:(?=\/)/, "");
  // Two slashes follow a scheme, and a question mark or an @ behind something belong to an address.
  if (/\/\/|[^/]@|[?=&%;|`"'<>$]|\s-/.test(path)) return null;
  if (namesCredentialBefore(path)) return null;
  const segments = path.split("/");
  if (!segments.every((segment) => segment === "" || isPlainName(segment))) return null;
  if (path.length <= LONGEST_PATH) return isPlainName(path) ? value : null;
  const end = path.slice(path.indexOf("/", path.length - LONGEST_PATH + 1) + 1);
  return end.length < LONGEST_PATH && isPlainName(end) ? `…/${end}` : null;
}

/** What follows the name of a credential may be one, spelled like any word: `token/swordfish`, `password-swordfish`. */
function namesCredentialBefore(path: string): boolean {
  const words = path
    .replace(/(?:\.\w{1,8}){1,3}$/, "")
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{M}\p{N}]+/u);
  // A folder of that name holds code, as a rule.
  const named = words.slice(0, -1).filter((word) => word !== "auth");
  return named.some((word) => namesCredential(word) || announcesCredential(word));
}

/** An assignment, also with the spaces and signs that an expression may have between. */
const ASSIGNMENT = /[\p{L}\p{N}"'\]})]\s*(?:[=：]|(?<!:):(?!:))\s*\S/u;
/** Signs and short forms of regular expressions: what is between them are words. */
const SYNTAX = /\\[A-Za-z]|[^\p{L}\p{M}\p{N}_\-./]+/gu;

/** What is searched for: words, with the signs of expressions between them. */
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

/** Numbers, names with a number, and our own ids; longer ones may open something. */
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
