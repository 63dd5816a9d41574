/** White space but the plain space, written out: a class is looked up faster than what is left of another. */
const RUN = /[\t-\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]\s*| \s+/g;

/** Every run of white space as one space. A lone space, which is nearly every run, need not be replaced. */
export function collapseSpaces(text: string): string {
  return text.replace(RUN, " ");
}

/** Without the white space around it. A byte order mark is a character like others, though JavaScript trims it: it stays. */
export function trimSpaces(text: string): string {
  return text.replace(/^[^\S\uFEFF]+/, "").replace(/[^\S\uFEFF]+$/, "");
}
