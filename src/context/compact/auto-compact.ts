/**
 * When compaction starts by itself. Below the soft threshold nothing happens; above it one sweep in the
 * background; above the hard one, whoever assembles waits for it.
 */

import type { Background } from "../../jobs/background.ts";
import type { StoredConversation } from "../../store/store.ts";
import { freshTailStart } from "../fresh-tail.ts";
import { tokenBudget } from "../token-budget.ts";
import { type CompactDependencies, compact } from "./compact.ts";
import { planSettings } from "./compaction-settings.ts";
import { type Evaluation, evaluateContext } from "./evaluate.ts";
import { readShape } from "./read-shape.ts";

export class AutoCompact {
  readonly #use: CompactDependencies;
  readonly #background: Background | null;

  /** Without a background nothing ever starts by itself. */
  constructor(use: CompactDependencies, background: Background | null) {
    this.#use = use;
    this.#background = background;
  }

  /** Costs nothing while the context is fine. */
  afterTurn(conversation: StoredConversation): void {
    if (this.#background === null) return;
    const { settings } = this.#use;
    const evaluation = evaluateContext(conversation, tokenBudget(undefined, settings), settings);
    if (evaluation.level !== "fine") this.#sweepLater(evaluation);
    else if (settings.incremental)
      this.#background.add(nameFor(conversation.id), (signal) => this.#oneLeaf(conversation.id, signal));
  }

  /** Brings the context below the hard threshold, if it is above. */
  async beforeAssembly(conversation: StoredConversation, budget: number): Promise<boolean> {
    if (this.#background === null) return false;
    const evaluation = evaluateContext(conversation, budget, this.#use.settings);
    if (evaluation.level === "fine") return false;
    this.#sweepLater(evaluation);
    if (evaluation.level === "soft") return false;
    await this.#background.finished(nameFor(conversation.id));
    return true;
  }

  #sweepLater({ conversation, budget, target, level }: Evaluation): void {
    const trigger = level === "hard" ? "overflow" : "threshold";
    this.#background?.add(nameFor(conversation), async (signal) => {
      const deadlineMs = this.#use.settings.sweepDeadlineMs;
      const until = target === 0 ? {} : { untilUnder: target };
      await compact({ conversation, budget, ...until, deadlineMs, signal }, this.#use, trigger);
    });
  }

  /** The after-turn mode: one leaf as soon as a chunk has gathered, and what can be condensed then. */
  async #oneLeaf(conversation: string, signal: AbortSignal): Promise<void> {
    const { settings, store } = this.#use;
    const plan = planSettings(settings, tokenBudget(undefined, settings));
    const items = await readShape(store, conversation);
    const gathered = items
      .slice(0, freshTailStart(items, plan))
      .reduce((sum, item) => sum + (item.type === "message" ? item.tokenCount : 0), 0);
    if (gathered < settings.leafChunkTokens) return;
    const limits = { maxLeaves: 1, maxDepth: settings.incrementalMaxDepth };
    await compact({ conversation, signal }, this.#use, "incremental", limits);
  }
}

function nameFor(conversation: string): string {
  return `compact ${conversation}`;
}
