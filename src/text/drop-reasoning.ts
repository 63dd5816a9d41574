/** Removes what a model thought aloud: blocks that start a line with `<think>` or a tag of that kind. */

const NAMES =
  "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|antthinking|inner_monologue";
const OPENED = new RegExp(`[ \\t]*<(${NAMES})>`, "iy");
const CLOSED = new RegExp(`[ \\t]*</(?:${NAMES})>`, "iy");

/**
 * An unclosed block goes to the end of the text. A closing tag without its opening one ends reasoning that began with
 * the text: some templates leave the opening tag out.
 */
export function dropReasoning(text: string): string {
  if (!text.includes("<")) return text;
  let kept: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = reasoningEnd(text, at);
    if (end > at) {
      if (isOrphan(text, at)) kept = [];
      at = end;
      continue;
    }
    const next = text.indexOf("\n", at) + 1;
    kept.push(text.slice(at, next === 0 ? text.length : next));
    at = next === 0 ? text.length : next;
  }
  return kept.join("");
}

/** Where the reasoning that starts here ends; the same place when none does. */
export function reasoningEnd(text: string, at: number): number {
  OPENED.lastIndex = at;
  const name = OPENED.exec(text)?.[1];
  if (name !== undefined) return closingEnd(text, OPENED.lastIndex, name);
  CLOSED.lastIndex = at;
  return CLOSED.test(text) ? CLOSED.lastIndex : at;
}

function isOrphan(text: string, at: number): boolean {
  CLOSED.lastIndex = at;
  return CLOSED.test(text);
}

function closingEnd(text: string, from: number, name: string): number {
  const closing = new RegExp(`</${name}>`, "gi");
  closing.lastIndex = from;
  return closing.test(text) ? closing.lastIndex : text.length;
}
