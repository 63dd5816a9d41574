/** Copies a piece of a longer text, because an uncopied slice keeps the whole text in memory. */
export function detach(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, "utf8").toString("utf8");
}
