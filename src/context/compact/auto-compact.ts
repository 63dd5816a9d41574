/**
 * When compaction starts automatically. Below the soft threshold nothing happens; above it, one sweep runs in the
 * background; above the hard one, or when not everything fits, the caller that assembles waits for it.
 */

import { type ErrorCode, isPalimpsestError, messageOf } from "../../errors.ts";
import type { Background } from "../../jobs/background.ts";
import type { StoredConversation } from "../../store/store.ts";
import { type CompactReport, compactConversation } from "./compact-conversation.ts";
import type { CompactDependencies } from "./compact-dependencies.ts";
import { planSettings } from "./plan/compaction-settings.ts";
import { type Evaluation, evaluateContext } from "./plan/evaluate.ts";
import { freshTailStart } from "./plan/fresh-tail.ts";
import { readShape } from "./plan/read-shape.ts";
import { tokenBudget } from "./plan/token-budget.ts";

/** The result of a compaction that a caller waited for. */
export interface EndedCompaction {
  /** Why it ended, or the error code. */
  readonly outcome: CompactReport["stopped"] | ErrorCode;
  /** The problem and its remedy, as text; null if it ran to its end. */
  readonly problem: string | null;
}

export class AutoCompact {
  readonly #use: CompactDependencies;
  readonly #background: Background | null;
  /** How the last compaction of a conversation ended, unless it reached its target. */
  readonly #ended = new Map<string, EndedCompaction>();

  /** Without a background nothing starts automatically. */
  constructor(use: CompactDependencies, background: Background | null) {
    this.#use = use;
    this.#background = background;
  }

  /** Costs nothing while the context is below the threshold. */
  afterTurn(conversation: StoredConversation): void {
    if (this.#background === null) return;
    const { settings } = this.#use;
    const evaluation = evaluateContext(conversation, this.#budgetOf(conversation.id), settings);
    if (evaluation.level !== "fine") this.#sweepLater(evaluation);
    else if (settings.incremental)
      this.#background.add(nameFor(conversation.id), (signal) => this.#oneLeaf(conversation.id, signal));
  }

  /** Brings the context below the hard threshold, if it is above. Null if it did not have to wait. */
  async beforeAssembly(conversation: StoredConversation, budget: number): Promise<EndedCompaction | null> {
    if (this.#background === null) return null;
    const evaluation = evaluateContext(conversation, budget, this.#use.settings);
    if (evaluation.level === "fine") return null;
    this.#sweepLater(evaluation);
    return evaluation.level === "soft" ? null : this.#finished(conversation.id);
  }

  /**
   * Makes room when an assembly had to leave items out although the context was below the thresholds: thresholds use an
   * estimate, and the sent context is larger.
   */
  async afterOverflow(conversation: StoredConversation, budget: number): Promise<EndedCompaction | null> {
    if (this.#background === null) return null;
    this.#sweepLater({ ...evaluateContext(conversation, budget, this.#use.settings), level: "hard" });
    return this.#finished(conversation.id);
  }

  async #finished(conversation: string): Promise<EndedCompaction> {
    await this.#background?.finished(nameFor(conversation));
    return this.#ended.get(conversation) ?? { outcome: "target reached", problem: null };
  }

  #sweepLater({ conversation, budget, target, level }: Evaluation): void {
    const trigger = level === "hard" ? "overflow" : "threshold";
    this.#background?.add(nameFor(conversation), async (signal) => {
      const deadlineMs = this.#use.settings.sweepDeadlineMs;
      const until = target === 0 ? {} : { untilUnder: target };
      try {
        const input = { conversation, budget, ...until, deadlineMs, signal };
        const { stopped: outcome } = await compactConversation(input, this.#use, trigger);
        if (outcome === "target reached") this.#ended.delete(conversation);
        else this.#ended.set(conversation, { outcome, problem: null });
      } catch (error) {
        this.#ended.set(conversation, failed(error));
        throw error;
      }
    });
  }

  /** The window that the host passed last, else the configured one. */
  #budgetOf(conversation: string): number {
    const { calls, settings } = this.#use;
    return tokenBudget(calls.budgetOf(conversation), settings);
  }

  /** The after-turn mode: one leaf as soon as a chunk is full, and any condensing that is then possible. */
  async #oneLeaf(conversation: string, signal: AbortSignal): Promise<void> {
    const { settings, store } = this.#use;
    const plan = planSettings(settings, this.#budgetOf(conversation));
    const items = await readShape(store, conversation);
    const gathered = items
      .slice(0, freshTailStart(items, plan))
      .reduce((sum, item) => sum + (item.type === "message" ? item.tokenCount : 0), 0);
    if (gathered < settings.leafChunkTokens) return;
    const limits = { maxLeaves: 1, maxDepth: settings.incrementalMaxDepth };
    await compactConversation({ conversation, signal }, this.#use, "incremental", limits);
  }
}

function nameFor(conversation: string): string {
  return `compact ${conversation}`;
}

function failed(error: unknown): EndedCompaction {
  const outcome = isPalimpsestError(error) ? error.code : "internal";
  const advice = isPalimpsestError(error) ? error.advice : undefined;
  return { outcome, problem: advice === undefined ? messageOf(error) : `${messageOf(error)}. ${advice}` };
}
