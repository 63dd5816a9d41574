/** Decides whether a model's summary is accepted, and if not why: the reason decides what is tried next. */

import { holdsPassage } from "../../text/holds-passage.ts";
import { collapseSpaces } from "../../text/spaces.ts";
import { type Fidelity, isFaithful, keepsNothing } from "./check-fidelity.ts";

interface SummaryToJudge {
  /** The cleaned summary. */
  readonly text: string;
  /** The rendered source. */
  readonly source: string;
  readonly sourceTokens: number;
  readonly summaryTokens: number;
  readonly targetTokens: number;
  /** Maximum length of a summary as a multiple of the target. */
  readonly overageFactor: number;
  readonly fidelity: Fidelity;
}

type Judgement = { readonly ok: true } | { readonly ok: false; readonly reason: Refusal };

export type Refusal = "empty" | "echo" | "no-shorter" | "too-long" | "unfaithful" | "keeps-nothing";

/** Fewer tokens are not even a sentence. */
const LEAST_TOKENS = 4;
/** Length of a passage that a summary and its source rarely share unless one was copied. */
const PASSAGE = 400;
/** The number and length in characters of the samples that are searched first. */
const PROBES = 12;
const PROBE = 24;
/** Share of copied passages that makes a summary an echo. */
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

/** Quoted sentences are fine; consecutive passages were copied. */
function isCopy({ text, source }: SummaryToJudge): boolean {
  // An endless response is judged by its beginning.
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

/** Samples from the whole text. A copy contains most of them unchanged, however its lines were reformatted. */
function probes(flat: string): string[] {
  return Array.from({ length: PROBES }, (_, i) => {
    const at = Math.floor((flat.length * (i + 0.5)) / PROBES);
    return flat.slice(at, at + PROBE);
  });
}

function flatten(text: string): string {
  return collapseSpaces(text).trim();
}
