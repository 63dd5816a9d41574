/**
 * Reduces the context. Plans purely, summarises outside any lock, publishes atomically: a summary is published only
 * if its sources are still in the context as planned; otherwise planning starts again. One compaction of a
 * conversation runs at a time, across processes, bounded by time and by passes that save nothing.
 */
import type { z } from "zod";
import { isPalimpsestError } from "../../errors.ts";
import type { Complete } from "../../model/complete.ts";
import type { StoredConversation } from "../../store/store.ts";
import type { compactInput } from "../inputs.ts";
import { requireConversation } from "../read/read-messages.ts";
import type { CompactDependencies, CompactionTrigger } from "./compact-dependencies.ts";
import type { CompactionPass } from "./compaction-pass.ts";
import { planSettings } from "./plan/compaction-settings.ts";
import { tokenBudget } from "./plan/token-budget.ts";
import { type StopReason, Sweep, type SweepLimits } from "./sweep.ts";

export interface CompactInput extends Readonly<z.input<typeof compactInput>> {
  /** Writes the summaries, instead of the engine's model. */
  readonly complete?: Complete;
  /** Starts no further pass. The current one is finished; the report says `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  readonly onPass?: (pass: CompactionPass) => void;
}

export interface CompactReport {
  readonly conversation: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly itemsBefore: number;
  readonly itemsAfter: number;
  readonly passes: readonly CompactionPass[];
  readonly stopped: StopReason;
}

export async function compactConversation(
  input: CompactInput,
  given: CompactDependencies,
  trigger: CompactionTrigger = "manual",
  limits: Partial<SweepLimits> = {},
): Promise<CompactReport> {
  const before = await requireConversation(given.store, input.conversation);
  const use = asCalled(given, before.id, input);
  const chosen: SweepLimits = {
    plan: planSettings(use.settings, tokenBudget(input.budget, use.settings)),
    trigger,
    untilUnder: input.untilUnder ?? 0,
    deadline: input.deadlineMs === undefined ? Infinity : use.clock() + input.deadlineMs,
    maxDepth: Infinity,
    maxLeaves: Infinity,
    isHard: input.untilUnder !== undefined,
    signal: input.signal,
    onPass: input.onPass,
    ...limits,
  };
  const sweep = new Sweep(before, use, chosen);
  if (input.dryRun === true) return reportOf(before, before, await sweep.plan(), "dry run");
  const started = performance.now();
  const tell = (outcome: string) =>
    use.observe({
      type: "compaction-ended",
      conversation: before.id,
      trigger,
      outcome,
      milliseconds: performance.now() - started,
    });
  const stopped = await use.store
    .exclusively(before.id, async () => {
      await describeFirst(before.id, use, chosen);
      return sweep.run();
    })
    .catch((error: unknown) => {
      tell(isPalimpsestError(error) ? error.code : "internal");
      throw error;
    });
  tell(stopped);
  const after = await requireConversation(use.store, before.id);
  use.log.info(
    { conversation_id: before.id, trigger_reason: trigger, passes: sweep.passes.length, stopped },
    "compaction ended",
  );
  return reportOf(before, after, sweep.passes, stopped);
}

/** Applies the model and the instructions of this call. */
function asCalled(
  { complete, settings, ...use }: CompactDependencies,
  conversation: string,
  input: CompactInput,
): CompactDependencies {
  const { customInstructions } = settings;
  const told = [customInstructions, input.instructions ?? ""].filter((text) => text.trim() !== "");
  return {
    ...use,
    complete: use.calls.modelFor(conversation, complete, input.complete),
    settings: { ...settings, customInstructions: told.join("\n") },
  };
}

/** Skipped when a caller waits for room, because descriptions take some. */
async function describeFirst(
  conversation: string,
  { describeFiles }: CompactDependencies,
  { trigger, deadline, signal }: SweepLimits,
): Promise<void> {
  if (trigger === "overflow") return;
  const callSignal = trigger === "manual" ? undefined : signal;
  await describeFiles?.(conversation, { deadline, signal, callSignal });
}

function reportOf(
  before: StoredConversation,
  after: StoredConversation,
  passes: readonly CompactionPass[],
  stopped: StopReason,
): CompactReport {
  return {
    conversation: before.id,
    tokensBefore: before.contextTokens,
    tokensAfter: after.contextTokens,
    itemsBefore: before.contextItems,
    itemsAfter: after.contextItems,
    passes,
    stopped,
  };
}
