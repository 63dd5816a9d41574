/**
 * The anchors of a rendered source, weighed by who wrote them: what a person said counts in full, what the agent said a
 * little less, and a listing that a tool printed hardly at all, because it can be printed again.
 */
import { anchor } from "./anchors/anchor.ts";
import { AnchorTable } from "./anchors/anchor-table.ts";
import { type Anchor, type AnchorKind, constraintAnchors, literalAnchors } from "./anchors.ts";
import { ALSO, isFormatLine, readEntry, readIndex } from "./format-lines.ts";
import { isEndOfHostMarkup, isHostMarkup } from "./host-markup.ts";
import { SEPARATOR } from "./offline/write-summary.ts";
import type { SourceBlock } from "./source-blocks.ts";

const SPEAKERS: Readonly<Record<string, { readonly weight: number; readonly isBinding: boolean }>> = {
  user: { weight: 1, isBinding: true },
  summary: { weight: 1, isBinding: true },
  assistant: { weight: 0.6, isBinding: false },
  /** Arguments of calls: what is edited can be read again, but paths and commands say what was done. */
  call: { weight: 0.15, isBinding: false },
  tool: { weight: 0.06, isBinding: false },
  thinking: { weight: 0.05, isBinding: false },
  /** Always in view beside the summaries. */
  system: { weight: 0, isBinding: false },
};
const UNKNOWN_SPEAKER = { weight: 1, isBinding: true };

interface Total {
  anchor: Anchor;
  weight: number;
  /** How many blocks say it, and the newest of them. */
  blocks: number;
  block: SourceBlock;
}

/** Most that anchors which were only printed may weigh together, as a share of those that somebody said. */
const PRINTED_SHARE = 0.25;
/** Speakers up to this weight print. */
const PRINTED = 0.15;

/** Each anchor once, the heaviest first; equal ones in the order of the source. */
export function sourceAnchors(blocks: readonly SourceBlock[]): Anchor[] {
  const totals = new Totals();
  for (const block of blocks) {
    const { weight, isBinding } = SPEAKERS[block.speaker] ?? UNKNOWN_SPEAKER;
    if (weight > 0) addOwn(block, weight, isBinding, totals);
  }
  const { all } = totals;
  const scale = printedScale(all);
  return all
    .map((total) => reweighed(total.anchor, weightOf(total) * (total.weight <= PRINTED ? scale : 1)))
    .sort((a, b) => b.weight - a.weight);
}

function reweighed({ kind, text, key }: Anchor, weight: number): Anchor {
  return anchor(kind, text, key, weight);
}

/** What comes up again and again matters more, by the logarithm. */
function weightOf({ anchor, weight, blocks }: Total): number {
  return anchor.weight * weight * (1 + Math.log2(blocks) / 4);
}

/** A long listing must not outweigh the conversation about it. */
function printedScale(totals: readonly Total[]): number {
  let said = 0;
  let printed = 0;
  for (const total of totals) {
    if (total.weight <= PRINTED) printed += weightOf(total);
    else said += weightOf(total);
  }
  return said === 0 || printed === 0 ? 1 : Math.min(1, (PRINTED_SHARE * said) / printed);
}

/** In the order of the source. */
class Totals {
  readonly all: Total[] = [];
  readonly #known = new AnchorTable<Total>();

  /** A block counts once; of its spellings the last stands, of several blocks' the first block's. */
  add(anchor: Anchor, block: SourceBlock, weight: number): void {
    const known = this.#known.get(anchor);
    if (known === undefined) {
      const total = { anchor, weight, blocks: 1, block };
      this.#known.set(anchor, total);
      this.all.push(total);
    } else if (known.block !== block) {
      known.blocks++;
      known.block = block;
      known.weight = Math.max(known.weight, weight);
    } else if (known.blocks === 1) known.anchor = anchor;
  }
}

/** What the block says; the date of its header counts, because a summary tells when. */
function addOwn(block: SourceBlock, weight: number, isBinding: boolean, totals: Totals): void {
  const { speaker, text, anchors } = block;
  const isSummary = speaker === "summary";
  const body = text.startsWith("[") ? text.slice(text.indexOf("\n") + 1) : text;
  for (const one of isSummary ? literalAnchors(saidIn(body, UNSAID)) : anchors)
    if (isRequired(one.kind, isBinding)) totals.add(one, block, weight);
  if (!isBinding) return;
  // Rules bind when a person sets them; the agent's musings and manuals do not.
  const rules = isSummary ? saidIn(body, UNBINDING) : withoutMarkup(body);
  for (const rule of constraintAnchors(rules)) totals.add(rule, block, weight);
}

const UNSAID: ReadonlySet<string> = new Set(["thinking"]);
const UNBINDING: ReadonlySet<string> = new Set(["thinking", "tool", "system"]);

/** The lines of a summary without who said them when, and its index item by item: nothing else keeps that. */
function saidIn(summary: string, except: ReadonlySet<string>): string {
  return summary
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith(ALSO)) return readIndex(line).filter((item) => !isEndOfHostMarkup(item));
      const { speaker, text } = readEntry(line.trim());
      return isFormatLine(line) || except.has(speaker) || isEndOfHostMarkup(text)
        ? []
        : text.split(SEPARATOR);
    })
    .join("\n");
}

/** What a host wrote around a message binds nobody. */
function withoutMarkup(body: string): string {
  return body
    .split("\n")
    .filter((line) => !isHostMarkup(line))
    .join("\n");
}

/** Times of day fill logs, and capitals fill listings; where one matters, a person's sentence holds it. */
function isRequired(kind: AnchorKind, isBinding: boolean): boolean {
  return kind !== "time" && (kind !== "name" || isBinding);
}
