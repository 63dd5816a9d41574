/** Reads messages into statements, files, open tasks and topics. The selection is made elsewhere. */

import { definitionOf } from "../../../message/parts/index.ts";
import { withoutHostText } from "../../../message/title-of.ts";
import { clip } from "../../../text/cut-text.ts";
import { hideBase64 } from "../../../text/hide-base64.ts";
import { isReadable } from "../../../text/language/is-readable.ts";
import { plainLine, withoutEmphasis } from "../../../text/language/plain-line.ts";
import { splitSentences } from "../../../text/language/split-sentences.ts";
import { withoutPasted } from "../../../text/language/without-pasted.ts";
import { type LocalTime, localTime } from "../../../text/local-time.ts";
import type { Part } from "../../../types.ts";
import { isHostMarkup } from "../host-markup.ts";
import type { SourceMessage } from "../source.ts";
import { describeOutput } from "./describe-tool-event.ts";
import { fileOperations } from "./file-operations.ts";
import { doneTasks, openTasks } from "./open-tasks.ts";
import { STANDING } from "./scoring.ts";
import {
  type Digest,
  type Moment,
  type Speaker,
  type Statement,
  type Topic,
  withoutThoughts,
} from "./statement.ts";
import { type ToolEvent, toolEvents } from "./tool-event.ts";
import { type ToolStatement, toolStatements } from "./tool-statements.ts";

interface Draft {
  readonly moments: Moment[];
  readonly statements: Statement[];
  readonly topics: Topic[];
}

/** The surroundings of a message. */
interface Place {
  readonly when: LocalTime;
  readonly speaker: Speaker;
  /** The message ends a turn. */
  readonly isFinal: boolean;
  /** A call failed since the agent's last text. */
  readonly isAfterFailure: boolean;
}

export function readLeaf(messages: readonly SourceMessage[], timezone: string): Digest {
  const events = toolEvents(messages);
  const draft: Draft = { moments: [], statements: [], topics: [] };
  const printed = Map.groupBy(toolStatements(events), ({ message }) => message);
  let isAfterFailure = false;
  for (const [index, message] of messages.entries()) {
    const when = localTime(message.createdAt, timezone);
    const place = { when, speaker: message.role, isFinal: isFinalAnswer(messages, index), isAfterFailure };
    for (const part of message.parts) addPart(part, place, draft);
    if (message.role !== "tool" && message.parts.some(({ type }) => type === "text")) isAfterFailure = false;
    isAfterFailure = addPrinted(printed.get(index) ?? [], when, draft) || isAfterFailure;
  }
  addToolTopics(events, draft);
  const range: Digest["range"] = [stampOf(messages.at(0), timezone), stampOf(messages.at(-1), timezone)];
  return {
    ...draft,
    statements: withoutThoughts(draft.statements),
    range,
    files: fileOperations(events),
    openTasks: openTasks(events),
    doneTasks: doneTasks(events),
  };
}

function stampOf(message: SourceMessage | undefined, timezone: string): string {
  const { date, time } = localTime(message?.createdAt ?? "", timezone);
  return `${date} ${time}`.trim();
}

/** Text that ends a turn: no call in the message and no assistant or tool message after it. */
function isFinalAnswer(messages: readonly SourceMessage[], index: number): boolean {
  const message = messages[index];
  const next = messages[index + 1];
  if (message?.role !== "assistant" || message.parts.some(({ type }) => type === "tool")) return false;
  return next === undefined || next.role === "user" || next.role === "system";
}

/** Text that a host inserts into a message is not a statement of anyone. */
function addPart(part: Part, place: Place, draft: Draft): void {
  if (part.type === "text" && part.synthetic === true) return;
  const speaker = part.type === "reasoning" ? "thinking" : place.speaker;
  const quotable = definitionOf(part).quotable(part);
  const text = speaker === "user" ? withoutPasted(withoutHostText(quotable)) : quotable;
  if (text.trim() === "") return;
  const { sentences, headings, blocks } = readProse(text);
  addLines(sentences, { ...place.when, speaker }, (index) => standingOf({ ...place, speaker }, index), draft);
  if (speaker === "assistant") addLines(blocks, { ...place.when, speaker }, () => STANDING.block, draft);
  for (const label of headings)
    draft.topics.push({ index: draft.statements.length, label, weight: text.length / headings.length });
}

