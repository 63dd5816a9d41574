/**
 * Names as they stand in the first line of a reference, which stays in the context for as long as the message does. They
 * come from whoever wrote the message: an address may carry a password or a signature, and a name may try to look like
 * another reference. What is left out is left out; the exact name is on record with the file.
 */
import { ANNOUNCES, FLAG, ISSUED_KEY, NAMES_CREDENTIAL } from "./credential-words.ts";
import { oneLine } from "./escape-controls.ts";

const TOOL = /^[\p{L}\p{N}_.:/-]{1,64}$/u;
const MIME = /^[A-Za-z0-9][\w.+-]{0,60}\/[\w.+-]{1,80}$/;
const HIDDEN = "…";
/** 13 to 19 digits, as the numbers of cards and accounts have, in groups or not; never a date. */
const LONG_NUMBER = /(?<!\d)(?!(?:19|20)\d\d[-_ ]?\d\d[-_ ]?\d\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

/** Null for what no tool is called. */
export function shownTool(tool: string | null): string | null {
  const name = tool === null ? "" : oneLine(tool);
  return TOOL.test(name) && !name.includes("://") && !ISSUED_KEY.test(name) ? name : null;
}

/** Null for what is no type. */
export function shownMime(mime: string | null): string | null {
  const [type = ""] = (mime ?? "").split(";", 1);
  return MIME.test(type.trim()) && !ISSUED_KEY.test(type) ? type.trim() : null;
}

/** Of an address the file that it ends with; of anything no values, accounts or keys. Null when nothing is left. */
export function shownFileName(name: string | null): string | null {
  const line = name === null ? "" : oneLine(name);
  if (isMoreThanAName(line)) return null;
  const shown = (line.includes("://") ? endOfAddress(line) : line)
    .replaceAll(/(?<==)[^=/\s]+/g, HIDDEN)
    .replaceAll(/[^\s/@]+:[^\s/@]+@/g, `${HIDDEN}@`)
    .replaceAll(/\[(?=\s*LCM)/gi, "")
    .replaceAll(LONG_NUMBER, HIDDEN)
    .split(/(?<=[\s/|])/)
    .map((word) => (ISSUED_KEY.test(word) ? word.replace(/[^\s/|]+/, HIDDEN) : word))
    .join("")
    .trim();
  return shown === "" ? null : shown;
}

/** A line of a command or of settings, with what somebody calls a password in it. */
function isMoreThanAName(line: string): boolean {
  if (!/[\s:："']/.test(line) || line.includes("://")) return false;
  return /:\$/.test(line) || FLAG.test(line) || NAMES_CREDENTIAL.test(line) || ANNOUNCES.test(line);
}

/** What stands before the query, behind the last slash: only a name with an ending is one of a file. */
function endOfAddress(address: string): string {
  const [path = ""] = address.split(/[?#]/, 1);
  const [name = ""] = /(?<=[^/:]\/)[^/]*\.[A-Za-z0-9]{1,8}$/.exec(path) ?? [];
  return name;
}
