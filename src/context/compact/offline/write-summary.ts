/** Writes the selected statements as lines: a range, days, speakers with times, tasks, files. */
import type { Digest, Moment, WeighedStatement } from "./statement.ts";

export const DONE_TASKS = "Done:";
export const OPEN_TASKS = "Open tasks:";
/** Separates two pieces of a line that are not sentences. */
export const SEPARATOR = " · ";
/** Precedes a decision that replaces an earlier one. */
export const REPLACES = "(replaces an earlier decision)";

interface SummaryLines {
  readonly digest: Digest;
  readonly taken: readonly WeighedStatement[];
  readonly openTasks: readonly string[];
  readonly doneTasks: readonly string[];
  readonly fileLine: string;
}

/** All lines except the last one, which lists what these leave out. */
export function writeSummary({ digest, taken, openTasks, doneTasks, fileLine }: SummaryLines): string {
  return [
    rangeLine(digest.range),
    ...dayLines(digest, taken),
    ...(doneTasks.length === 0 ? [] : [`${DONE_TASKS} ${doneTasks.join("; ")}`]),
    ...(openTasks.length === 0 ? [] : [`${OPEN_TASKS} ${openTasks.join("; ")}`]),
    fileLine,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function rangeLine([from, to]: Digest["range"]): string {
  if (from === "" || from === to) return from;
  return from.slice(0, 10) === to.slice(0, 10) ? `${from} – ${to.slice(11)}` : `${from} – ${to}`;
}

function dayLines({ moments, range }: Digest, taken: readonly WeighedStatement[]): string[] {
  const lines: string[] = [];
  let label = "";
  let period = "";
  let day = isOneDay(range) ? range[0].slice(0, 10) : "";
  for (const statement of taken) {
    const moment = moments[statement.moment];
    if (moment === undefined) continue;
    if (moment.date !== "" && moment.date !== day) {
      day = moment.date;
      label = "";
      period = "";
      lines.push(day);
    }
    const next = labelOf({ ...moment, time: periodOf(moment) });
    if (next === label && lines.length > 0)
      lines[lines.length - 1] += separator(lines.at(-1) ?? "", moment) + wordingOf(statement);
    else lines.push(`${startOf(moment, period)}${wordingOf(statement)}`);
    label = next;
    period = periodOf(moment);
  }
  return lines;
}

function isOneDay([from, to]: Digest["range"]): boolean {
  return from.slice(0, 10) === to.slice(0, 10);
}

function periodOf({ time, period = time }: Moment): string {
  return period;
}

/** The time is omitted if the previous line has the same period. */
function startOf(moment: Moment, before: string): string {
  const isShown = periodOf(moment) !== before || moment.speaker === "";
  const start = labelOf({ ...moment, time: isShown ? moment.time : "" });
  return start === "" ? "" : `${start}: `;
}

function labelOf({ time, speaker }: Moment): string {
  return [time, speaker].filter((piece) => piece !== "").join(" ");
}

/** Sentences follow each other; other text gets a separator, so that the statements can be read back. */
function separator(line: string, { speaker }: Moment): string {
  return speaker === "tool" || !/[.!?…。！？:：]["'”’)」』）]?$/.test(line) ? SEPARATOR : " ";
}

function wordingOf({ text, replaces }: WeighedStatement): string {
  return replaces ? `${REPLACES} ${text}` : text;
}
