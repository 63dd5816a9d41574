/**
 * Reads summaries of one depth into statements, from which a new selection is made. Our own form is read back line
 * by line; prose of a model is read as sentences of the summary's day. Files are merged, the newest list of
 * open tasks wins, and each day keeps its position.
 */

import { splitSentences } from "../../../text/language/split-sentences.ts";
import { localTime } from "../../../text/local-time.ts";
import { ALSO, EXPAND, FILES, isTimelineLine, NEXT_TOPIC, readEntry } from "../format-lines.ts";
import type { SourceSummary, SummarySource } from "../source.ts";
import { readFileLine } from "./file-line.ts";
import { type FileOperation, mergeOperations } from "./file-operation.ts";
import { LINE_STANDING, STANDING } from "./scoring.ts";
import { type Digest, type Moment, type Statement, type Topic, withoutThoughts } from "./statement.ts";
import { DONE_TASKS, OPEN_TASKS, REPLACES, SEPARATOR } from "./write-summary.ts";

type Condensed = Extract<SummarySource, { kind: "condensed" }>;

interface Draft {
  readonly moments: Moment[];
  readonly statements: Statement[];
  readonly files: FileOperation[];
  readonly topics: Topic[];
  openTasks: readonly string[];
  readonly doneTasks: Set<string>;
}

/** The weight of a topic of a summary, relative to characters of a left-out statement. */
const TOPIC = 100;
const DATE = /^\d{4}-\d{2}-\d{2}/;

export function readCondensed({ summaries, depth }: Condensed, timezone: string): Digest {
  const draft: Draft = {
    moments: [],
    statements: [],
    files: [],
    topics: [],
    openTasks: [],
    doneTasks: new Set(),
  };
  for (const summary of summaries) readSummary(summary, depth, timezone, draft);
  const stamp = (instant: string | undefined) => {
    const { date, time } = localTime(instant ?? "", timezone);
    return `${date} ${time}`.trim();
  };
  return {
    ...draft,
    doneTasks: [...draft.doneTasks],
    statements: withoutThoughts(draft.statements),
    files: mergeOperations(draft.files),
    range: [stamp(summaries.at(0)?.earliestAt), stamp(summaries.at(-1)?.latestAt)],
  };
}

function readSummary(summary: SourceSummary, depth: number, timezone: string, draft: Draft): void {
  let { date } = localTime(summary.earliestAt, timezone);
  let time = "";
  draft.openTasks = [];
  for (const line of summary.text.split("\n").map((one) => one.trim())) {
    if (line.startsWith(EXPAND)) addTopics(line.slice(EXPAND.length), draft);
    else if (line.startsWith(FILES)) draft.files.push(...readFileLine(line));
    else if (line.startsWith(OPEN_TASKS)) draft.openTasks = listOf(line.slice(OPEN_TASKS.length));
    else if (line.startsWith(DONE_TASKS))
      for (const task of listOf(line.slice(DONE_TASKS.length))) draft.doneTasks.add(task);
    else if (isTimelineLine(line)) date = DATE.exec(line.replace(/^\W+/, ""))?.[0] ?? date;
    // The index of a source is not a sentence; anchors lost again get into the index of this summary.
    else if (line !== "" && !line.startsWith(ALSO)) time = addEntry(line, { date, time }, depth, draft);
  }
}

/** Returns its time: a line without a time has that of the previous line. */
function addEntry(line: string, before: Pick<Moment, "date" | "time">, depth: number, draft: Draft): string {
  const { speaker, text, ...entry } = readEntry(line);
  const time = entry.time === "" && speaker !== "" ? before.time : entry.time;
  const moment: Moment = { date: before.date, ...timeIn(time, depth), speaker };
  const pieces = text.split(SEPARATOR);
  addStatements(speaker === "tool" ? pieces : pieces.flatMap(splitSentences), moment, draft);
  return time;
}

function addStatements(texts: readonly string[], moment: Moment, draft: Draft): void {
  const place = draft.moments.push(moment) - 1;
  const { speaker } = moment;
  for (const wording of texts) {
    const replaces = wording.startsWith(REPLACES);
    const text = replaces ? wording.slice(REPLACES.length).trim() : wording;
    const standing = speaker === "tool" && !isEvent(text) ? STANDING.line : LINE_STANDING[speaker];
    draft.statements.push({
      index: draft.statements.length,
      moment: place,
      speaker,
      text,
      standing,
      replaces,
    });
  }
}

/** A command or a change, as opposed to a line that a tool printed. */
function isEvent(text: string): boolean {
  return /^(?:`[^`]+`|\S+\.\w+:) | failed(?::|$)/.test(text);
}

function listOf(text: string): string[] {
  return text
    .split("; ")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** A model may separate them by commas. Newer summaries come later and weigh more: their details are more likely to be needed. */
function addTopics(text: string, draft: Draft): void {
  const newest = (draft.topics.at(-1)?.index ?? 0) + 1;
  for (const [place, label] of text.split(text.includes(NEXT_TOPIC) ? NEXT_TOPIC : ", ").entries())
    draft.topics.push({ index: newest, label: label.trim(), weight: TOPIC * newest - place });
}

/** Times in the precision that a depth needs: one for each half hour, the part of the day, none. */
function timeIn(time: string, depth: number): Pick<Moment, "time" | "period"> {
  if (time === "" || depth >= 3) return { time: "" };
  if (!/^\d{2}:\d{2}$/.test(time)) return { time: depth >= 2 ? time : "" };
  if (depth >= 2) return { time: partOfDay(Number(time.slice(0, 2))) };
  return { time, period: `${time.slice(0, 2)}:${time.slice(3) < "30" ? "00" : "30"}` };
}

function partOfDay(hour: number): string {
  if (hour < 5 || hour >= 22) return "night";
  if (hour < 12) return "morning";
  return hour < 18 ? "afternoon" : "evening";
}
