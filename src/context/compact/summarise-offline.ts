/**
 * Summarises without a model: selects the sentences that matter, quotes them exactly, and writes files,
 * open tasks and left-out topics in the form that every summary has. The same input gives the same text. It never
 * exceeds its target, except below `SMALLEST`, where the form itself needs the room. It neither rephrases nor
 * understands: content that no word, place or anchor marks as important may be left out, at best named in the last line.
 */
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { EXPAND } from "./format-lines.ts";
import { writeExpandLine } from "./offline/expand-line.ts";
import { writeFileLine } from "./offline/file-line.ts";
import { readCondensed } from "./offline/read-condensed.ts";
import { readLeaf } from "./offline/read-leaf.ts";
import type { Digest, Statement, WeighedStatement } from "./offline/statement.ts";
import { StatementPicker } from "./offline/statement-picker.ts";
import { supersede } from "./offline/supersede.ts";
import { weighStatements } from "./offline/weigh-statements.ts";
import { writeSummary } from "./offline/write-summary.ts";
import type { SummarySource } from "./source.ts";

export interface OfflineOptions {
  readonly targetTokens: number;
  readonly countTokens: CountTokens;
  /** IANA name of the zone in which times are written. */
  readonly timezone: string;
}

/** A smaller target in tokens is not met exactly. */
export const SMALLEST = 96;
/** Most of the target for the lines beside the sentences. */
const SHARES = { files: 0.16, expand: 0.07, tasks: 0.12, done: 0.12 };
/** Parts are counted separately, and the whole is usually shorter than their sum: further rounds use the difference. */
const ROUNDS = 3;
/** Tokens. A long list of left-out topics is worth less than a sentence. */
const MOST_FOR_LAST_LINE = 50;

export function summariseOffline(source: SummarySource, options: OfflineOptions): string {
  const { countTokens, timezone } = options;
  const target = Math.max(SMALLEST, Math.floor(options.targetTokens));
  const digest =
    source.kind === "leaf" ? readLeaf(source.messages, timezone) : readCondensed(source, timezone);
  const statements = supersede(weighStatements(distinctStatements(digest.statements), source.kind));
  const { body, whole, room } = writersFor(digest, target, countTokens);
  const picker = new StatementPicker(statements, room, countTokens);
  for (let round = 0; round < ROUNDS; round++) picker.fill(room - countTokens(body(picker.taken)));
  let summary = whole(picker.taken);
  while (countTokens(summary) > target && picker.giveBack()) summary = whole(picker.taken);
  return countTokens(summary) > target ? shorten(summary, target, countTokens) : summary;
}

/** Only the selection of statements is still open; the last line depends on what it leaves out. */
function writersFor(digest: Digest, target: number, countTokens: CountTokens) {
  const fileLine = writeFileLine(digest.files, target * SHARES.files, countTokens);
  const openTasks = fittingTasks(digest.openTasks, target * SHARES.tasks, countTokens);
  // The newest are the most likely to be asked about.
  const doneTasks = fittingTasks(digest.doneTasks.toReversed(), target * SHARES.done, countTokens).reverse();
  const forLastLine = Math.min(target * SHARES.expand, MOST_FOR_LAST_LINE) + countTokens(`\n${EXPAND} `);
  const body = (taken: readonly WeighedStatement[]) =>
    writeSummary({ digest, taken, openTasks, doneTasks, fileLine });
  const whole = (taken: readonly WeighedStatement[]) =>
    `${body(taken)}\n${writeExpandLine(digest, taken, forLastLine, countTokens)}`;
  return { body, whole, room: target - forLastLine };
}

function fittingTasks(tasks: readonly string[], maxTokens: number, countTokens: CountTokens): string[] {
  const kept: string[] = [];
  let left = maxTokens - countTokens("Open tasks: ");
  for (const task of tasks) {
    left -= countTokens(`${task}; `);
    if (left >= 0) kept.push(task);
  }
  return kept;
}

/** The last resort if even the fixed lines do not fit: the first and last of them. */
function shorten(summary: string, target: number, countTokens: CountTokens): string {
  const lines = summary.split("\n");
  while (lines.length > 2 && countTokens(lines.join("\n")) > target) lines.splice(1, 1);
  return lines.join("\n");
}

/** Each wording once, attributed to its first speaker. */
function distinctStatements(statements: readonly Statement[]): Statement[] {
  const seen = new Set<string>();
  return statements.filter((statement) => {
    const wording = wordingOf(statement);
    if (wording === "" || seen.has(wording)) return false;
    seen.add(wording);
    return true;
  });
}

/** Matches every run of these characters except a single space, which may stay. */
const BETWEEN_WORDS = /(?! )[\s`*"'.,:;!?。、！？]+| [\s`*"'.,:;!?。、！？]+/g;

/** Ignores case, spaces and punctuation. Printed lines that differ only in figures count as repetitions. */
function wordingOf({ text, speaker }: Statement): string {
  const bare = text.toLowerCase().replace(BETWEEN_WORDS, " ").trim();
  return speaker === "tool" ? bare.replace(/\d+/g, "#") : bare;
}
