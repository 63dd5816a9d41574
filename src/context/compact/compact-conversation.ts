/**
 * Brings the context down. Plans purely, summarises outside any lock, publishes atomically: a summary goes in
 * only if its sources still stand in the context as planned, otherwise planning starts again. One compaction of
 * a conversation at a time, across processes; bounded by time and by passes that save nothing.
 */
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import type { StoredConversation } from "../../store/store.ts";
import type { ConversationRef } from "../../types.ts";
import { requireConversation } from "../read/read-messages.ts";
import type { CompactDependencies, CompactionTrigger } from "./compact-dependencies.ts";
import type { CompactionPass } from "./compaction-pass.ts";
import { planSettings } from "./plan/compaction-settings.ts";
import { tokenBudget } from "./plan/token-budget.ts";
import { type StopReason, Sweep, type SweepLimits } from "./sweep.ts";

export interface CompactInput {
  readonly conversation: ConversationRef;
  /** Tokens of the model's window: the fresh tail is measured by it. Default: `contextBudget`. */
  readonly budget?: number;
  /** Stop once the context has at most this many tokens. Default: compact whatever can be compacted. */
  readonly untilUnder?: number;
  /** Plan and say what would be done, without doing it. Default false. */
  readonly dryRun?: boolean;
  /** Milliseconds after which no further pass starts. Default: none. */
  readonly deadlineMs?: number;
  /** Starts no further pass. The running one is finished; the report says `cancelled`. */
  readonly signal?: AbortSignal;
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
  use: CompactDependencies,
  trigger: CompactionTrigger = "manual",
  limits: Partial<SweepLimits> = {},
): Promise<CompactReport> {
  requireTokens("untilUnder", input.untilUnder);
  requireTokens("deadlineMs", input.deadlineMs);
  const before = await requireConversation(use.store, input.conversation);
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

/** Not for somebody who waits because there is no room left: descriptions take some. */
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

function requireTokens(name: string, value: number | undefined): void {
  if (value !== undefined && (!Number.isSafeInteger(value) || value < 1))
    throw new PalimpsestError("invalid-input", `${name} must be a whole number from 1`);
}
