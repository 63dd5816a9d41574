/** A text as a regular expression that finds it and nothing else, also with the flag `u`. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
