/** Ids in texts: all that look like one, and those whose words are shown. */

/** Whatever looks like the id of a message or a summary, also when it is none: an invented id is often a little wrong. */
export const LIKE_AN_ID = /\b(?:msg_[0-9a-z]+(?:_[0-9]+)?|sum_[0-9a-z]+)\b/gi;
/** As tools write the head of what they quote: the id, and then in brackets what it is. */
const IN_A_HEAD = new RegExp(`${LIKE_AN_ID.source}(?= \\()`, "gi");

/** Each once, in the order in which they come. */
export function idsIn(text: string): readonly string[] {
  return [...new Set(text.match(LIKE_AN_ID) ?? [])];
}

/**
 * Ids of what a tool's answer quotes: those in a head that quoted lines follow. Not those that are only listed, that
 * repeat what was asked for, or that stand inside a quotation: what was said can name any id.
 */
export function idsQuoted(text: string): readonly string[] {
  const quoted = new Set<string>();
  const heads: string[] = [];
  for (const line of text.split("\n"))
    if (line === "") heads.length = 0;
    else if (line.trimStart().startsWith(">")) for (const id of heads.splice(0)) quoted.add(id);
    else heads.push(...(line.match(IN_A_HEAD) ?? []));
  return [...quoted];
}
