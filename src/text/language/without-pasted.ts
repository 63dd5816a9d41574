/**
 * A message without text that its author did not write: fenced code, elements of markup such as `<file>`, JSON, logs,
 * quoted and forwarded mail. Requests inside such text are not requests to us. Lines stay separate, so that nothing
 * is joined that was apart. One pass over the lines.
 */
export function withoutPasted(text: string): string {
  const lines = text.split("\n");
  const foreign = new Set<number>();
  for (const mark of [markFences, markElements, markMembers, markLogs, markMail]) mark(lines, foreign);
  return lines.map((line, number) => (foreign.has(number) ? "" : line)).join("\n");
}

type Mark = (lines: readonly string[], foreign: Set<number>) => void;

const FENCE = /^[ \t]*(?:(?:[-*•]|\d{1,2}[.)])[ \t]+)?(`{3,}|~{3,})/;

/** Also a truncated one at the end. */
const markFences: Mark = (lines, foreign) => {
  let open = "";
  for (const [number, line] of lines.entries()) {
    const fence = FENCE.exec(line)?.[1] ?? "";
    if (open !== "" || fence !== "") foreign.add(number);
    if (open === "") open = fence;
    else if (fence.startsWith(open) && /^[`~ \t]*$/.test(line)) open = "";
  }
};

const OPENING = /^[ \t]*<([A-Za-z][\w.-]*)(?:\s[^<>]*)?>/;
const CLOSING = /<\/([A-Za-z][\w.-]*)\s*>/g;

/** From a tag at the beginning of a line to the last one that closes it. */
const markElements: Mark = (lines, foreign) => {
  const closed = new Map<string, number>();
  for (const [number, line] of lines.entries())
    for (const [, name = ""] of line.matchAll(CLOSING)) closed.set(name.toLowerCase(), number);
  let end = -1;
  for (const [number, line] of lines.entries()) {
    const name = OPENING.exec(line)?.[1]?.toLowerCase() ?? "";
    end = Math.max(end, closed.get(name) ?? -1);
    if (number <= end) foreign.add(number);
  }
};

const MEMBER = /^\s*(?:\/\/\s*)?"[\w.$-]+": ?\S/;

/** JSON and the like without a fence. */
const markMembers: Mark = (lines, foreign) => {
  for (const [number, line] of lines.entries()) if (MEMBER.test(line)) foreign.add(number);
};

const LOG_LINE =
  /^\s*(?:[[(]?\d{4}[-/]\d\d[-/]\d\d[T ,]+\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2} \d\d:\d\d:\d\d|\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|NOTICE|CRITICAL)\b|\[(?:error|warn|warning|info|debug|trace|fatal)\]|(?:level|lvl|ts|time)=\S|\{"(?:level|time|ts|timestamp|msg)")/;
/** One line may be a header of the host; several are a log. */
const LOG_LINES = 2;

/** Lines between or right below the lines of a log belong to it; a blank line ends it. */
const markLogs: Mark = (lines, foreign) => {
  for (const [first, last] of paragraphs(lines)) {
    const logged = lines.slice(first, last).flatMap((line, place) => (LOG_LINE.test(line) ? [place] : []));
    if (logged.length < LOG_LINES) continue;
    for (let number = first + (logged[0] ?? 0); number < last; number++) foreign.add(number);
  }
};

function* paragraphs(lines: readonly string[]): Generator<readonly [number, number]> {
  let first = 0;
  for (let number = 0; number <= lines.length; number++) {
    if (lines[number]?.trim()) continue;
    if (number > first) yield [first, number];
    first = number + 1;
  }
}

const FORWARDED =
  /^[ \t]*(?:-{2,} ?(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Weitergeleitete Nachricht|Message d'origine|Message transféré|Mensaje original|Mensaje reenviado|Mensagem original|Messaggio originale|Исходное сообщение|原始邮件|원본 메시지) ?-*|Begin forwarded message:)[ \t]*$/i;
const WROTE =
  /^[ \t]*(?:(?:On|Am|Le|El|Em|Il) .{6,160}\b(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto)(?: .{1,80})?|.{6,160} (?:пишет|写道|のメール)) ?[:：][ \t]*$/;

/** All that follows, unless it is quoted line by line: then the author answers between the quotations. */
const markMail: Mark = (lines, foreign) => {
  const start = lines.findIndex((line, number) => {
    if (foreign.has(number)) return false;
    return FORWARDED.test(line) || (WROTE.test(line) && !isQuoted(lines, number + 1));
  });
  if (start < 0) return;
  for (let number = start; number < lines.length; number++) foreign.add(number);
};

function isQuoted(lines: readonly string[], from: number): boolean {
  for (let number = from; number < lines.length; number++)
    if (lines[number]?.trim()) return /^\s*>/.test(lines[number] ?? "");
  return false;
}
