/** Statements from tool calls: failures with the line that explains them, verdicts, and printed sentences. */
import { clip } from "../../../text/cut-text.ts";
import { characterClass, SEPARATOR, UNSPACED } from "../../../text/language/character-class.ts";
import { CUE } from "../../../text/language/cues.ts";
import { plainLine } from "../../../text/language/plain-line.ts";
import { readCues } from "../../../text/language/read-cues.ts";
import { changeLines } from "./change-lines.ts";
import { describeCall } from "./describe-tool-event.ts";
import { fileOperations, fileStateOf } from "./file-operations.ts";
import { commitIn, isPlanning } from "./open-tasks.ts";
import { outputLines } from "./output-lines.ts";
import { commandOf, hasFailed, type ToolEvent } from "./tool-event.ts";

export interface ToolStatement {
  readonly message: number;
  readonly text: string;
  readonly kind: "failure" | "outcome" | "change" | "line";
}

const LONGEST_LINE = 200;
const LONGEST_CHANGE = 500;
/** Related lines are joined; a long change can be shown in part. */
const LINES_TOGETHER = 10;
/** Segments at the end of a path that are shown: the project is known. */
const PATH_LENGTH = 6;
/** Number of last lines that may contain a verdict. */
const LAST_LINES = 3;
const VERDICT =
  /\b(?:passed|failed|ok|success\w*|done|built|deployed|created|installed|committed|pushed|merged|errors?|warnings?)\b|成功|完了|完成|완료/i;

export function toolStatements(events: readonly ToolEvent[]): ToolStatement[] {
  return events.flatMap((event) => {
    const failure = explainFailure(event);
    if (failure !== undefined) return [failureOf(event, failure)];
    const state = fileStateOf(event);
    // File operations have their own line; the result of a commit or a plan is a formality.
    if (isPlanning(event) || commitIn(event) !== "") return [];
    const changes = changesOf(event);
    if (changes.length > 0 || (state !== undefined && state !== "read")) return changes;
    if (MANUAL.test(event.input)) return [];
    const lines = toolLines(event).map((text) => ({ message: event.message, text, kind: "line" as const }));
    return state === undefined ? [...verdictOn(event), ...lines] : lines;
  });
}

function changesOf(event: ToolEvent): ToolStatement[] {
  const lines = changeLines(event);
  const path = lines.length === 0 ? undefined : fileOperations([event])[0]?.path;
  if (path === undefined) return [];
  const name = path.split("/").slice(-PATH_LENGTH).join("/");
  const starts = Array.from(
    { length: Math.ceil(lines.length / LINES_TOGETHER) },
    (_, i) => i * LINES_TOGETHER,
  );
  return starts.map((start) => {
    const together = lines.slice(start, start + LINES_TOGETHER).join("; ");
    return { message: event.message, text: clip(`${name}: ${together}`, LONGEST_CHANGE), kind: "change" };
  });
}

function failureOf(event: ToolEvent, line: string): ToolStatement {
  const text = `${describeCall(event) ?? event.name} failed${line === "" ? "" : `: ${clip(line, LONGEST_LINE)}`}`;
  return { message: event.message, text, kind: "failure" };
}

/** The call, with the verdict from the last lines of its output if that is short enough to quote. */
function verdictOn(event: ToolEvent): ToolStatement[] {
  const { message } = event;
  const call = describeCall(event);
  if (call === undefined) return [];
  const last = commandOf(event) === undefined ? [] : outputLines(event.output).slice(-LAST_LINES);
  const verdict = last.findLast((line) => VERDICT.test(line) && line.length <= LONGEST_LINE);
  return verdict === undefined ? [] : [{ message, text: `${call}: ${verdict.trim()}`, kind: "outcome" }];
}

