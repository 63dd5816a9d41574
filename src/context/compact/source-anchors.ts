/**
 * The anchors of a rendered source, weighed by who wrote them: what a person said counts in full, what the agent said a
 * little less, and a listing that a tool printed hardly at all, because it can be printed again.
 */
import { type Anchor, constraintAnchors, literalAnchors } from "./anchors.ts";
import { withoutFormatLines } from "./format-lines.ts";
import type { SourceBlock } from "./source-blocks.ts";

const SPEAKERS: Readonly<Record<string, { readonly weight: number; readonly isProse: boolean }>> = {
  user: { weight: 1, isProse: true },
  summary: { weight: 1, isProse: true },
  assistant: { weight: 0.6, isProse: true },
  /** Arguments of calls: what is edited can be read again, but paths and commands say what was done. */
  call: { weight: 0.15, isProse: false },
  tool: { weight: 0.06, isProse: false },
  /** Always in view beside the summaries. */
  system: { weight: 0, isProse: false },
};
const UNKNOWN_SPEAKER = { weight: 1, isProse: true };

interface Total {
  readonly anchor: Anchor;
  weight: number;
  blocks: number;
}

/** Each anchor once, the heaviest first; equal ones in the order of the source. */
export function sourceAnchors(blocks: readonly SourceBlock[]): Anchor[] {
  const totals = new Map<string, Total>();
  for (const block of blocks) {
    const { weight } = SPEAKERS[block.speaker] ?? UNKNOWN_SPEAKER;
    if (weight > 0) for (const [id, anchor] of ownAnchors(block)) addTo(totals, id, anchor, weight);
  }
  return [...totals.values()]
    .map(({ anchor, weight, blocks }) => ({
      ...anchor,
      weight: anchor.weight * weight * (1 + Math.log2(blocks) / 4),
    }))
    .toSorted((a, b) => b.weight - a.weight);
}

function addTo(totals: Map<string, Total>, id: string, anchor: Anchor, weight: number): void {
  const known = totals.get(id);
  if (known === undefined) totals.set(id, { anchor, weight, blocks: 1 });
  else {
    known.blocks++;
    known.weight = Math.max(known.weight, weight);
  }
}

/** What the block says; the date of its header counts, because a summary tells when. */
function ownAnchors({ speaker, text, anchors }: SourceBlock): Map<string, Anchor> {
  const body = text.startsWith("[") ? text.slice(text.indexOf("\n") + 1) : text;
  const own = new Map<string, Anchor>();
  const literal = speaker === "summary" ? literalAnchors(withoutFormatLines(body)) : anchors;
  // Times of day fill logs; where one matters, a rule or a sentence holds it.
  for (const anchor of literal) if (anchor.kind !== "time") own.set(`${anchor.kind} ${anchor.key}`, anchor);
  const { isProse } = SPEAKERS[speaker] ?? UNKNOWN_SPEAKER;
  if (isProse) for (const anchor of constraintAnchors(body)) own.set(`constraint ${anchor.key}`, anchor);
  return own;
}
