/** White space except the plain space, listed explicitly, since that matches faster than a class with an exclusion. */
const RUN = /[\t-\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]\s*| \s+/g;

/** Collapses runs of white space. A single space, which is nearly every run, is not replaced. */
export function collapseSpaces(text: string): string {
  return text.replace(RUN, " ");
}

/** Trims white space. Unlike JavaScript's `trim`, keeps a byte order mark. */
export function trimSpaces(text: string): string {
  return text.replace(/^[^\S\uFEFF]+/, "").replace(/[^\S\uFEFF]+$/, "");
}
