/** An expanded summary for models. */

import { aboutSummary, explained, renderMessage, renderSummary, WRITTEN } from "../model-text.ts";
import { toolCall } from "../tool-call.ts";
import type { ExpandArguments, ExpandOutput, Expansion } from "./expand.ts";

export function renderExpanded({ others, left, ...first }: ExpandOutput, input: ExpandArguments): string {
  const all = [first, ...others];
  const pieces = [
    WRITTEN,
    ...all.map((one, index) => renderExpansion(one, index === 0 ? input : { ...input, from: 1 })),
    ...wayOn(all, left, input),
  ];
  return explained(pieces.join("\n\n"));
}

/** From coarse to fine, and each message after the summary that covers it. */
function renderExpansion(expanded: Expansion, { from = 1 }: ExpandArguments): string {
  const { summary, summaries, messages, cut } = expanded;
  const cuts = new Map(cut.map((one) => [one.id, one]));
  const pieces = [
    ...[summary, ...summaries].map((one) => ({
      seq: one.firstSeq,
      rank: -one.depth - 1,
      text: one.firstSeq < from ? `${aboutSummary(one)}: continued` : renderSummary(one, cuts.get(one.id)),
    })),
    ...messages.map((one) => ({
      seq: one.seq,
      rank: 1,
      text: renderMessage(one, cuts.get(one.id)),
    })),
  ];
  return pieces
    .toSorted((a, b) => a.seq - b.seq || a.rank - b.rank)
    .map(({ text }) => text)
    .join("\n\n");
}

function wayOn(all: readonly Expansion[], left: readonly string[], input: ExpandArguments): string[] {
  const { levels, includeMessages, maxTokens } = input;
  const call = (what: object) =>
    `call ${toolCall("lcm_expand", { ...what, levels, includeMessages, maxTokens })}`;
  const last = all.at(-1);
  const ways = [
    ...(last === undefined || last.next === null
      ? []
      : [call({ summary: last.summary.id, from: last.next })]),
    ...(left.length === 0 ? [] : [call({ summaryIds: left })]),
  ];
  if (ways.length > 0) return [`Truncated. There is more: ${ways.join(", then ")}.`];
  if (all.some(({ cut }) => cut.length > 0))
    return ["Truncated. Each cut message says how to read the rest."];
  const { firstSeq, lastSeq, id } = last?.summary ?? { firstSeq: 0, lastSeq: 0, id: "" };
  if ((input.from ?? firstSeq) > lastSeq)
    return [
      `Nothing to show: ${id} covers messages ${firstSeq} to ${lastSeq}. Omit from, or use a smaller number.`,
    ];
  if (all.every(({ summaries, messages }) => summaries.length === 0 && messages.length === 0))
    return [
      `That is all at this level. To read the messages below: call ${toolCall("lcm_expand", named(all))}.`,
    ];
  const isAtSummaries = all.every(({ messages }) => messages.length === 0);
  return [isAtSummaries ? "That is all at this level. Open one of these for more detail." : "That is all."];
}

function named(all: readonly Expansion[]): object {
  const ids = all.map(({ summary }) => summary.id);
  return ids.length === 1 ? { summary: ids[0] } : { summaryIds: ids };
}
