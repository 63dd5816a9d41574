/**
 * Writes the text of one summary. Asks the model, if there is one; asks again for a shorter text if the response is empty,
 * a copy, cut off or too long, invents facts or keeps none of the source; and summarises offline if that
 * fails too. In every case, missing anchors are appended as an index. Only the model calls are made
 * here: CPU-bound work is done by the chunkOpener.
 */
import { isPalimpsestError, type PalimpsestError } from "../../errors.ts";
import type { Complete, CompletionResult } from "../../model/complete.ts";
import { isAuthenticationFailure } from "../../model/model-failure.ts";
import { condensedSummaryPrompt } from "../../prompts/condensed-summary.ts";
import { leafSummaryPrompt } from "../../prompts/leaf-summary.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import type { Clock, SummaryQuality } from "../../types.ts";
import type { ChunkOpener, OpenChunk } from "./chunks/chunk-opener.ts";
import type { ChunkTerms, Worded } from "./chunks/chunk-work.ts";
import type { CompactionSettings } from "./plan/compaction-settings.ts";
import { smallestLeaf } from "./plan/plan-compaction.ts";
import type { UnreadSource } from "./source.ts";

interface SummariseOptions {
  readonly signal: AbortSignal | undefined;
  /** Whether to continue without the model when the call limit is reached, instead of stopping. */
  readonly goesOnWithoutCalls: boolean;
}

interface SummariseDependencies {
  readonly complete: Complete | null;
  readonly clock: Clock;
  readonly countTokens: CountTokens;
  readonly chunkOpener: ChunkOpener;
  readonly settings: CompactionSettings;
}

export interface MadeSummary extends Omit<Worded, "fidelity"> {
  /** Null if it was not measured. */
  readonly fidelity: number | null;
  readonly quality: SummaryQuality;
  readonly model: string | null;
  /** The result of each level: `normal: too-long`, `aggressive: ok`. */
  readonly attempts: readonly string[];
  /** The problem of the last failed call; null if none failed. */
  readonly failure: string | null;
  /** Model calls, successful or not, and their price in US dollars if the provider reports it. */
  readonly calls: number;
  readonly cost: number | null;
}

/** A chunk whose messages are read, with the requirements for its summary. */
export interface ReadChunk {
  readonly open: OpenChunk;
  readonly terms: ChunkTerms;
  /** Depth of the new summary; 0 for a leaf. */
  readonly depth: number;
}

/** Maximum length of a leaf, and of a condensed summary, as a share of the sources. */
const LEAF_SHARE = 0.35;
const CONDENSED_SHARE = 0.5;
/** A short run keeps as much as still makes its summary shorter. */
const SHORT_SHARE = 0.7;
const SMALLEST_TARGET = 192;
/** The length requested in the second attempt, as a share of the target. */
const AGGRESSIVE_SHARE = 0.55;

type ModelQuality = "normal" | "aggressive";
type Draft = Worded & Pick<MadeSummary, "quality" | "model">;

/** How long an unreachable model is not called, so that a sweep does not wait for it with every chunk. */
const LEFT_ALONE_MS = 30_000;

/** Writes the summaries of one sweep. */
export class Summariser {
  readonly #use: SummariseDependencies;
  readonly #options: SummariseOptions;
  /** Time until which the model is not called. */
  #downUntil = 0;

  constructor(use: SummariseDependencies, options: SummariseOptions) {
    this.#use = use;
    this.#options = options;
  }

