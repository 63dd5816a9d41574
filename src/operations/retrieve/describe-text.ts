/** A description for models. */
import { count, counted } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { quoteText } from "../../text/quote-text.ts";
import { aboutFile, renderFile } from "../files/file-text.ts";
import { aboutSummary, explained, renderSummary, SAID, WRITTEN } from "../model-text.ts";
import { toolCall } from "../tool-call.ts";
import type { DescribeInput, DescribeOutput } from "./describe.ts";

type Summary = Extract<DescribeOutput, { type: "summary" }>;
type Message = Extract<DescribeOutput, { type: "message" }>;

/** The maximum number of listed lines; the rest is counted. */
const MOST_LISTED = 40;

export function renderDescription(output: DescribeOutput, input: DescribeInput): string {
  if (output.type === "summary") return explained(renderOfSummary(output, input.tokenCap));
  return output.type === "file" ? renderFile(output, input) : renderOfMessage(output);
}

function renderOfSummary(output: Summary, tokenCap: number | undefined): string {
  const { summary, inContext, below, wholeTokens, conversation } = output;
  const { messages, sourceTokens } = summary;
  const levels = below.map(
    ({ depth, summaries, tokens }) =>
      `${counted(summaries, "summary", "summaries")} of depth ${depth} (${counted(tokens, "token")})`,
  );
  const holds = [...levels, `${counted(messages, "message")} (${counted(sourceTokens, "token")})`].join(", ");
  return [
    `${WRITTEN}`,
    renderSummary(summary),
    `It covers ${holds} of ${conversation}; in full, with the summary, that is ${counted(wholeTokens, "token")}. It is ${inContext ? "" : "not "}in the context now.`,
    capText(output, tokenCap),
    madeFromText(output, tokenCap),
    aboveText(output, "derived from it"),
  ]
    .filter((piece) => piece !== "")
    .join("\n\n");
}

function madeFromText({ madeFrom }: Summary, tokenCap: number | undefined): string {
  const lines = madeFrom
    .slice(0, MOST_LISTED)
    .map(({ id, role, firstSeq, lastSeq, tokens, wholeTokens, fits }) => {
      const what = role ?? `messages ${firstSeq} to ${lastSeq}`;
      const size =
        role === null ? `${counted(tokens, "token")}, ${count(wholeTokens)} whole` : counted(tokens, "token");
      const cap =
        tokenCap === undefined ? "" : fits === true ? " | within tokenCap" : " | more than tokenCap";
      return `- ${id} (${what} | ${size}${cap})`;
    });
  const rest = madeFrom.length - lines.length;
  return [
    `Sources (${madeFrom[0]?.type === "message" ? "messages" : "finer summaries"}):`,
    ...lines,
    ...(rest > 0 ? [`- and ${counted(rest, "more", "more")}`] : []),
  ].join("\n");
}

function aboveText({ above }: Summary | Message, how: string): string {
  if (above.length === 0) return `No coarser summaries are ${how}.`;
  const lines = above.map((one) => `- ${aboutSummary(one)}${one.inContext ? ", in the context now" : ""}`);
  return [`Coarser summaries that are ${how}, nearest first:`, ...lines].join("\n");
}

function capText({ madeFrom, fits, summary }: Summary, tokenCap: number | undefined): string {
  if (tokenCap === undefined) return "";
  if (fits === true)
    return `Everything fits into ${count(tokenCap)} tokens: call ${toolCall("lcm_expand", { summary: summary.id })}.`;
  const whole = madeFrom.filter((source) => source.fits === true).length;
  return `Of the ${count(madeFrom.length)} sources below, ${count(whole)} fit into ${count(tokenCap)} tokens, each on its own.`;
}

function renderOfMessage(output: Message): string {
  const { id, role, createdAt, tokens, seq, conversation, parts } = output;
  return [
    SAID,
    [
      `${id} (${role} | ${createdAt} | ${counted(tokens, "token")}), message ${seq} of ${conversation}. ${whereNow(output)}`,
      ...parts
        .slice(0, MOST_LISTED)
        .map(
          ({ label, characters, opening }) =>
            `[${label ?? "words"}] ${counted(characters, "character")}${opening === "" ? "" : `\n${quoteText(opening)}`}`,
        ),
      ...(parts.length > MOST_LISTED ? [`and ${counted(parts.length - MOST_LISTED, "more part")}`] : []),
    ].join("\n"),
    ...filesText(output),
    aboveText(output, "that cover it"),
    neighbours(output),
    `To read its exact text: call ${toolCall("lcm_read", { id })}.`,
  ].join("\n\n");
}

function filesText({ files }: Message): string[] {
  if (files.length === 0) return [];
  const lines = files.slice(0, MOST_LISTED).map((file) => `- ${aboutFile(file)}`);
  const rest = files.length - lines.length;
  const first = toolCall("lcm_describe", { id: files[0]?.id, expandFile: true });
  return [
    [
      `Files that came with it are stored separately. To read the first: call ${first}.`,
      ...lines,
      ...(rest > 0 ? [`- and ${counted(rest, "more", "more")}`] : []),
    ].join("\n"),
  ];
}

function whereNow({ inContext, excluded, erasedAt }: Message): string {
  if (erasedAt !== null) return `It was erased at ${erasedAt}.`;
  if (inContext === "itself") return "It is in the context, word for word.";
  if (inContext === "summary") return "In the context it is represented by a summary.";
  return excluded === null ? "It is not in the context." : `It is not in the context: ${excluded}.`;
}

function neighbours({ before, after }: Message): string {
  const line = (name: string, one: Message["before"]) =>
    one === null
      ? `${name}: nothing`
      : `${name}: ${one.id} (${one.role} | ${counted(one.tokens, "token")})\n${quoteText(oneLine(one.opening))}`;
  return [line("Before it", before), line("After it", after)].join("\n");
}
