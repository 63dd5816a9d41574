/**
 * A record of what a model saw, small enough to store with every turn: ids, forms and a hash of the result.
 * Messages and summaries never change, and file descriptions are dated, so this is enough to show it
 * again. For memories it stores only ids and no hash over their text: otherwise an erasure of a memory would have to
 * search the receipts of every conversation.
 */
import { sha256 } from "../../text/bytes.ts";
import type { Receipt } from "../read/receipt.ts";
import type { Entry, Reason } from "./entry.ts";
import type { RenderedContext } from "./render-messages.ts";

/** Increment it whenever the same items would be rendered to different bytes, or with another note to the model. */
export const RENDERER = 3;

export function writeReceipt(
  entries: readonly Entry[],
  rendered: RenderedContext,
  facts: Pick<Receipt, "format" | "budget" | "left">,
): Receipt {
  const cut = entries.filter((entry) => entry.cutTo !== null);
  return {
    renderer: RENDERER,
    ...facts,
    tokens: rendered.tokens,
    shown: runsOf(entries),
    ...(cut.length === 0
      ? {}
      : { cut: Object.fromEntries(cut.map((entry) => [entry.id, entry.cutTo ?? 0])) }),
    hash: hashOf(rendered),
  };
}

export function hashOf({ system, measures }: RenderedContext): string {
  return sha256(`${JSON.stringify(system)}\n${measures.map(({ hash }) => hash).join("\n")}`);
}

const CODES: Readonly<Record<Reason, string>> = {
  "in the window": "",
  "summary of older messages": "",
  "system message": "s",
  "newest user message": "u",
  "first request": "f",
  "matches the prompt": "p",
  "stub of an old tool result": "t",
};

function runsOf(entries: readonly Entry[]): string[] {
  const runs: { code: string; first: number; last: number; summary: string | null }[] = [];
  for (const { id, type, reason, seq } of entries) {
    const code = CODES[reason];
    const run = runs.at(-1);
    const continues = run !== undefined && run.summary === null && run.code === code && run.last === seq - 1;
    if (type === "message" && continues) run.last = seq;
    else runs.push({ code, first: seq, last: seq, summary: type === "summary" ? id : null });
  }
  return runs.map(
    ({ code, first, last, summary }) => code + (summary ?? (first === last ? first : `${first}-${last}`)),
  );
}

export type ShownRun =
  | { readonly type: "summary"; readonly id: string; readonly reason: Reason }
  | {
      readonly type: "messages";
      readonly from: number;
      readonly to: number;
      readonly reason: Reason;
    };

export function readRuns(shown: readonly string[]): ShownRun[] {
  return shown.map((text) => {
    const [, code = "", id, first, last] =
      /^([a-z]?)(?:(sum_[0-9a-f]{16})|(\d+)(?:-(\d+))?)$/.exec(text) ?? [];
    if (id !== undefined) return { type: "summary", id, reason: reasonOf(code, "summary of older messages") };
    const from = Number(first ?? 0);
    return { type: "messages", from, to: Number(last ?? from), reason: reasonOf(code, "in the window") };
  });
}

function reasonOf(code: string, usual: Reason): Reason {
  const reasons = Object.entries(CODES) as [Reason, string][];
  return code === "" ? usual : (reasons.find(([, own]) => own === code)?.[0] ?? usual);
}
