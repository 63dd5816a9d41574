/**
 * What a model of the harmony format says to the reader. Where a server hands on its raw text, thinking stands in the
 * channel `analysis`, and the answer in `final`: `<|channel|>analysis<|message|>…<|end|>`.
 */
const MARK = "<|channel|>";
/** Inside quotation marks it is spoken of, not spoken. */
const CHANNEL = /(?<![`"'])<\|channel\|>\s*(\w+)[^<\n]{0,80}<\|message\|>/g;
const END = /<\|(?:end|return|call|start|channel)\|>/g;
const LEFTOVERS = /<\|(?:end|return|call)\|>|<\|start\|>\s*\w*/g;

export function finalChannel(text: string): string {
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
