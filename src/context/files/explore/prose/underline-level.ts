/** The level of the heading whose title stands on the line above: `====` is the first, `----` the second. */
export function underlineLevel(line: string): 1 | 2 | null {
  if (/^ {0,3}={3,}\s*$/.test(line)) return 1;
  return /^ {0,3}-{3,}\s*$/.test(line) ? 2 : null;
}

/** Lists, quotes, tables, rules and code end before a line of dashes, and are no title. */
export function mayBeTitle(line: string): boolean {
  return (
    line.length <= 200 && /[\p{L}\p{N}]/u.test(line) && !/^(?: {4}|\t|\s*(?:[-*+>|]|\d+[.)])\s)/.test(line)
  );
}
