/** Without the white space around it. A byte order mark is a character like others, though JavaScript trims it: it stays. */
export function trimSpaces(text: string): string {
  return text.replace(/^[^\S\uFEFF]+/, "").replace(/[^\S\uFEFF]+$/, "");
}
