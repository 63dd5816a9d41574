/** Every run of white space as one space. A lone space, which is nearly every run, need not be replaced. */
export function collapseSpaces(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, " ");
}
