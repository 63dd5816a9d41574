/**
 * Compares a whole conversation after both levels of summaries with plain truncation, the usual
 * fallback. Used by the bench and guarded by a test.
 */
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import { NO_LIMITS, renderSource } from "../render-source.ts";
import type { SourceMessage, SourceSummary, SummarySource } from "../source.ts";
import { summariseOffline } from "../summarise-offline.ts";

const TIMEZONE = "UTC";
const CHUNK_TOKENS = 20_000;
const LEAF = { most: 2_400, share: 0.35, least: 192 };
const CONDENSED_TOKENS = 2_000;
const FAN_OUT = 8;

export interface SummaryNode {
  readonly source: SummarySource;
  readonly sourceTokens: number;
  readonly targetTokens: number;
  readonly text: string;
  /** Beginning and end of the source, as long as the text. */
  readonly baseline: string;
}

export function summaryLevels(messages: readonly SourceMessage[]): {
  leaves: SummaryNode[];
  condensed: SummaryNode[];
} {
  const chunks = chunksOf(messages.filter(({ role }) => role !== "system"));
  const leaves = chunks.map((chunk) => leafOf(chunk));
  const starts = Array.from({ length: Math.ceil(leaves.length / FAN_OUT) }, (_, i) => i * FAN_OUT);
  return { leaves, condensed: starts.map((start) => condense(leaves.slice(start, start + FAN_OUT))) };
}

export function summariseNode(source: SummarySource, targetTokens: number): string {
  return summariseOffline(source, { targetTokens, countTokens: estimateTokens, timezone: TIMEZONE });
}

export function renderNode(source: SummarySource): string {
  return renderSource(source, { timezone: TIMEZONE, limits: NO_LIMITS });
}

function leafOf(messages: readonly SourceMessage[]): SummaryNode {
  const source = { kind: "leaf", messages } as const;
  const sourceTokens = tokensOf(messages);
  const targetTokens = Math.max(LEAF.least, Math.min(LEAF.most, Math.floor(sourceTokens * LEAF.share)));
  const text = summariseNode(source, targetTokens);
  return {
    source,
    sourceTokens,
    targetTokens,
    text,
    baseline: headAndTail(renderNode(source), estimateTokens(text)),
  };
}

function condense(leaves: readonly SummaryNode[]): SummaryNode {
  const summaries = leaves.map(toSummary);
  const source = { kind: "condensed", depth: 1, summaries } as const;
  const text = summariseNode(source, CONDENSED_TOKENS);
  const baseline = headAndTail(leaves.map((leaf) => leaf.baseline).join("\n"), estimateTokens(text));
  const sourceTokens = summaries.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  return { source, sourceTokens, targetTokens: CONDENSED_TOKENS, text, baseline };
}

function toSummary({ source, text }: SummaryNode, place: number): SourceSummary {
  const messages = source.kind === "leaf" ? source.messages : [];
  const [earliestAt, latestAt] = [messages.at(0)?.createdAt ?? "", messages.at(-1)?.createdAt ?? ""];
  return { id: `sum_${place}`, depth: 0, earliestAt, latestAt, tokenCount: estimateTokens(text), text };
}

/** Whole turns if they fit; a longer turn is cut before a message that is not a tool result. */
function chunksOf(messages: readonly SourceMessage[]): SourceMessage[][] {
  const chunks: SourceMessage[][] = [];
  let size = Infinity;
  for (const turn of turnsOf(messages))
    for (const piece of tokensOf(turn) > CHUNK_TOKENS ? turn.map((message) => [message]) : [turn]) {
      const tokens = tokensOf(piece);
      if (size + tokens > CHUNK_TOKENS && (chunks.length === 0 || piece[0]?.role !== "tool")) {
        chunks.push([]);
        size = 0;
      }
      chunks.at(-1)?.push(...piece);
      size += tokens;
    }
  return chunks;
}

function turnsOf(messages: readonly SourceMessage[]): SourceMessage[][] {
  const turns: SourceMessage[][] = [];
  for (const message of messages) {
    if (message.role === "user" || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns;
}

function tokensOf(messages: readonly SourceMessage[]): number {
  return messages.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
}

/** The first 60 % and the last 40 % of the allowed length. */
export function headAndTail(text: string, tokens: number): string {
  for (let kept = tokens * 4; ; kept *= 0.95) {
    const cut = `${text.slice(0, kept * 0.6)}\n[…]\n${text.slice(text.length - kept * 0.4)}`;
    if (estimateTokens(cut) <= tokens) return cut;
  }
}
