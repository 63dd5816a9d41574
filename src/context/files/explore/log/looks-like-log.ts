import { findLevel } from "./find-level.ts";
import { TimeFinder } from "./find-time.ts";

const LINES_LOOKED_AT = 200;

/** Lines that begin with a time or a level. Those that go on from the line above (traces) are indented or few. */
export function looksLikeLog(head: string, isNamedSo: boolean): boolean {
  const lines = head
    .split("\n")
    .slice(0, LINES_LOOKED_AT)
    .filter((line) => /\S/.test(line));
  if (lines.length < (isNamedSo ? 1 : 3)) return false;
  const times = new TimeFinder();
  const entries = lines.filter((line) => isEntry(line, times)).length;
  const indented = lines.filter((line) => /^\s/.test(line)).length;
  return entries >= (lines.length - indented) * (isNamedSo ? 0.3 : 0.6) && entries >= lines.length * 0.15;
}

/** A time behind two separators is a field of a table; a level counts only at the very beginning. */
function isEntry(line: string, times: TimeFinder): boolean {
  const found = times.find(line);
  if (found === null) return /^\W{0,2}[A-Z]/.test(line) && findLevel(line.slice(0, 12)) !== null;
  return found.end < 90 && !/^[^,;\t]*[,;\t].*[,;\t]/.test(line.slice(0, found.end + 1));
}