function standingOf({ speaker, isFinal, isAfterFailure }: Place, index: number): number {
  if (speaker === "user") return index === 0 ? STANDING.userOpening : STANDING.user;
  if (speaker === "thinking") return STANDING.thinking;
  if (speaker !== "assistant") return STANDING.system;
  if (isAfterFailure) return STANDING.afterFailure;
  if (!isFinal) return STANDING.aside;
  return index === 0 ? STANDING.answerOpening : STANDING.answer;
}

function addLines(
  texts: readonly string[],
  moment: Moment,
  standing: (index: number) => number,
  draft: Draft,
): void {
  if (texts.length === 0) return;
  const place = draft.moments.push(moment) - 1;
  const { speaker } = moment;
  for (const [index, text] of texts.entries())
    draft.statements.push({
      index: draft.statements.length,
      moment: place,
      speaker,
      text,
      standing: standing(index),
      replaces: false,
    });
}

/** True if something failed. */
function addPrinted(printed: readonly ToolStatement[], when: LocalTime, draft: Draft): boolean {
  const texts = printed.map(({ text }) => text);
  addLines(texts, { ...when, speaker: "tool" }, (index) => STANDING[printed[index]?.kind ?? "line"], draft);
  return printed.some(({ kind }) => kind === "failure");
}

/** Shorter outputs are not worth expanding. */
const SMALLEST_OUTPUT = 800;

/** All tool output except its verdict is left out: the call names it. */
function addToolTopics(events: readonly ToolEvent[], draft: Draft): void {
  for (const event of events)
    if (event.output.length > SMALLEST_OUTPUT)
      draft.topics.push({
        index: draft.statements.length,
        label: describeOutput(event),
        weight: event.output.length,
      });
}

/** Sentences of a message that are worth quoting: without code, markup, rulers and tables of numbers. */
interface Prose {
  readonly sentences: readonly string[];
  readonly headings: readonly string[];
  /** Examples, formats and plans in code blocks of a response. */
  readonly blocks: readonly string[];
}

/** Longer sentences are listings or run-ons; only their beginning is kept. */
const LONGEST = 420;
const LONGEST_BLOCK = 1_500;
const FENCE = /^\s*(```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/;
const ROW = /^\s*\|(.*)\|\s*$/;

function readProse(text: string): Prose {
  const headings: string[] = [];
  const lines: string[] = [];
  const blocks: string[] = [];
  let block: string[] | undefined;
  for (const line of hideBase64(text).split("\n")) {
    if (!FENCE.test(line)) {
      if (block === undefined) addLine(line, lines, headings);
      else block.push(line.trim());
    } else if (block === undefined) block = [];
    else {
      blocks.push(blockOf(block, lines));
      block = undefined;
    }
  }
  const sentences = splitSentences(lines.join("\n")).filter(isReadable);
  return {
    sentences: sentences.map((sentence) => clip(sentence, LONGEST)),
    headings,
    blocks: blocks.filter((one) => one !== ""),
  };
}

/** On one line, after the line that introduces it; empty if that is too long. */
function blockOf(block: readonly string[], before: readonly string[]): string {
  const code = block.filter((line) => line !== "").join(" ");
  const lead = before.findLast((line) => line !== "") ?? "";
  const text = lead.endsWith(":") ? `${lead} ${code}` : code;
  return code === "" || text.length > LONGEST_BLOCK ? "" : text;
}

function addLine(line: string, lines: string[], headings: string[]): void {
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) headings.push(withoutEmphasis(heading.trim()));
  else if (isHostMarkup(line)) lines.push("");
  else lines.push(plainLine(ROW.exec(line)?.[1] ?? line));
}