/** `sqlite3.OperationalError: …` ends a traceback; `error: …` and `Parse error: …` begin an explanation. */
const RAISED = /^\s*[\w.]*(?:Error|Exception|Panic|Fault)\b.*:/;
const NAMED = /^\s*(?:\w+ )?(?:error(?:\[\w+\])?|fatal|panic)\b.*:/i;
const MENTIONED =
  /\b(?:error|exception|failed|failure|fatal|refused|denied|not found|no such|cannot|can't|timed out|invalid|unable|undefined)\b|错误|失败|エラー|失敗|오류|실패/i;

const SEARCHES = /(?:^|[;&|]\s*)(?:git )?(?:grep|rg|diff|cmp|test|which)\b[^;&|]*$/;

/**
 * The line that explains why a call failed; empty if there is none, undefined if it did not fail. An exit code alone
 * is not a failure: `grep` and `diff` use it to report whether they found something.
 */
function explainFailure(event: ToolEvent): string | undefined {
  if (!hasFailed(event)) return undefined;
  const lines = outputLines(event.output);
  const named = lines.findLast((line) => RAISED.test(line)) ?? lines.find((line) => NAMED.test(line));
  if (named !== undefined || event.status !== "error") return named?.trim();
  if (lines.length === 0 && SEARCHES.test(commandOf(event) ?? "")) return undefined;
  return (lines.find((line) => MENTIONED.test(line)) ?? lines.at(-1) ?? "").trim();
}

/**
 * Printed sentences about an error or a finding: a note, a log line, a commit's subject. Code,
 * search hits, tables and rulers are skipped.
 */
const LONGEST = 220;
const SHORTEST = 16;
/** The first and last sentences of each output are candidates; the last line of the summary refers to the rest. */
const FROM_START = 8;
const FROM_END = 4;
/** Lines searched at each end of an output. */
const SEARCHED = 120;
const CODE =
  /[{}=<>\\|$]|^[\s\d→:]*(?:\/\/|\/\*|\*|#|"|'|package |#include|import |from |def |class |func |function |const |let |var |return|@)|[,(;[]\s*$|^\s*at /;

/**
 * `src/a.ts:12:`, `src/a.ts-12-`, a comment after code, an option in a help text or a name in a reference, and verdicts
 * of test runners on single tests.
 */
const HIT =
  /^\d+: |^[\s*-]*`[^`]*` [—–-]|^\s*(?:-[a-zA-Z], )?--[a-z][\w-]* |^[\w./@+-]+[:-]\d+[:-]|\s\/\/\s|^\s*--- |\w\(|^[\w.]+ := /;
const OBSERVED = CUE.error | CUE.finding;
const LINE_NUMBER = /^\s*\d+[→\t]\s*/;
/** Skills and project instructions: manuals say what should be done, not what was. */
const MANUAL = /\b(?:SKILL|AGENTS|CLAUDE|GEMINI)\.md\b|[\\/]skills[\\/]/;

function toolLines({ output }: ToolEvent): string[] {
  const lines = outputLines(output);
  const first = sentencesOf(lines.slice(0, SEARCHED)).slice(0, FROM_START);
  const last =
    lines.length <= SEARCHED ? [] : sentencesOf(lines.slice(-Math.min(SEARCHED, lines.length - SEARCHED)));
  return [...new Set([...first, ...last.slice(-FROM_END)])].map((line) => clip(line, LONGEST));
}

function sentencesOf(lines: readonly string[]): string[] {
  return lines
    .filter((line) => line.length <= 2_000 && !CODE.test(line) && !HIT.test(line))
    .map(plain)
    .filter((line) => isSentence(line) && (readCues(line) & OBSERVED) !== 0);
}

/** Without indentation, Markdown, and the line numbers that a listing puts before an arrow. */
function plain(line: string): string {
  return plainLine(line.replace(LINE_NUMBER, "")).replace(/\s+/g, " ").trim();
}

/** Enough words, and few characters that are not letters. */
function isSentence(line: string): boolean {
  if (line.length < SHORTEST) return false;
  let letters = 0;
  let spaces = 0;
  const end = Math.min(line.length, LONGEST);
  for (let i = 0; i < end; i++) {
    const unit = line.charCodeAt(i);
    if (unit === 0x20) spaces++;
    else if (unit > 0x39 && characterClass(unit) !== SEPARATOR) letters++;
  }
  const isUnspaced = characterClass(line.charCodeAt(line.length >> 1)) === UNSPACED;
  return letters >= 10 && letters >= (end - spaces) * 0.7 && (spaces >= 3 || isUnspaced);
}
