/**
 * Checks a summary against its source without a model: which anchors of the source it lost, and which of its own it
 * invented. It does not judge style, and it cannot detect a true number in a false sentence.
 */
import { type Anchor, type AnchorKind, literalAnchors } from "./anchors.ts";
import { withoutFormatLines } from "./format-lines.ts";
import { type KnownFacts, knownFacts } from "./known-facts.ts";
import { mentionedIn } from "./mentioned-in.ts";
import { type SourceAnchor, sourceAnchors } from "./source-anchors.ts";
import { type SourceBlock, sourceBlocks } from "./source-blocks.ts";

export interface Fidelity {
  /** How many anchors the source has. */
  readonly anchors: number;
  /** Weighted share of the source's anchors that the summary mentions, 0 to 1; 1 for a source without anchors. */
  readonly score: number;
  /** Anchors of the source that the summary does not mention, heaviest first. */
  readonly missing: readonly SourceAnchor[];
  /** Paths, URLs, numbers, identifiers, dates and times of the summary that occur nowhere in the source. */
  readonly invented: readonly Anchor[];
}

type Coverage = Pick<Fidelity, "anchors" | "score" | "missing">;

const INVENTABLE: ReadonlySet<AnchorKind> = new Set(["path", "url", "number", "identifier", "date", "time"]);

export function checkFidelity(source: string, summary: string): Fidelity {
  return new FidelityCheck(source).check(summary);
}

/** A source that is read once and compared with several summaries. */
export class FidelityCheck {
  readonly #source: string;
  readonly #blocks: readonly SourceBlock[];
  #anchors: readonly SourceAnchor[] | undefined;
  #facts: KnownFacts | undefined;
  #allFacts: KnownFacts | undefined;
  readonly #anchorsOf = readOnce();
  #last: { readonly summary: string; readonly coverage: Coverage } | undefined;

  constructor(source: string) {
    this.#source = source;
    this.#blocks = sourceBlocks(source, "telling");
  }

  check(summary: string): Fidelity {
    return { ...this.coverage(summary), invented: this.#inventedIn(withoutFormatLines(summary)) };
  }

  /** What the summary kept, without a check for inventions. */
  coverage(summary: string): Coverage {
    if (this.#last?.summary === summary) return this.#last.coverage;
    this.#anchors ??= sourceAnchors(this.#blocks);
    const mentions = mentionedIn(summary, this.#anchorsOf);
    const missing = this.#anchors.filter((anchor) => !mentions(anchor));
    const coverage = { anchors: this.#anchors.length, score: this.#scoreWithout(missing), missing };
    this.#last = { summary, coverage };
    return coverage;
  }

  #scoreWithout(missing: readonly Anchor[]): number {
    const total = weightOf(this.#anchors ?? []);
    return total === 0 ? 1 : 1 - weightOf(missing) / total;
  }

  /** Long listings are read only if something is not found without them. */
  #inventedIn(body: string): Anchor[] {
    this.#facts ??= knownFacts(this.#source, this.#blocks);
    const said = this.#anchorsOf(body);
    const suspects = inventedAmong(said, this.#facts);
    if (suspects.length === 0) return suspects;
    this.#allFacts ??= knownFacts(this.#source, sourceBlocks(this.#source, "whole"));
    return inventedAmong(said, this.#allFacts);
  }
}

function weightOf(anchors: readonly Anchor[]): number {
  return anchors.reduce((sum, anchor) => sum + anchor.weight, 0);
}

export function isFaithful(fidelity: Fidelity): boolean {
  return fidelity.invented.length === 0;
}

/** A source with fewer anchors has too little to look for in a summary. */
const FEW_ANCHORS = 12;
/** A summary with this many of the source's anchors is based on it, however many there are. */
const HANDFUL = 5;
const LEAST_COUNT = 0.025;
/** So is a summary with the few that matter: a person's rule weighs more than a listing. */
const LEAST_SCORE = 0.05;

/**
 * Whether a summary could have been written without the source: a refusal or an endlessly repeated phrase. The bound is
 * low, because a good summary of a long chunk keeps a tenth of its anchors, and one of many listings even fewer.
 */
export function keepsNothing({ anchors, missing, score }: Fidelity): boolean {
  if (anchors < FEW_ANCHORS || score >= LEAST_SCORE) return false;
  return anchors - missing.length < Math.min(HANDFUL, Math.ceil(anchors * LEAST_COUNT));
}

/** Coverage and invention checks read mostly the same text, so its anchors are cached. */
function readOnce(): (text: string) => readonly Anchor[] {
  let last: { readonly text: string; readonly anchors: readonly Anchor[] } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, anchors: literalAnchors(text) };
    return last.anchors;
  };
}

function inventedAmong(said: readonly Anchor[], facts: KnownFacts): Anchor[] {
  const invented = new Map<string, Anchor>();
  for (const anchor of said)
    if (isInventable(anchor) && !facts.has(anchor)) invented.set(`${anchor.kind} ${anchor.key}`, anchor);
  return [...invented.values()];
}

/** Two characters are not evidence, and quoted words are checked one by one. */
function isInventable({ kind, text }: Anchor): boolean {
  return (
    INVENTABLE.has(kind) && text.length > 2 && (kind === "number" || kind === "date" || !text.includes(" "))
  );
}
