/** The context of the model now or before a turn, and the resulting state of each message. */

import { useMemo } from "react";
import type { OutputOf } from "../../src/http/client.ts";
import { useOperation } from "./api.ts";
import type { Fate } from "./message-view.tsx";

export type ContextOutput = OutputOf<"context">;
export type Item = ContextOutput["items"][number];
type Tree = OutputOf<"tree">;

/** `turn`: number of its first message; null for now, with the budget of the newest recorded turn. */
export function useContextView(conversation: string, turn: number | null, recorded: readonly Turn[] | null) {
  const budget = recorded?.at(-1)?.seen?.budget;
  const now = budget === undefined ? {} : { budget };
  const input = { conversation, ...(turn === null ? now : { at: turn }) };
  return useOperation("context", input, { keeps: true, enabled: recorded !== null });
}

export type Turn = OutputOf<"turns">["turns"][number];

/** Turns with a recorded context; null until they are loaded. */
export function useRecordedTurns(conversation: string, enabled: boolean) {
  const { data } = useOperation("turns", { conversation, limit: 10_000 }, { enabled });
  return useMemo(() => (data === undefined ? null : data.turns.filter(({ seen }) => seen !== null)), [data]);
}

export interface Fates {
  of(seq: number): Fate;
}

export function fatesOf({ items, turn }: ContextOutput, { summaries }: Tree): Fates {
  const shown = new Map(items.filter(({ type }) => type === "message").map((item) => [seqOf(item.id), item]));
  const ids = new Set(items.filter(({ type }) => type === "summary").map(({ id }) => id));
  const covering = summaries.filter(({ id }) => ids.has(id));
  const before = turn?.firstSeq ?? Number.POSITIVE_INFINITY;
  return {
    of: (seq) => {
      if (seq >= before) return { kind: "out", words: "not yet said" };
      const item = shown.get(seq);
      if (item !== undefined) return shownFate(item);
      const summary = covering.find(({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= lastSeq);
      if (summary !== undefined) return { kind: "summary", words: "summarised", summary: summary.id };
      return { kind: "out", words: "not in view" };
    },
  };
}

function shownFate({ cutTo, reason, tokens }: Item): Fate {
  if (reason === "stub of an old tool result") return { kind: "stub", words: "in view as a stub" };
  if (cutTo !== null) return { kind: "cut", words: `cut to ${cutTo} of ${tokens} tokens` };
  return { kind: "shown", words: reason === "in the window" ? "in view" : `in view: ${reason}` };
}

export function seqOf(id: string): number {
  return Number(id.split("_").at(-1));
}

export const SHARES = ["system", "summaries", "stubs", "messages", "memories", "free"] as const;
export type Share = (typeof SHARES)[number];

/** Tokens by kind. Rendering overhead counts as system. */
export function sharesOf({
  items,
  tokens,
  budget,
  recalled,
}: ContextOutput): Readonly<Record<Share, number>> {
  const sum = (isWanted: (item: Item) => boolean) =>
    items.filter(isWanted).reduce((total, { cutTo, tokens: own }) => total + (cutTo ?? own), 0);
  const isSystem = ({ reason }: Item) => reason === "system message";
  const isStub = ({ reason }: Item) => reason === "stub of an old tool result";
  const summaries = sum(({ type }) => type === "summary");
  const stubs = sum(isStub);
  const memories = recalled?.tokens ?? 0;
  // The stored estimate is the same for all images; the sent one depends on the size.
  const messages = Math.min(
    sum((item) => item.type === "message" && !isSystem(item) && !isStub(item)),
    Math.max(0, tokens - summaries - stubs - memories),
  );
  const system = Math.max(0, tokens - summaries - stubs - messages - memories);
  return { system, summaries, stubs, messages, memories, free: Math.max(0, budget - tokens) };
}
