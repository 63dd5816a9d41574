/**
 * Removes a model's reasoning from its answer if it is part of the text: `<think>…</think>`, as local models write it, or
 * the channels of harmony. Tags quoted in a sentence are kept, since a summary may mention such tags.
 */

const NAMES = "think|thinking|thought|reasoning|reflection";
const LEADING = new RegExp(`^\\s*<(${NAMES})>[\\s\\S]*?</\\1>`, "i");
/** An unclosed tag: the model was cut off before its answer. */
const UNFINISHED = new RegExp(`^\\s*<(${NAMES})>`, "i");
const OPENING = new RegExp(`<(${NAMES})>`, "i");
/** Some chat templates write the opening tag into the prompt, so the response has only the closing one. */
const CLOSING = new RegExp(`</(?:${NAMES})>`, "gi");
/** After a sentence. */
const BLOCK = new RegExp(`(?<=[.!?。！？]\\s{0,9})<(${NAMES})>(?:(?!</?\\1>)[\\s\\S])*</\\1>`, "gi");
/** What may follow a real block: the end, another tag, the next line or sentence. */
const NEXT = /^[ \t]*(?:$|[\r\n<]|\p{Lu}|\p{Lo})/u;

export function stripReasoning(text: string): string {
  let rest = finalChannel(text);
  while (LEADING.test(rest)) rest = rest.replace(LEADING, "");
  if (UNFINISHED.test(rest)) return "";
  const end = endOfUnopened(rest);
  if (end > 0) return stripReasoning(rest.slice(end));
  return withoutBlocks(rest).trim();
}

/** The position after a closing tag without an opening one; 0 if there is none. */
function endOfUnopened(text: string): number {
  const opened = text.search(OPENING);
  for (const { index, 0: tag } of text.matchAll(CLOSING)) {
    if (opened >= 0 && opened < index) return 0;
    if (endsThinking(text, index, index + tag.length)) return index + tag.length;
  }
  return 0;
}

/** At one end of its line, or with the answer right after it; inside a sentence the tag is only mentioned. */
function endsThinking(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  const after = text.slice(end, end + 80);
  return /(?:^|\n)[ \t]*$/.test(before) || /^[ \t]*(?:\r?\n|$)/.test(after) || /^\p{Lu}/u.test(after);
}

function withoutBlocks(text: string): string {
  return text.replace(BLOCK, (block: string, _name: string, at: number) => {
    const end = at + block.length;
    return NEXT.test(text.slice(end, end + 80)) ? "" : block;
  });
}

const MARK = "<|channel|>";
/** Inside quotation marks it is only mentioned. */
const CHANNEL = /(?<![`"'])<\|channel\|>\s*(\w+)[^<\n]{0,80}<\|message\|>/g;
const END = /<\|(?:end|return|call|start|channel)\|>/g;
const LEFTOVERS = /<\|(?:end|return|call)\|>|<\|start\|>\s*\w*/g;

/**
 * The answer in the harmony format. If a server returns the raw text, reasoning is in the
 * channel `analysis`, and the answer in `final`: `<|channel|>analysis<|message|>…<|end|>`.
 */
function finalChannel(text: string): string {
  if (!text.includes(MARK)) return text;
  const outside: string[] = [];
  const final: string[] = [];
  let at = 0;
  for (const channel of text.matchAll(CHANNEL)) {
    if (channel.index < at) continue;
    outside.push(text.slice(at, channel.index));
    const start = channel.index + channel[0].length;
    at = endAfter(text, start);
    if (channel[1] === "final") final.push(text.slice(start, at));
  }
  if (at === 0) return text;
  outside.push(text.slice(at));
  return final.length > 0 ? final.join("\n") : outside.join("").replace(LEFTOVERS, "");
}

function endAfter(text: string, start: number): number {
  END.lastIndex = start;
  return END.exec(text)?.index ?? text.length;
}
