/** Lines of markup that a host put around a message: `<tag>`, `</tag>`, `<tag>…</tag>`. */
const TAG = /^\s*<\/?[a-zA-Z][\w:-]*(?:\s[^<>]*)?\/?>(?:.*<\/[a-zA-Z][\w:-]*>)?\s*$/;
/** The end of such a line, if its beginning was read as another sentence. */
const END = /<\/[a-z]+(?:-[a-z]+)+>\s*$/;

export function isHostMarkup(line: string): boolean {
  return TAG.test(line);
}

export function isEndOfHostMarkup(sentence: string): boolean {
  return END.test(sentence.slice(-80));
}
