import type { Command } from "commander";
import type { expand } from "../../operations/retrieve/expand.ts";
import type { MessageAnswer } from "../../operations/retrieve/message-schema.ts";
import type { SummaryAnswer } from "../../operations/retrieve/summary-schema.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { count, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import type { Look } from "../look.ts";
import { positiveNumber } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";
import { renderMessage, renderStart } from "../render/render-message.ts";
import { maker } from "../render/render-tree.ts";

type Output = OutputOf<typeof expand>;

interface Options {
  readonly levels?: number;
  readonly from?: number;
  readonly maxTokens?: number;
  readonly messages: boolean;
}

export function addExpand(program: Command, cli: CommandLine): void {
  program
    .command("expand <summary>")
    .description("from a summary back to what it stands for: finer summaries, and the exact messages")
    .option("--levels <number>", "levels to go down: 1 is what it was made from (all)", positiveNumber)
    .option("--from <seq>", "first message wanted", positiveNumber)
    .option("--max-tokens <tokens>", "most tokens of summaries and messages (20,000)", positiveNumber)
    .option("--no-messages", "only the summaries")
    .action(async (summary: string, options: Options) => {
      const { expand } = await import("../../operations/retrieve/expand.ts");
      const { messages: includeMessages, ...rest } = options;
      const output = await cli.run(expand, { summary, ...rest, includeMessages });
      await cli.answer(output, (look) => render(output, options, look, cli));
    });
}

/** From coarse to fine, and each message behind the summary that covers it. */
function render(output: Output, options: Options, look: Look, cli: CommandLine): string {
  const { summary, summaries, messages, cut } = output;
  const { from = 1 } = options;
  const cuts = new Map(cut.map((one) => [one.id, { ...one, whole: cli.suggest(`read ${one.id}`) }]));
  // What begins before this page was shown on an earlier one.
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
  return [shown(summary), ...pieces.map(({ text }) => text), ...closing(output, options, cli)].join("\n\n");
}

function renderSummary(summary: SummaryAnswer, look: Look): string {
  const text = summary.text ?? look.style("dim", "(erased, because something it was made from was erased)");
  return `${headOf(summary, look)}\n${summary.text === null ? text : escapeControls(text)}`;
}

function cutNote(cut: { shown: number; length: number; whole: string } | undefined, look: Look): string {
  if (cut === undefined) return "";
  const { shown, length, whole } = cut;
  return `\n${look.style("dim", `(cut after ${count(shown)} of ${counted(length, "character")}; the whole: ${whole})`)}`;
}

function headOf(summary: SummaryAnswer, look: Look): string {
  const { id, depth, tokens, sourceTokens, firstSeq, lastSeq } = summary;
  const about = [
    `depth ${depth}`,
    `messages ${firstSeq}–${lastSeq}`,
    `${count(tokens)} for ${counted(sourceTokens, "token")}`,
    maker(summary),
  ];
  return `${look.style(["bold", "magenta"], id)}${look.style("dim", about.map((text) => ` · ${text}`).join(""))}`;
}

function closing(
  { summary, summaries, messages, next }: Output,
  options: Options,
  cli: CommandLine,
): string[] {
  const repeated = [
    options.levels === undefined ? "" : ` --levels ${options.levels}`,
    options.maxTokens === undefined ? "" : ` --max-tokens ${options.maxTokens}`,
    options.messages ? "" : " --no-messages",
  ].join("");
  if (next !== null)
    return [`There is more: ${cli.suggest(`expand ${summary.id}${repeated} --from ${next}`)}`];
  if (summaries.length === 0 && messages.length === 0 && !options.messages)
    return [`Below are messages. See them with: ${cli.suggest(`expand ${summary.id}`)}`];
  if (summaries.length === 0 && messages.length === 0)
    return [`Nothing to show: ${summary.id} covers messages ${summary.firstSeq} to ${summary.lastSeq}.`];
  if (messages.length > 0) return [];
  return [`Go down to the messages with: ${cli.suggest(`expand ${summary.id}`)}, or expand one of these.`];
}
