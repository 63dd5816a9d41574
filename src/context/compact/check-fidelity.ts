/**
 * Holds a summary against its source without a model: which anchors of the source it lost, and which of its own it
 * made up. It does not judge style, and it cannot see a true number in a false sentence.
 */
import { type Anchor, type AnchorKind, literalAnchors } from "./anchors.ts";
import { withoutFormatLines } from "./format-lines.ts";
import { type KnownFacts, knownFacts } from "./known-facts.ts";
import { mentionedIn } from "./mentioned-in.ts";
import { sourceAnchors } from "./source-anchors.ts";
import { type SourceBlock, sourceBlocks } from "./source-blocks.ts";

export interface Fidelity {
  /** Weighted share of the source's anchors that the summary mentions, 0 to 1; 1 for a source without anchors. */
  readonly score: number;
  /** Anchors of the source that the summary does not mention, the heaviest first. */
  readonly missing: readonly Anchor[];
  /** Paths, URLs, numbers, identifiers, dates and times of the summary that occur nowhere in the source. */
  readonly invented: readonly Anchor[];
}

const INVENTABLE: ReadonlySet<AnchorKind> = new Set(["path", "url", "number", "identifier", "date", "time"]);

export function checkFidelity(source: string, summary: string): Fidelity {
  return new FidelityCheck(source).check(summary);
}

/** A source that is read once and held against several summaries. */
export class FidelityCheck {
  readonly #blocks: readonly SourceBlock[];
  readonly #source: string;
  #anchors: readonly Anchor[] | undefined;
  #facts: KnownFacts | undefined;

  constructor(source: string) {
    this.#source = source;
    this.#blocks = sourceBlocks(source);
  }

  check(summary: string): Fidelity {
    this.#facts ??= knownFacts(this.#source, this.#blocks);
    return { ...this.coverage(summary), invented: inventedIn(withoutFormatLines(summary), this.#facts) };
  }

  /** What the summary kept, without looking for inventions. */
  coverage(summary: string): Pick<Fidelity, "score" | "missing"> {
    this.#anchors ??= sourceAnchors(this.#blocks);
    const mentions = mentionedIn(summary);
    const missing: Anchor[] = [];
    let total = 0;
    let found = 0;
    for (const anchor of this.#anchors) {
      total += anchor.weight;
      if (mentions(anchor)) found += anchor.weight;
      else missing.push(anchor);
    }
    return { score: total === 0 ? 1 : found / total, missing };
  }
}

export function isFaithful(fidelity: Fidelity): boolean {
  return fidelity.invented.length === 0;
}

function inventedIn(body: string, facts: KnownFacts): Anchor[] {
  const invented = new Map<string, Anchor>();
  for (const anchor of literalAnchors(body))
    if (isInventable(anchor) && !facts.has(anchor)) invented.set(`${anchor.kind} ${anchor.key}`, anchor);
  return [...invented.values()];
}

/** Two characters prove nothing, and quoted words are checked one by one. */
function isInventable({ kind, text }: Anchor): boolean {
  return (
    INVENTABLE.has(kind) && text.length > 2 && (kind === "number" || kind === "date" || !text.includes(" "))
  );
}
