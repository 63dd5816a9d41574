/**
 * The anchors of a text: what can be looked up, typed, measured or obeyed, so that a summary can be held against its
 * source without a model. Time grows linearly with the text, whatever it contains. Nothing here judges: see
 * `check-fidelity.ts`.
 */

import { termsOf } from "../../text/language/content-terms.ts";
import { CUE } from "../../text/language/cues.ts";
import { readCues } from "../../text/language/read-cues.ts";
import { splitSentences } from "../../text/language/split-sentences.ts";
import { type Anchor, anchor } from "./anchors/anchor.ts";
import { codeAnchors } from "./anchors/code-anchors.ts";
import { type KnownTokens, tokenAnchors } from "./anchors/token-anchors.ts";
import { maySetRule } from "./may-set-rule.ts";

export type { Anchor, AnchorKind } from "./anchors/anchor.ts";
export type { KnownTokens } from "./anchors/token-anchors.ts";

/** What is longer holds more than a rule. */
const LONGEST_RULE = 600;

/** Each anchor once, in order of first appearance; what is repeated weighs more, by the logarithm. */
export function extractAnchors(text: string): readonly Anchor[] {
  return uniteAnchors([...literalAnchors(text), ...constraintAnchors(text)]);
}

/** Everything but sentences: also right for logs and listings, where `must` and `never` are somebody else's. */
export function literalAnchors(text: string, known?: KnownTokens): Anchor[] {
  const found = tokenAnchors(text, known);
  for (const one of codeAnchors(text)) found.push(one);
  return found;
}

/** Sentences that say what must, must not or may only be done. */
export function constraintAnchors(prose: string): Anchor[] {
  const found: Anchor[] = [];
  // A word that is cut off at the end of what is read may be another one.
  if (prose.length <= LONGEST_RULE && !maySetRule(prose)) return found;
  for (const sentence of splitSentences(prose)) {
    const read = sentence.slice(0, LONGEST_RULE);
    if (!maySetRule(read) || (readCues(read) & CUE.constraint) === 0) continue;
    const terms = new Set(termsOf(read));
    if (terms.size >= 2) found.push(anchor("constraint", sentence, [...terms].join(" "), 4));
  }
  return found;
}

function uniteAnchors(anchors: readonly Anchor[]): Anchor[] {
  const first = new Map<string, Anchor>();
  const counts = new Map<string, number>();
  for (const one of anchors) {
    const id = `${one.kind} ${one.key}`;
    const known = first.get(id);
    if (known === undefined || known.weight < one.weight) first.set(id, one);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...first].map(([id, one]) => ({
    ...one,
    weight: one.weight * (1 + Math.log2(counts.get(id) ?? 1) / 4),
  }));
}
