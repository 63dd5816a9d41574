/**
 * Names in the first line of a reference, which stays in the context as long as the message does. They
 * come from the author of the message: an address may contain a password or a signature, and a name may imitate
 * another reference. Unsafe parts are removed; the exact name is stored with the file.
 */
import { oneLine } from "../escape-controls.ts";
import {
  ABOUT_PASSWORDS,
  ANNOUNCES,
  FILE_ENDING,
  FLAG,
  HIDDEN,
  ISSUED_KEY,
  LONG_NUMBER,
  NAMES_CREDENTIAL,
} from "./credential-words.ts";
import { hideCredentials, holdsCredential } from "./hide-credentials.ts";
import { areReadableTogether } from "./plausible-word.ts";
import { isPlainIdentifier, isPlainName } from "./safe-to-show.ts";

const TOOL = /^[\p{L}\p{N}_.:/-]{1,64}$/u;
const MIME = /^[A-Za-z0-9][\w.+-]{0,60}\/[\w.+-]{1,80}$/;

/** A cache of decisions about tool names, since a few tools make nearly all calls. */
const tools = new Map<string, string | null>();
const MOST_TOOLS = 1_000;

/** Null for text that is not a tool name. */
export function shownTool(tool: string | null): string | null {
  if (tool === null) return null;
  let shown = tools.get(tool);
  if (shown === undefined) {
    shown = plainTool(oneLine(tool));
    if (tools.size >= MOST_TOOLS) tools.clear();
    tools.set(tool, shown);
  }
  return shown;
}

function plainTool(name: string): string | null {
  if (!TOOL.test(name) || name.includes("://") || holdsCredential(name)) return null;
  return isPlainIdentifier(name) && !tellsPassword(name) ? name : null;
}

/** Null for text that is not a MIME type. */
export function shownMime(mime: string | null): string | null {
  const [type = ""] = (mime ?? "").split(";", 1);
  return MIME.test(type.trim()) && !ISSUED_KEY.test(type) ? type.trim() : null;
}

/** For an address, its file name. Values, accounts and keys are removed. Null when nothing is left. */
export function shownFileName(name: string | null): string | null {
  const line = name === null ? "" : oneLine(name);
  if (isMoreThanAName(line)) return endingOf(line) === "" ? null : HIDDEN + endingOf(line);
  const shown = (line.includes("://") ? endOfAddress(line) : line)
    .replaceAll(/(?<==)[^=/\s]+/g, (value) => HIDDEN + endingOf(value))
    .replaceAll(/[^\s/@]+:[^\s/@]+@/g, `${HIDDEN}@`)
    .replaceAll(/\[(?=\s*LCM)/gi, "")
    .replaceAll(LONG_NUMBER, HIDDEN);
  const words = hideCredentials(shown).split(/(?<=[\s/\\|])/);
  const plain = words
    .map((word) => word.replace(/[^\s/\\|]+/, (bare) => (isUsual(bare) ? bare : HIDDEN + endingOf(bare))))
    .join("")
    .trim();
  return plain === "" ? null : plain;
}

export function shownPath(path: string): string {
  return shownFileName(path) ?? HIDDEN;
}

/** Dates, times and ids of uploads, which are generated and grant no access. */
const STAMP =
  /(?<![\p{L}\d])(?:\d{8}[T_-]?\d{6}Z?|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[a-z]{1,6}_[0-9a-f]{16})(?![\p{L}\d])/giu;

/** A word of a name as people and programs name files. */
function isUsual(word: string): boolean {
  if (ISSUED_KEY.test(word) || tellsPassword(word)) return false;
  const bare = word.replace(STAMP, "").replaceAll(HIDDEN, "").replace(FILE_ENDING, "");
  return bare.split(/[^\p{L}\p{M}\p{N}]+/u).every(isUsualRun);
}

/** Shorter than a key, a number, or pronounceable letters, since names are rarely dictionary words. */
function isUsualRun(run: string): boolean {
  if (run.length < SHORTEST_KEY || /^\d{1,12}$/.test(run)) return true;
  return isPlainName(run) || (/^\p{Lu}?\p{Ll}{7,15}$/u.test(run) && areReadableTogether(run));
}

const SHORTEST_KEY = 8;

function endingOf(word: string): string {
  return FILE_ENDING.exec(word)?.[0] ?? "";
}

/** `password-swordfish`, `pwd_hunter2`: a password may be any word. */
function tellsPassword(word: string): boolean {
  const words = word.split(/[^\p{L}\p{M}\p{N}]+/u).filter((one) => one !== "");
  const at = words.findIndex((one) => ANNOUNCES.test(one));
  return at >= 0 && words.slice(at + 1).some((one) => !ABOUT_PASSWORDS.test(one));
}

/** A line of a command or of settings that contains a named password. */
function isMoreThanAName(line: string): boolean {
  if (!/[\s:："']/.test(line) || line.includes("://")) return false;
  return /:\$/.test(line) || FLAG.test(line) || NAMES_CREDENTIAL.test(line) || ANNOUNCES.test(line);
}

/** The part between the last slash and the query; only a name with an extension is a file name. */
function endOfAddress(address: string): string {
  const [path = ""] = address.split(/[?#]/, 1);
  const [name = ""] = /(?<=[^/:]\/)[^/]*\.[A-Za-z0-9]{1,8}$/.exec(path) ?? [];
  return name;
}
