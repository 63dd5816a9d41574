/**
 * Makes the text of one summary. Asks the model, if there is one; asks again for less when the answer is empty,
 * a copy, too long or says what the source does not; and makes it offline when that fails too. Whatever makes
 * it, anchors that are missing from it are appended in an index.
 */
import { isPalimpsestError } from "../../errors.ts";
import type { Complete } from "../../model/complete.ts";
import { condensedSummaryPrompt } from "../../prompts/condensed-summary.ts";
import { leafSummaryPrompt } from "../../prompts/leaf-summary.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import type { SummaryQuality } from "../../types.ts";
import { appendAnchorIndex } from "./anchor-index.ts";
import { checkFidelity } from "./check-fidelity.ts";
import { cleanSummary } from "./clean-summary.ts";
import { judgeSummary } from "./judge-summary.ts";
import { MODEL_LIMITS, renderSource } from "./render-source.ts";
import type { SummarySource } from "./source.ts";
import { summariseOffline } from "./summarise-offline.ts";

export interface SummariseSettings {
  readonly leafTargetTokens: number;
  readonly condensedTargetTokens: number;
  readonly summaryMaxOverageFactor: number;
  readonly customInstructions: string;
  readonly timezone: string;
}

export interface SummariseDependencies {
  readonly complete: Complete | null;
  readonly countTokens: CountTokens;
  readonly settings: SummariseSettings;
  readonly signal?: AbortSignal;
}

export interface MadeSummary {
  readonly text: string;
  readonly tokenCount: number;
  readonly quality: SummaryQuality;
  readonly model: string | null;
  readonly fidelity: number;
  /** What each level answered, for logs: `normal: too-long`, … */
  readonly attempts: readonly string[];
}

const SMALLEST_TARGET = 192;
const INPUT_SHARE = 0.35;
const AGGRESSIVE_SHARE = 0.55;
const INDEX_SHARE = 0.1;

export async function summariseChunk(
  source: SummarySource,
  previousContext: string,
  use: SummariseDependencies,
): Promise<MadeSummary> {
  const text = renderSource(source, { timezone: use.settings.timezone, limits: MODEL_LIMITS });
  const sourceTokens = tokensOf(source);
  const target = targetOf(source, sourceTokens, use.settings);
  const attempts: string[] = [];
  for (const quality of ["normal", "aggressive"] as const) {
    const made = await askModel(source, text, previousContext, target, quality, use, attempts);
    if (made !== undefined) return finish(made, text, target, attempts, use);
  }
  const { countTokens, settings } = use;
  const offline = summariseOffline(source, {
    targetTokens: target,
    countTokens,
    timezone: settings.timezone,
  });
  attempts.push("extractive: ok");
  return finish({ text: offline, quality: "extractive", model: null }, text, target, attempts, use);
}

interface Draft {
  readonly text: string;
  readonly quality: SummaryQuality;
  readonly model: string | null;
}

async function askModel(
  source: SummarySource,
  text: string,
  previousContext: string,
  target: number,
  quality: "normal" | "aggressive",
  use: SummariseDependencies,
  attempts: string[],
): Promise<Draft | undefined> {
  if (use.complete === null) return undefined;
  const aggressive = quality === "aggressive";
  const targetTokens = aggressive ? Math.max(96, Math.floor(target * AGGRESSIVE_SHARE)) : target;
  const { customInstructions } = use.settings;
  const depth = source.kind === "leaf" ? 0 : source.depth;
  const input = { sourceText: text, previousContext, targetTokens, customInstructions, aggressive, depth };
  const { system, prompt } =
    source.kind === "leaf" ? leafSummaryPrompt(input) : condensedSummaryPrompt(input);
  try {
    const answer = await use.complete({
      purpose: "summary",
      system,
      prompt,
      maxTokens: targetTokens * use.settings.summaryMaxOverageFactor,
      temperature: aggressive ? 0.1 : 0.2,
      ...(use.signal === undefined ? {} : { signal: use.signal }),
    });
    const summary = cleanSummary(answer.text);
    const verdict = judgeSummary({
      sourceTokens: tokensOf(source),
      summaryTokens: use.countTokens(summary),
      targetTokens,
      text: summary,
      source: text,
      fidelity: checkFidelity(text, summary),
      overageFactor: use.settings.summaryMaxOverageFactor,
    });
    attempts.push(`${quality}: ${verdict.ok ? "ok" : verdict.reason}`);
    return verdict.ok ? { text: summary, quality, model: answer.model } : undefined;
  } catch (error) {
    // Nothing is written on behalf of somebody who may not ask; everything else has an offline answer.
    if (!isPalimpsestError(error) || error.code === "model-authentication" || error.code === "cancelled")
      throw error;
    attempts.push(`${quality}: ${error.code}`);
    return undefined;
  }
}

function finish(
  draft: Draft,
  source: string,
  target: number,
  attempts: readonly string[],
  { countTokens }: SummariseDependencies,
): MadeSummary {
  const { missing } = checkFidelity(source, draft.text);
  const text = appendAnchorIndex(draft.text, missing, Math.floor(target * INDEX_SHARE), countTokens);
  const fidelity = checkFidelity(source, text).score;
  return { ...draft, text, tokenCount: countTokens(text), fidelity, attempts };
}

function tokensOf(source: SummarySource): number {
  const pieces = source.kind === "leaf" ? source.messages : source.summaries;
  return pieces.reduce((sum, piece) => sum + piece.tokenCount, 0);
}

function targetOf(source: SummarySource, sourceTokens: number, settings: SummariseSettings): number {
  if (source.kind === "condensed")
    return Math.max(512, Math.min(settings.condensedTargetTokens, Math.floor(sourceTokens / 2)));
  return Math.max(
    SMALLEST_TARGET,
    Math.min(settings.leafTargetTokens, Math.floor(sourceTokens * INPUT_SHARE)),
  );
}
