/**
 * The anchors of a rendered source, weighted by speaker: a person's text counts in full, the agent's a
 * little less, and tool output hardly at all, because it can be printed again.
 */
import { AnchorTable } from "./anchors/anchor-table.ts";
import { type Anchor, type AnchorKind, constraintAnchors, literalAnchors } from "./anchors.ts";
import { ALSO, FILES, isFormatLine, readEntry, readIndex } from "./format-lines.ts";
import { isEndOfHostMarkup, isHostMarkup } from "./host-markup.ts";
import { SEPARATOR } from "./offline/write-summary.ts";
import type { SourceBlock } from "./source-blocks.ts";

export interface SourceAnchor extends Anchor {
  /** It occurs only in calls and their output, or in thoughts. */
  readonly isPrinted: boolean;
  /** Where the newest message or summary that mentions it begins in the source. */
  readonly start: number;
}

interface Voice {
  readonly weight: number;
  readonly isBinding: boolean;
}

const VOICES = {
  user: { weight: 1, isBinding: true },
  summary: { weight: 1, isBinding: true },
  assistant: { weight: 0.6, isBinding: false },
  /** Arguments of calls: edited text can be read again, but paths and commands record the action. */
  call: { weight: 0.15, isBinding: false },
  tool: { weight: 0.06, isBinding: false },
  thinking: { weight: 0.05, isBinding: false },
  /** Always shown beside the summaries. */
  system: { weight: 0, isBinding: false },
} as const;
const SPEAKERS: Readonly<Record<string, Voice>> = VOICES;
const UNKNOWN_SPEAKER = { weight: 1, isBinding: true };

interface Total {
  anchor: Anchor;
  weight: number;
  /** The number of blocks that mention it, and the newest of them. */
  blocks: number;
  block: SourceBlock;
}

/** Most weight of all anchors that were only printed, as a share of the others. */
const PRINTED_SHARE = 0.25;
/** Speakers up to this weight count as printing. */
const PRINTED = 0.15;

/** Each anchor once, heaviest first, in the order of the source among equals. */
export function sourceAnchors(blocks: readonly SourceBlock[]): SourceAnchor[] {
  const totals = new Totals();
  for (const block of blocks) {
    const { weight, isBinding } = SPEAKERS[block.speaker] ?? UNKNOWN_SPEAKER;
    if (weight > 0) addOwn(block, weight, isBinding, totals);
  }
  const { all } = totals;
  const scale = printedScale(all);
  return all
    .map((total) => reweighed(total, isPrinted(total) ? scale : 1))
    .sort((a, b) => b.weight - a.weight);
}

function reweighed(total: Total, scale: number): SourceAnchor {
  const { kind, text, key } = total.anchor;
  // The index of a summary has lines of its own, whoever said what it lists.
  const isOnlyPrinted = isPrinted(total) && total.block.speaker !== "summary";
  const { start } = total.block;
  return { kind, text, key, weight: weightOf(total) * scale, isPrinted: isOnlyPrinted, start };
}

function isPrinted({ weight }: Total): boolean {
  return weight <= PRINTED;
}

/** Repetition increases the weight logarithmically. */
function weightOf({ anchor, weight, blocks }: Total): number {
  return anchor.weight * weight * (1 + Math.log2(blocks) / 4);
}

/** Keeps a long listing from outweighing the conversation about it. */
function printedScale(totals: readonly Total[]): number {
  let said = 0;
  let printed = 0;
  for (const total of totals) {
    if (isPrinted(total)) printed += weightOf(total);
    else said += weightOf(total);
  }
  return said === 0 || printed === 0 ? 1 : Math.min(1, (PRINTED_SHARE * said) / printed);
}

/** In the order of the source. */
class Totals {
  readonly all: Total[] = [];
  readonly #known = new AnchorTable<Total>();

  /** A block counts once. Of several spellings in a block the last is kept, of several blocks the first block's. */
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

/** The content of the block; the date in its header counts, because summaries contain times. */
function addOwn(block: SourceBlock, weight: number, isBinding: boolean, totals: Totals): void {
  const { speaker, text, anchors } = block;
  const isSummary = speaker === "summary";
  const body = text.startsWith("[") ? text.slice(text.indexOf("\n") + 1) : text;
  if (isSummary) addSummary(block, body, totals);
  else addAnchors(anchors, { weight, isBinding }, block, totals);
  if (!isBinding) return;
  // Rules are binding if a person sets them; the agent's thoughts and manuals are not.
  const rules = isSummary ? saidIn(body, BINDING) : withoutMarkup(body);
  for (const rule of constraintAnchors(rules)) totals.add(rule, block, weight);
}

function addAnchors(
  anchors: readonly Anchor[],
  { weight, isBinding }: Voice,
  block: SourceBlock,
  totals: Totals,
) {
  for (const one of anchors) if (isRequired(one.kind, isBinding)) totals.add(one, block, weight);
}

/** Each line by its speaker, the heaviest first. Lines of files, of tools and of the index record what calls did. */
function addSummary(block: SourceBlock, body: string, totals: Totals): void {
  for (const [voice, speakers] of SUMMARY_VOICES)
    addAnchors(literalAnchors(saidIn(body, speakers)), voice, block, totals);
}

const RECORD = "record";
const BINDING: ReadonlySet<string> = new Set(["", "user", "assistant", RECORD]);
const SUMMARY_VOICES: readonly (readonly [Voice, ReadonlySet<string>])[] = [
  [UNKNOWN_SPEAKER, new Set(["", "user"])],
  [VOICES.assistant, new Set(["assistant"])],
  [VOICES.call, new Set([RECORD, "tool"])],
];

/** The lines of a summary of these speakers, without speakers and times, and the items of its index, which are not stored elsewhere. */
function saidIn(summary: string, speakers: ReadonlySet<string>): string {
  return summary
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith(ALSO))
        return speakers.has(RECORD) ? readIndex(line).filter((item) => !isEndOfHostMarkup(item)) : [];
      const { speaker, text } = readEntry(line.trim());
      const who = line.startsWith(FILES) ? RECORD : speaker;
      return isFormatLine(line) || !speakers.has(who) || isEndOfHostMarkup(text) ? [] : text.split(SEPARATOR);
    })
    .join("\n");
}

/** Text that a host adds to a message is not binding. */
function withoutMarkup(body: string): string {
  return body
    .split("\n")
    .filter((line) => !isHostMarkup(line))
    .join("\n");
}

/** Times of day are common in logs, and capitals in listings; if one matters, a person's sentence contains it. */
function isRequired(kind: AnchorKind, isBinding: boolean): boolean {
  return kind !== "time" && (kind !== "name" || isBinding);
}
