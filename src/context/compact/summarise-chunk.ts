/**
 * Makes the text of one summary. Asks the model, if there is one; asks again for less when the answer is empty,
 * a copy, cut off, too long, or says what the source does not; and makes it offline when that fails too. Whatever
 * makes it, anchors that are missing from it are appended in an index.
 */
import { isPalimpsestError, type PalimpsestError } from "../../errors.ts";
import type { Complete, CompletionResult } from "../../model/complete.ts";
import { isAuthenticationFailure } from "../../model/model-failure.ts";
import { condensedSummaryPrompt } from "../../prompts/condensed-summary.ts";
import { leafSummaryPrompt } from "../../prompts/leaf-summary.ts";
import { cutMiddle } from "../../text/cut-text.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import type { Clock, SummaryQuality } from "../../types.ts";
import { anchorIndex, withAnchorIndex } from "./anchor-index.ts";
import { type Fidelity, FidelityCheck } from "./check-fidelity.ts";
import { cleanSummary } from "./clean-summary.ts";
import type { CompactionSettings } from "./compaction-settings.ts";
import { judgeSummary } from "./judge-summary.ts";
import { smallestLeaf } from "./plan-compaction.ts";
import { NO_LIMITS, renderSource } from "./render-source.ts";
import type { SummarySource } from "./source.ts";
import { summariseOffline } from "./summarise-offline.ts";

export interface SummariseOptions {
  readonly signal: AbortSignal | undefined;
  /** Whether to go on without the model when no more calls are allowed for now, instead of giving up. */
  readonly goesOnWithoutCalls: boolean;
}

export interface SummariseDependencies {
  readonly complete: Complete | null;
  readonly clock: Clock;
  readonly countTokens: CountTokens;
  readonly settings: CompactionSettings;
}

export interface MadeSummary {
  readonly text: string;
  readonly tokenCount: number;
  readonly quality: SummaryQuality;
  readonly model: string | null;
  readonly fidelity: number;
  /** What each level answered: `normal: too-long`, `aggressive: ok`. */
  readonly attempts: readonly string[];
  /** Calls to models, and their price in US dollars where the provider tells it. */
  readonly calls: number;
  readonly cost: number | null;
}

/** A leaf is at most this share of what it stands for, and a condensed summary this one. */
const LEAF_SHARE = 0.35;
const CONDENSED_SHARE = 0.5;
const SMALLEST_TARGET = 192;
/** What is asked for in the second attempt, as a share of the target. */
const AGGRESSIVE_SHARE = 0.55;
/** Room for missing anchors, as a share of the target. */
const INDEX_SHARE = 0.1;
const FALLBACK_TOKENS = 512;

interface Draft {
  readonly text: string;
  readonly quality: SummaryQuality;
  readonly model: string | null;
}

/** How long a model that could not be reached is left alone, so that a sweep does not wait for it with every chunk. */
const LEFT_ALONE_MS = 30_000;

/** Summarises for one sweep. */
export class Summariser {
  readonly #use: SummariseDependencies;
  readonly #options: SummariseOptions;
  /** When it may be asked again. */
  #downUntil = 0;

  constructor(use: SummariseDependencies, options: SummariseOptions) {
    this.#use = use;
    this.#options = options;
  }