  /** Work that can be done ahead. The caller must release the opened chunk. */
  async read(source: UnreadSource): Promise<ReadChunk> {
    const terms = termsOf(source, this.#use.settings);
    const open = await this.#use.chunkOpener.open(source, terms, this.#options.signal);
    return { open, terms, depth: source.kind === "leaf" ? 0 : source.depth };
  }

  /** `previousContext` is the text of the previous summary; empty if there is none. */
  async summarise(chunk: ReadChunk, previousContext: string): Promise<MadeSummary> {
    if (chunk.terms.isShort) return shortSummary(chunk, this.#use.countTokens);
    const job: Job = { ...chunk, previousContext, attempts: [], answers: [], failures: [] };
    for (const quality of ["normal", "aggressive"] as const) {
      const draft = await this.#tryModel(job, quality);
      if (draft !== undefined) return madeOf(draft, job);
    }
    return madeOf(await offlineDraft(job), job);
  }

  async #tryModel(job: Job, quality: ModelQuality): Promise<Draft | undefined> {
    const { target } = job.terms;
    const targetTokens =
      quality === "normal" ? target : Math.max(SMALLEST_TARGET / 2, Math.floor(target * AGGRESSIVE_SHARE));
    const answer = await this.#askModel(job, targetTokens, quality);
    return answer === undefined ? undefined : this.#take(answer, job, targetTokens, quality);
  }

  /** Undefined if the model cannot be called now. */
  async #askModel(
    job: Job,
    targetTokens: number,
    quality: ModelQuality,
  ): Promise<CompletionResult | undefined> {
    const { complete, settings } = this.#use;
    if (complete === null || this.#use.clock() < this.#downUntil) return undefined;
    try {
      const answer = await complete({
        purpose: "summary",
        ...promptFor(job, targetTokens, quality, settings.customInstructions),
        maxTokens: Math.ceil(targetTokens * settings.summaryMaxOverageFactor),
        temperature: quality === "normal" ? 0.2 : 0.1,
        ...(this.#options.signal === undefined ? {} : { signal: this.#options.signal }),
      });
      job.answers.push(answer);
      return answer;
    } catch (error) {
      if (!isPalimpsestError(error) || this.#isFinal(error)) throw error;
      job.attempts.push(`${quality}: ${error.code}`);
      job.failures.push(error);
      this.#downUntil = this.#use.clock() + LEFT_ALONE_MS;
      return undefined;
    }
  }

  async #take(
    { text, finish, model }: CompletionResult,
    job: Job,
    targetTokens: number,
    quality: ModelQuality,
  ): Promise<Draft | undefined> {
    const { summaryMaxOverageFactor: overageFactor, customInstructions } = this.#use.settings;
    const told = job.previousContext + customInstructions;
    const taken =
      finish === "stop"
        ? await job.open.take({ text, targetTokens, overageFactor, told })
        : ({ problem: finish === "length" ? "cut-off" : "broken-off" } as const);
    job.attempts.push(`${quality}: ${"problem" in taken ? taken.problem : "ok"}`);
    return "problem" in taken ? undefined : { ...taken.summary, quality, model };
  }

  /** An unauthorised call must not produce a summary; nearly all other errors have an offline fallback. */
  #isFinal(error: PalimpsestError): boolean {
    if (isAuthenticationFailure(error)) return true;
    if (error.code === "cancelled" || error.code === "config-invalid") return true;
    return error.code === "model-limit" && !this.#options.goesOnWithoutCalls;
  }
}

interface Job extends ReadChunk {
  readonly previousContext: string;
  readonly attempts: string[];
  readonly answers: CompletionResult[];
  readonly failures: PalimpsestError[];
}

function promptFor(
  { open, depth, previousContext }: Job,
  targetTokens: number,
  quality: ModelQuality,
  customInstructions: string,
) {
  const aggressive = quality === "aggressive";
  const sourceText = open.text;
  const input = { sourceText, previousContext, targetTokens, customInstructions, aggressive, depth };
  return depth === 0 ? leafSummaryPrompt(input) : condensedSummaryPrompt(input);
}

async function offlineDraft({ open, attempts }: Job): Promise<Draft> {
  const { summary, quality } = await open.offline();
  if (quality === "fallback") attempts.push("extractive: too-long");
  attempts.push(`${quality}: ok`);
  return { ...summary, quality, model: null };
}

/** Needs no model: uses the source's own text, shortened if possible. */
async function shortSummary({ open, terms }: ReadChunk, countTokens: CountTokens): Promise<MadeSummary> {
  const made = { quality: "extractive", model: null, failure: null, calls: 0, cost: null } as const;
  const { summary, quality } = await open.offline();
  if (quality === "extractive" && summary.tokenCount < terms.sourceTokens)
    return { ...summary, ...made, attempts: ["shortened"] };
  return {
    text: open.text,
    tokenCount: countTokens(open.text),
    fidelity: 1,
    ...made,
    attempts: ["verbatim"],
  };
}

function madeOf(draft: Draft, { attempts, answers, failures }: Job): MadeSummary {
  const costs = answers.flatMap((answer) => answer.usage.cost ?? []);
  const cost = costs.length === 0 ? null : costs.reduce((sum, one) => sum + one, 0);
  // A call rejected by the limit was not made.
  const calls = answers.length + failures.filter(({ code }) => code !== "model-limit").length;
  return { ...draft, attempts, failure: failures.at(-1)?.message ?? null, calls, cost };
}

function termsOf(source: UnreadSource, settings: CompactionSettings): ChunkTerms {
  const pieces = source.kind === "leaf" ? source.messages : source.summaries;
  const sourceTokens = pieces.reduce((sum, piece) => sum + piece.tokenCount, 0);
  const isShort = source.kind === "leaf" && sourceTokens < smallestLeaf(settings);
  const target = isShort ? Math.floor(sourceTokens * SHORT_SHARE) : targetOf(source, sourceTokens, settings);
  return { timezone: settings.timezone, sourceTokens, target, isShort };
}

function targetOf(source: UnreadSource, sourceTokens: number, settings: CompactionSettings): number {
  const [most, share] =
    source.kind === "leaf"
      ? [settings.leafTargetTokens, LEAF_SHARE]
      : [settings.condensedTargetTokens, CONDENSED_SHARE];
  return Math.max(SMALLEST_TARGET, Math.min(most, Math.floor(sourceTokens * share)));
}
