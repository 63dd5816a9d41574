/**
 * Decides whether a candidate is worth storing. Only a score below the lower threshold rejects it; the upper threshold
 * only hints whether it is new. A rejection is recorded with its numbers, so that people can inspect it.
 */
import type { MemoryCategory, MemoryText } from "../../memory-types.ts";
import { type Compared, confidenceOf, noveltyOf, recencyOf, utilityOf } from "./features.ts";
import { ADMISSION, type AdmissionSettings, type AdmissionWeights } from "./presets.ts";

export interface AdmissionInput {
  readonly candidate: Pick<MemoryText, "abstract" | "content"> & { readonly category: MemoryCategory };
  /** The text that it was extracted from. */
  readonly conversation: string;
  /** The most similar memories; at most as many as the pool size are compared. */
  readonly compared: readonly Compared[];
  /** 0 to 1, as rated by a model; null without a model, or when it failed. */
  readonly utility: number | null;
  readonly now: number;
}

/** All inputs of a decision, as stored. */
interface AdmissionAudit {
  readonly preset: string;
  readonly decision: "pass" | "reject";
  readonly hint: "add" | "update_or_merge";
  readonly score: number;
  readonly features: AdmissionWeights;
  readonly weights: AdmissionWeights;
  readonly thresholds: { readonly reject: number; readonly admit: number; readonly utilityVeto: number };
  readonly maxSimilarity: number;
  readonly matchedIds: readonly string[];
  readonly wasUtilityRated: boolean;
}

export interface Admission {
  readonly decision: "pass" | "reject";
  readonly hint: "add" | "update_or_merge";
  readonly score: number;
  readonly reason: string;
  readonly audit: AdmissionAudit;
}

export function decideAdmission(input: AdmissionInput, settings = ADMISSION.balanced): Admission {
  const { candidate, conversation, utility, now } = input;
  const pool = input.compared.toSorted((a, b) => b.cosine - a.cosine).slice(0, settings.noveltyPool);
  const { novelty, maxSimilarity, matched } = noveltyOf(candidate.category, pool, settings.matchedFrom);
  const features: AdmissionWeights = {
    utility: utilityOf(utility),
    confidence: confidenceOf(candidate, conversation).confidence,
    novelty,
    recency: recencyOf(matched, now, settings.recencyHalfLifeDays),
    typePrior: settings.typePriors[candidate.category],
  };
  const score = weighted(features, settings.weights);
  const vetoed = settings.utilityVeto > 0 && features.utility <= settings.utilityVeto;
  const decision = vetoed || score < settings.reject ? "reject" : "pass";
  const hint = score >= settings.admit && matched.length === 0 ? "add" : "update_or_merge";
  const audit: AdmissionAudit = {
    preset: settings.preset,
    decision,
    hint,
    score,
    features,
    weights: settings.weights,
    thresholds: { reject: settings.reject, admit: settings.admit, utilityVeto: settings.utilityVeto },
    maxSimilarity,
    matchedIds: matched.map(({ id }) => id),
    wasUtilityRated: utility !== null && Number.isFinite(utility),
  };
  return { decision, hint, score, reason: reasonFor(audit, vetoed, settings), audit };
}

function weighted(features: AdmissionWeights, weights: AdmissionWeights): number {
  return (
    weights.utility * features.utility +
    weights.confidence * features.confidence +
    weights.novelty * features.novelty +
    weights.recency * features.recency +
    weights.typePrior * features.typePrior
  );
}

function reasonFor(audit: AdmissionAudit, vetoed: boolean, settings: AdmissionSettings): string {
  const { score, features, matchedIds } = audit;
  if (vetoed) return `Its utility of ${features.utility.toFixed(2)} does not exceed ${settings.utilityVeto}.`;
  const like =
    matchedIds.length === 0 ? "similar to no known memory" : `similar to ${matchedIds.length} known memories`;
  if (audit.decision === "reject")
    return `Scores ${score.toFixed(3)}, below ${settings.reject} (lowest: ${weakest(audit)}), ${like}.`;
  return `Scores ${score.toFixed(3)}, at least ${settings.reject}, ${like}.`;
}

/** The feature that lowers the score most. */
function weakest({ features, weights }: AdmissionAudit): string {
  const names = Object.keys(weights) as (keyof AdmissionWeights)[];
  const cost = (name: keyof AdmissionWeights) => weights[name] * (1 - features[name]);
  return names.toSorted((a, b) => cost(b) - cost(a))[0] ?? "typePrior";
}
