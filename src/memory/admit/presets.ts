/**
 * Three levels of strictness for what becomes a memory. Weights, thresholds and the priors of `balanced` are
 * given. The other priors differ slightly: `conservative` trusts every category a little less, most of all
 * events; `high-recall` trusts the categories that are often rejected a little more.
 */
import type { MemoryCategory } from "../../memory-types.ts";

const ADMISSION_PRESETS = ["balanced", "conservative", "high-recall"] as const;
type AdmissionPreset = (typeof ADMISSION_PRESETS)[number];

export interface AdmissionWeights {
  readonly utility: number;
  readonly confidence: number;
  readonly novelty: number;
  readonly recency: number;
  readonly typePrior: number;
}

export interface AdmissionSettings {
  readonly preset: AdmissionPreset;
  /** Below this, a candidate is rejected. */
  readonly reject: number;
  /** From this score on, a candidate that matches no known memory counts as new. */
  readonly admit: number;
  /** A utility of this or less rejects regardless of the score; 0: never. */
  readonly utilityVeto: number;
  readonly weights: AdmissionWeights;
  readonly typePriors: Readonly<Record<MemoryCategory, number>>;
  /** The number of memories that novelty is measured against. */
  readonly noveltyPool: number;
  /** From this cosine on, a memory counts as similar. */
  readonly matchedFrom: number;
  readonly recencyHalfLifeDays: number;
}

export const ADMISSION: Readonly<Record<AdmissionPreset, AdmissionSettings>> = {
  balanced: {
    preset: "balanced",
    reject: 0.45,
    admit: 0.6,
    utilityVeto: 0,
    weights: { utility: 0.1, confidence: 0.1, novelty: 0.1, recency: 0.1, typePrior: 0.6 },
    typePriors: { profile: 0.95, preferences: 0.9, entities: 0.75, events: 0.45, cases: 0.8, patterns: 0.85 },
    noveltyPool: 8,
    matchedFrom: 0.55,
    recencyHalfLifeDays: 14,
  },
  conservative: {
    preset: "conservative",
    reject: 0.52,
    admit: 0.68,
    utilityVeto: 0,
    weights: { utility: 0.16, confidence: 0.16, novelty: 0.18, recency: 0.08, typePrior: 0.42 },
    typePriors: {
      profile: 0.92,
      preferences: 0.86,
      entities: 0.68,
      events: 0.35,
      cases: 0.75,
      patterns: 0.8,
    },
    noveltyPool: 10,
    matchedFrom: 0.55,
    recencyHalfLifeDays: 10,
  },
  "high-recall": {
    preset: "high-recall",
    reject: 0.34,
    admit: 0.52,
    utilityVeto: 0,
    weights: { utility: 0.08, confidence: 0.1, novelty: 0.08, recency: 0.14, typePrior: 0.6 },
    typePriors: {
      profile: 0.96,
      preferences: 0.92,
      entities: 0.82,
      events: 0.6,
      cases: 0.85,
      patterns: 0.88,
    },
    noveltyPool: 6,
    matchedFrom: 0.55,
    recencyHalfLifeDays: 21,
  },
};