  /** `previousContext` is what the summary before this one says; empty when there is none. */
  async summarise(source: SummarySource, previousContext: string): Promise<MadeSummary> {
    const { settings, countTokens } = this.#use;
    const sourceTokens = tokensOf(source);
    if (source.kind === "leaf" && sourceTokens < smallestLeaf(settings)) return verbatim(source, this.#use);
    const text = renderSource(source, { timezone: settings.timezone });
    const job: Job = {
      source,
      text,
      fidelity: new FidelityCheck(text),
      previousContext,
      sourceTokens,
      target: targetOf(source, sourceTokens, settings),
      attempts: [],
      answers: [],
    };
    for (const quality of ["normal", "aggressive"] as const) {
      const draft = await this.#askModel(job, quality);
      if (draft !== undefined) return finish(draft, job, countTokens);
    }
    return finish(offlineDraft(job, this.#use), job, countTokens);
  }

  async #askModel(job: Job, quality: "normal" | "aggressive"): Promise<Draft | undefined> {
    const { complete, settings } = this.#use;
    if (complete === null || this.#use.clock() < this.#downUntil) return undefined;
    const targetTokens =
      quality === "normal"
        ? job.target
        : Math.max(SMALLEST_TARGET / 2, Math.floor(job.target * AGGRESSIVE_SHARE));
    try {
      const answer = await complete({
        purpose: "summary",
        ...promptFor(job, targetTokens, quality, settings.customInstructions),
        maxTokens: Math.ceil(targetTokens * settings.summaryMaxOverageFactor),
        temperature: quality === "normal" ? 0.2 : 0.1,
        ...(this.#options.signal === undefined ? {} : { signal: this.#options.signal }),
      });
      job.answers.push(answer);
      const text = cleanSummary(answer.text);
      const problem =
        answer.finish === "length" ? "cut-off" : problemWith(text, job, targetTokens, this.#use);
      job.attempts.push(`${quality}: ${problem ?? "ok"}`);
      return problem === undefined ? { text, quality, model: answer.model } : undefined;
    } catch (error) {
      if (!isPalimpsestError(error) || this.#isFinal(error)) throw error;
      job.attempts.push(`${quality}: ${error.code}`);
      this.#downUntil = this.#use.clock() + LEFT_ALONE_MS;
      return undefined;
    }
  }

  /** Nothing is written on behalf of somebody who may not ask; nearly everything else has an offline answer. */
  #isFinal(error: PalimpsestError): boolean {
    if (isAuthenticationFailure(error) || error.code === "cancelled") return true;
    return error.code === "model-limit" && !this.#options.goesOnWithoutCalls;
  }
}

interface Job {
  readonly source: SummarySource;
  /** As the model reads it. */
  readonly text: string;
  readonly fidelity: FidelityCheck;
  readonly previousContext: string;
  readonly sourceTokens: number;
  readonly target: number;
  readonly attempts: string[];
  readonly answers: CompletionResult[];
}

function promptFor(
  job: Job,
  targetTokens: number,
  quality: "normal" | "aggressive",
  customInstructions: string,
) {
  const { source, text: sourceText, previousContext } = job;
  const depth = source.kind === "leaf" ? 0 : source.depth;
  const aggressive = quality === "aggressive";
  const input = { sourceText, previousContext, targetTokens, customInstructions, aggressive, depth };
  return source.kind === "leaf" ? leafSummaryPrompt(input) : condensedSummaryPrompt(input);
}

function problemWith(
  text: string,
  job: Job,
  targetTokens: number,
  use: SummariseDependencies,
): string | undefined {
  const verdict = judgeSummary({
    text,
    source: job.text,
    sourceTokens: job.sourceTokens,
    summaryTokens: use.countTokens(text),
    targetTokens,
    overageFactor: use.settings.summaryMaxOverageFactor,
    fidelity: withoutKnown(job.fidelity.check(text), job.previousContext + use.settings.customInstructions),
  });
  return verdict.ok ? undefined : verdict.reason;
}

/** What the model was told beside the source is not invented. */
function withoutKnown(fidelity: Fidelity, told: string): Fidelity {
  return { ...fidelity, invented: fidelity.invented.filter((anchor) => !told.includes(anchor.text)) };
}

/** The words of the source themselves; a cut of them if a tokenizer counts so that nothing else is short enough. */
function offlineDraft(job: Job, { countTokens, settings }: SummariseDependencies): Draft {
  const { timezone } = settings;
  const text = summariseOffline(job.source, { targetTokens: job.target, countTokens, timezone });
  if (countTokens(text) < job.sourceTokens) {
    job.attempts.push("extractive: ok");
    return { text, quality: "extractive", model: null };
  }
  job.attempts.push("extractive: too-long", "fallback: ok");
  return { text: cutMiddle(job.text, FALLBACK_TOKENS * 3), quality: "fallback", model: null };
}

/** Too short to be said in fewer words. */
function verbatim(source: SummarySource, { countTokens, settings }: SummariseDependencies): MadeSummary {
  const text = renderSource(source, { timezone: settings.timezone, limits: NO_LIMITS });
  return {
    text,
    tokenCount: countTokens(text),
    quality: "extractive",
    model: null,
    fidelity: 1,
    attempts: ["verbatim"],
    calls: 0,
    cost: null,
  };
}

function finish(draft: Draft, job: Job, countTokens: CountTokens): MadeSummary {
  const { missing, score: fidelity } = job.fidelity.coverage(draft.text);
  const room = Math.min(Math.floor(job.target * INDEX_SHARE), job.sourceTokens - countTokens(draft.text) - 1);
  const index = anchorIndex(missing, room, countTokens);
  const text = withAnchorIndex(draft.text, index);
  const costs = job.answers.flatMap((answer) => answer.usage.cost ?? []);
  return {
    ...draft,
    text,
    tokenCount: countTokens(text),
    // The index points to what is missing; what the summary itself says is what counts.
    fidelity,
    attempts: job.attempts,
    calls: job.answers.length,
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

function tokensOf(source: SummarySource): number {
  const pieces = source.kind === "leaf" ? source.messages : source.summaries;
  return pieces.reduce((sum, piece) => sum + piece.tokenCount, 0);
}

function targetOf(source: SummarySource, sourceTokens: number, settings: CompactionSettings): number {
  const [most, share] =
    source.kind === "leaf"
      ? [settings.leafTargetTokens, LEAF_SHARE]
      : [settings.condensedTargetTokens, CONDENSED_SHARE];
  return Math.max(SMALLEST_TARGET, Math.min(most, Math.floor(sourceTokens * share)));
}
