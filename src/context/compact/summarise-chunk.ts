/**
 * Makes the text of one summary. Asks the model, if there is one; asks again for less when the answer is empty,
 * a copy, cut off, too long, says what the source does not, or nothing of what it does; and makes it offline when that
 * fails too. Whatever makes it, anchors that are missing from it are appended in an index. Only the asking happens
 * here: what needs a processor is done in the chunkOpener.
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
  /** Whether to go on without the model when no more calls are allowed for now, instead of giving up. */
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
  /** Null when it was not measured. */
  readonly fidelity: number | null;
  readonly quality: SummaryQuality;
  readonly model: string | null;
  /** What each level answered: `normal: too-long`, `aggressive: ok`. */
  readonly attempts: readonly string[];
  /** What went wrong with the last call that got no answer; null when none did. */
  readonly failure: string | null;
  /** Calls to models, answered or not, and their price in US dollars where the provider tells it. */
  readonly calls: number;
  readonly cost: number | null;
}

/** A chunk whose messages are read, with what is wanted of it. */
export interface ReadChunk {
  readonly open: OpenChunk;
  readonly terms: ChunkTerms;
  /** Of the summary to be made; 0 for a leaf. */
  readonly depth: number;
}

/** A leaf is at most this share of what it stands for, and a condensed summary this one. */
const LEAF_SHARE = 0.35;
const CONDENSED_SHARE = 0.5;
/** Of a short run as much is kept as still makes a summary shorter. */
const SHORT_SHARE = 0.7;
const SMALLEST_TARGET = 192;
/** What is asked for in the second attempt, as a share of the target. */
const AGGRESSIVE_SHARE = 0.55;

type ModelQuality = "normal" | "aggressive";
type Draft = Worded & Pick<MadeSummary, "quality" | "model">;

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

  /** What can be done before it is this chunk's turn. Whoever opens it releases it. */
  async read(source: UnreadSource): Promise<ReadChunk> {
    const terms = termsOf(source, this.#use.settings);
    const open = await this.#use.chunkOpener.open(source, terms, this.#options.signal);
    return { open, terms, depth: source.kind === "leaf" ? 0 : source.depth };
  }

  /** `previousContext` is what the summary before this one says; empty when there is none. */
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

  /** Undefined when it cannot be asked now. */
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

  /** Nothing is written on behalf of somebody who may not ask; nearly everything else has an offline answer. */
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

/** Nobody is asked for it: its own words, fewer of them if that can be. */
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
  // Where no more calls are allowed, none was made.
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
