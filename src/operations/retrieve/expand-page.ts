/** The messages and summaries below a summary, for people. */
import type { Engine } from "../../engine.ts";
import { count, counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import type { View } from "../command.ts";
import { origin } from "../tree-page.ts";
import type { ExpandArguments, ExpandOutput } from "./expand.ts";
import { renderMessage, renderStart } from "./message-page.ts";
import type { MessageAnswer } from "./message-schema.ts";
import type { SummaryAnswer } from "./summary-schema.ts";

type ExpandView = View<ExpandArguments, Engine>;

/** From coarse to fine, and each message after the summary that covers it. */
export function renderForPeople(output: ExpandOutput, view: ExpandView): string {
  const { summary, summaries, messages, cut } = output;
  const {
    look,
    suggest,
    input: { from = 1 },
  } = view;
  const cuts = new Map(cut.map((one) => [one.id, { ...one, whole: suggest(`read ${one.id}`) }]));
  // Summaries that begin before this page were shown on an earlier one.
  const shown = (one: SummaryAnswer) =>
    one.firstSeq < from ? headOf(one, look) : renderSummary(one, look) + cutNote(cuts.get(one.id), look);
  const shownMessage = (one: MessageAnswer) => {
    const end = cuts.get(one.id);
    return end === undefined ? renderMessage(one, look) : renderStart(one, look) + cutNote(end, look);
  };
  const pieces = [
    ...summaries.map((one) => ({ seq: one.firstSeq, rank: -one.depth, text: shown(one) })),
    ...messages.map((one) => ({ seq: one.seq, rank: 1, text: shownMessage(one) })),
  ].toSorted((a, b) => a.seq - b.seq || a.rank - b.rank);
  return [shown(summary), ...pieces.map(({ text }) => text), ...closing(output, view)].join("\n\n");
}

function renderSummary(summary: SummaryAnswer, look: Look): string {
  const text = summary.text ?? look.style("dim", "(erased, because a source was erased)");
  return `${headOf(summary, look)}\n${summary.text === null ? text : escapeControls(text)}`;
}

function cutNote(cut: { shown: number; length: number; whole: string } | undefined, look: Look): string {
  if (cut === undefined) return "";
  const { shown, length, whole } = cut;
  return `\n${look.style("dim", `(first ${count(shown)} of ${counted(length, "character")}; full text: ${whole})`)}`;
}

function headOf(summary: SummaryAnswer, look: Look): string {
  const { id, depth, tokens, sourceTokens, firstSeq, lastSeq } = summary;
  const about = [
    `depth ${depth}`,
    `messages ${firstSeq}–${lastSeq}`,
    `${counted(tokens, "token")} (source: ${count(sourceTokens)})`,
    origin(summary),
  ];
  return `${look.style(["bold", "magenta"], id)}${look.style("dim", about.map((text) => ` · ${text}`).join(""))}`;
}

function closing({ summary, summaries, messages, next }: ExpandOutput, view: ExpandView): string[] {
  const { input, suggest, again } = view;
  if (next !== null) return [`There is more: ${again({ from: next })}`];
  if (summaries.length === 0 && messages.length === 0 && input.includeMessages === false)
    return [`More detail below, down to the messages: ${suggest(`expand ${summary.id}`)}`];
  if (summaries.length === 0 && messages.length === 0)
    return [`Nothing to show: ${summary.id} covers messages ${summary.firstSeq} to ${summary.lastSeq}.`];
  if (messages.length > 0) return [];
  return [`Show the messages with: ${suggest(`expand ${summary.id}`)}, or expand one of these.`];
}
