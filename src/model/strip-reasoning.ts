/**
 * Takes a model's thinking out of its answer where it comes as text (`<think>…</think>`, as local models write
 * it). Only what stands before the answer is taken: a summary may well talk about such tags.
 */
const NAMES = "think|thinking|thought|reasoning|reflection";
const LEADING = new RegExp(`^\\s*<(${NAMES})>[\\s\\S]*?</\\1>`, "i");
/** Opened and never closed: the model was cut off before it came to an answer. */
const UNFINISHED = new RegExp(`^\\s*<(${NAMES})>`, "i");
/** Some chat templates write the opening tag into the prompt, so that only the closing one comes back. */
const CLOSING_LINE = new RegExp(`^[ \\t]*</(${NAMES})>[ \\t]*$`, "im");

export function stripReasoning(text: string): string {
  let rest = text;
  while (LEADING.test(rest)) rest = rest.replace(LEADING, "");
  if (UNFINISHED.test(rest)) return "";
  const closing = CLOSING_LINE.exec(rest);
  if (closing !== null && !hasOpening(rest.slice(0, closing.index)))
    return stripReasoning(rest.slice(closing.index + closing[0].length));
  return rest.trim();
}

function hasOpening(text: string): boolean {
  return new RegExp(`<(${NAMES})>`, "i").test(text);
}
