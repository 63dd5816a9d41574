/** A piece of a longer text keeps all of it in memory. What is kept for later is copied out. */
export function detach(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, "utf8").toString("utf8");
}
