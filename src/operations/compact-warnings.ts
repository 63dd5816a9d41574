/** Warnings about a completed compaction, each with what to do. Pure. */
import type { CompactReport } from "../context/compact/compact-conversation.ts";
import type { CompactionPass } from "../context/compact/compaction-pass.ts";
import { ITEM_OVERHEAD, sizeOf } from "../context/compact/plan/evaluate.ts";
import { freshTailStart } from "../context/compact/plan/fresh-tail.ts";
import type { PlanSettings } from "../context/compact/plan/plan-compaction.ts";
import type { ShapeItem } from "../store/store.ts";
import { count, counted } from "../text/counted.ts";

/** Names of attempts in the report, with their description. */
const REASONS: Readonly<Record<string, string>> = {
  echo: "a copy of the source",
  "no-shorter": "not shorter than the source",
  "too-long": "too long",
  "cut-off": "cut off",
  "broken-off": "stopped by a filter or an error",
  unfaithful: "not faithful to the source",
  "keeps-nothing": "contains nothing of the source",
  "model-unavailable": "the model was unavailable",
  "model-limit": "call limit reached",
};

/** Methods for short runs, which do not call a model. */
const UNASKED: ReadonlySet<string> = new Set(["shortened", "verbatim"]);
const MODEL_ATTEMPT = /^(?:normal|aggressive): (.+)$/;

/** How often and why a model was called but its text was not used; null if never. */
export function unusedModel(passes: readonly CompactionPass[]): string | null {
  const written = passes.filter(({ attempts }) => !attempts.some((attempt) => UNASKED.has(attempt)));
  const unused = written.filter(({ model }) => model === null);
  if (unused.length === 0 || !written.some(({ attempts }) => reasonsIn(attempts).length > 0)) return null;
  const numbers = new Map<string, number>();
  for (const { attempts } of unused) {
    const reasons = reasonsIn(attempts);
    for (const reason of reasons.length === 0 ? ["not asked again"] : reasons)
      numbers.set(reason, (numbers.get(reason) ?? 0) + 1);
  }
  const why = [...numbers].map(([reason, number]) => `${reason} (${count(number)})`).join(", ");
  const failure = passes.findLast((pass) => pass.failure !== null)?.failure ?? null;
  const last = failure === null ? "" : ` The last failure: ${failure.replace(/\.$/, "")}.`;
  return `The model's answers were not used for ${count(unused.length)} of ${counted(written.length, "summary", "summaries")}: ${why}.${last} The offline summariser wrote them instead. Check summaryModel; \`logLevel\` info logs each call, and docs/guide/models.md explains the causes.`;
}

function reasonsIn(attempts: readonly string[]): string[] {
  return attempts.flatMap((attempt) => {
    const reason = MODEL_ATTEMPT.exec(attempt)?.[1];
    return reason === undefined || reason === "ok" ? [] : [REASONS[reason] ?? reason];
  });
}

interface CallLimits {
  readonly summaryMaxCallsPerWindow: number;
  readonly summaryCallWindowMs: number;
}

export function outOfCalls({ summaryMaxCallsPerWindow: most, summaryCallWindowMs: window }: CallLimits) {
  const limit = `summaryMaxCallsPerWindow allows ${counted(most, "call")} within summaryCallWindowMs (${count(window / 1000)} seconds)`;
  return `Compaction is not finished: ${limit}, and all of them are used. Summaries made so far are kept. Run the same command again later, or unset summaryModel to finish now with the offline summariser.`;
}

interface Missed {
  readonly report: CompactReport;
  readonly untilUnder: number;
  /** The context items afterwards. */
  readonly items: readonly ShapeItem[];
  readonly settings: PlanSettings;
}

/** Items cost more than their text. */
export function sizeWithOverhead(size: number): string {
  return `${counted(size, "token")}, including ${count(ITEM_OVERHEAD)} of overhead per item`;
}

/** Warns that a target was not reached, with the cause. */
export function targetMissed({ report, untilUnder, items, settings }: Missed): string {
  const { tokensAfter: contextTokens, itemsAfter: contextItems, stopped } = report;
  const size = sizeOf({ contextTokens, contextItems });
  const missed = `The target of ${counted(untilUnder, "token")} was not reached: the context has ${sizeWithOverhead(size)}.`;
  if (stopped !== "nothing left to compact") return missed;
  return `${missed} What remains: ${whatIsLeft(items, settings).join("; ")}.`;
}

function whatIsLeft(items: readonly ShapeItem[], settings: PlanSettings): string[] {
  const tail = freshTailStart(items, settings);
  const newestUser = items.findLastIndex((item) => item.type === "message" && item.role === "user");
  const kinds = new Map<string, { items: number; tokens: number }>();
  items.forEach((item, index) => {
    const kind = kindOf(item, index >= tail, index === newestUser);
    const sum = kinds.get(kind) ?? { items: 0, tokens: 0 };
    kinds.set(kind, { items: sum.items + 1, tokens: sum.tokens + item.tokenCount });
  });
  return [...kinds].map(
    ([kind, sum]) => `${kind} (${counted(sum.items, "item")}, ${counted(sum.tokens, "token")})`,
  );
}

function kindOf(item: ShapeItem, isFresh: boolean, isNewestUser: boolean): string {
  if (item.type === "summary") return "summaries that cannot be shortened";
  if (isFresh) return "the fresh tail, which is never summarised (freshTailCount, freshTailMaxTokens)";
  if (item.role === "system") return "system messages";
  return isNewestUser ? "the newest user message" : "messages too short or too few to summarise";
}
