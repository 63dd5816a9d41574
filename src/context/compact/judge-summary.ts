/** Whether a model's summary may stand, and if not why: the reason decides what is tried next. */

import { holdsPassage } from "../../text/holds-passage.ts";
import { collapseSpaces } from "../../text/spaces.ts";
import { type Fidelity, isFaithful, keepsNothing } from "./check-fidelity.ts";

interface SummaryToJudge {
  /** Cleaned. */
  readonly text: string;
  /** The rendered source. */
  readonly source: string;
  readonly sourceTokens: number;
  readonly summaryTokens: number;
  readonly targetTokens: number;
  /** Times the target that a summary may be long. */
  readonly overageFactor: number;
  readonly fidelity: Fidelity;
}

type Judgement = { readonly ok: true } | { readonly ok: false; readonly reason: Refusal };

export type Refusal = "empty" | "echo" | "no-shorter" | "too-long" | "unfaithful" | "keeps-nothing";

/** Fewer are not even a sentence. */
const LEAST_TOKENS = 4;
/** Characters that a summary and its source rarely share in a row, unless one was copied from the other. */
const PASSAGE = 400;
/** How many pieces, and of how many characters, are looked for first. */
const PROBES = 12;
const PROBE = 24;
/** Share of copied passages that makes an echo. */
const MOSTLY = 0.6;

export function judgeSummary(summary: SummaryToJudge): Judgement {
  const reason = refusalOf(summary);
  return reason === undefined ? { ok: true } : { ok: false, reason };
}

function refusalOf(summary: SummaryToJudge): Refusal | undefined {
  const { text, summaryTokens, fidelity } = summary;
  if (!/[\p{L}\p{N}]/u.test(text)) return "empty";
  if (isCopy(summary)) return "echo";
  if (summaryTokens >= summary.sourceTokens) return "no-shorter";
  if (summaryTokens > summary.overageFactor * summary.targetTokens) return "too-long";
  if (!isFaithful(fidelity)) return "unfaithful";
  return summaryTokens < LEAST_TOKENS || keepsNothing(fidelity) ? "keeps-nothing" : undefined;
}

/** Sentences may be quoted; whole passages, one after the other, were copied. */
function isCopy({ text, source }: SummaryToJudge): boolean {
  // An answer without end is judged by its beginning.
  const flat = flatten(text.slice(0, 2 * source.length));
  const passages = Math.floor(flat.length / PASSAGE);
  if (passages === 0) return false;
  if (!probes(flat).some((probe) => source.includes(probe))) return false;
  const whole = source.trim();
  let copied = 0;
  for (let i = 0; i < passages; i++)
    if (holdsPassage(whole, flat.slice(i * PASSAGE, (i + 1) * PASSAGE))) copied++;
  return copied >= passages * MOSTLY;
}

/** Words from all over the text. A copy has most of them in one piece, whatever was done to its lines. */
function probes(flat: string): string[] {
  return Array.from({ length: PROBES }, (_, i) => {
    const at = Math.floor((flat.length * (i + 0.5)) / PROBES);
    return flat.slice(at, at + PROBE);
  });
}

function flatten(text: string): string {
  return collapseSpaces(text).trim();
}
