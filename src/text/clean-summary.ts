/**
 * Removes text around the summary in a model's response: reasoning, a code fence, a wrapper, an introduction.
 * Tags in the middle of a line are part of the summary and are kept. Linear in the text; cleaning twice changes nothing.
 */

const WRAPPERS = ["summary", "answer", "output", "response", "result", "final"];
const FENCES = ["```", "~~~"];
const WORD = "summary|zusammenfassung|résumé|resumen|摘要|总结|總結|要約|まとめ|요약";
/** A first line that only announces the summary: `Here is the summary:`, `Sure, I'll do that:`, `**Summary**`. */
const FIRST_LINE = new RegExp(
  `^(?:[^\\n]{0,80}(?:${WORD})[^\\n]{0,80}[:：]|(?:sure|certainly|of course|okay|ok)[!.,][^\\n]{0,100}[:：]|[#*_ ]{0,6}(?:${WORD})[*_: ：]{0,4})[ \\t]*(?:\\n|$)`,
  "i",
);
/** The same before the text on one line. */
const OPENING = new RegExp(
  `^(?:here(?: is|'s)|below is|this is|the following is|hier ist|voici|aquí está|以下)[^\\n:：]{0,60}(?:${WORD})[^\\n:：]{0,60}[:：][ \\t]*`,
  "i",
);

export function cleanSummary(text: string): string {
  let cleaned = dropReasoning(text.replaceAll("\r\n", "\n")).trim();
  for (;;) {
    const peeled = peel(cleaned);
    if (peeled.length === cleaned.length) return cleaned;
    cleaned = peeled;
  }
}

/** Removes one layer, if there is one. */
function peel(text: string): string {
  const reasoning = reasoningEnd(text, 0);
  if (reasoning > 0) return text.slice(reasoning).trim();
  const inner = insideFence(text) ?? insideWrapper(text);
  if (inner !== undefined) return inner.trim();
  return text.replace(FIRST_LINE, "").replace(OPENING, "").trim();
}

/** Only if the fence contains the whole response: another fence inside means that the response contains code. */
function insideFence(text: string): string | undefined {
  for (const fence of FENCES) {
    const start = text.indexOf("\n");
    if (!text.startsWith(fence) || !text.endsWith(`\n${fence}`) || start < 0) continue;
    const inner = text.slice(start, -fence.length - 1);
    if (!inner.includes(`\n${fence}`)) return inner;
  }
  return undefined;
}

function insideWrapper(text: string): string | undefined {
  for (const name of WRAPPERS) {
    const [open, close] = [`<${name}>`, `</${name}>`];
    const isWrapped =
      text.length >= open.length + close.length && sameStart(text, open) && sameEnd(text, close);
    if (isWrapped) return text.slice(open.length, -close.length);
  }
  return undefined;
}

function sameStart(text: string, start: string): boolean {
  return text.slice(0, start.length).toLowerCase() === start;
}

function sameEnd(text: string, end: string): boolean {
  return text.slice(-end.length).toLowerCase() === end;
}

const NAMES =
  "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|antthinking|inner_monologue";
const OPENED = new RegExp(`[ \\t]*<(${NAMES})>`, "iy");
const CLOSED = new RegExp(`[ \\t]*</(?:${NAMES})>`, "iy");

/**
 * Removes reasoning: blocks that start a line with `<think>` or a similar tag. An unclosed block ends with the text. A
 * closing tag without its opening one ends reasoning that began with the text: some templates leave the opening tag out.
 */
function dropReasoning(text: string): string {
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

/** The end of the reasoning that starts here; the same position if there is none. */
function reasoningEnd(text: string, at: number): number {
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
