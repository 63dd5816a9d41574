import { z } from "zod";
import type { CompactReport } from "../context/compact/compact-conversation.ts";
import type { CompactionPass } from "../context/compact/compaction-pass.ts";
import { planSettings } from "../context/compact/plan/compaction-settings.ts";
import { sizeOf } from "../context/compact/plan/evaluate.ts";
import { readShape } from "../context/compact/plan/read-shape.ts";
import { tokenBudget } from "../context/compact/plan/token-budget.ts";
import { whyNothing } from "../context/compact/plan/why-nothing.ts";
import { compactInput } from "../context/inputs.ts";
import { type Engine, internalsOf } from "../engine.ts";
import { PalimpsestError } from "../errors.ts";
import { count, counted } from "../text/counted.ts";
import { SUMMARY_QUALITIES } from "../types.ts";
import type { Outcome } from "./command.ts";
import { renderPlan, renderReport } from "./compact-page.ts";
import { outOfCalls, sizeWithOverhead, targetMissed, unusedModel } from "./compact-warnings.ts";
import { conversationName } from "./conversations/conversation-schema.ts";
import { defineOperation } from "./operation.ts";

const number = z.int();

const passSchema = z.strictObject({
  kind: z
    .enum(["leaf", "condensed"])
    .describe("leaf: a summary of messages. condensed: a summary of summaries."),
  depth: number.describe("Depth of the summary: 0 for a leaf."),
  sources: number.describe("Number of messages or summaries that were summarised."),
  sourceTokens: number.describe("Their tokens."),
  summary: z.string().nullable().describe("The new summary; null in a plan."),
  tokens: number.nullable().describe("Its tokens; null in a plan."),
  quality: z.enum(SUMMARY_QUALITIES).nullable().describe("How it was written; null in a plan."),
  model: z.string().nullable().describe("Model that wrote it; null if it was written offline."),
  fidelity: z
    .number()
    .nullable()
    .describe("Weighted share of the source's anchors that the summary contains, 0 to 1."),
  attempts: z.array(z.string()).readonly().describe("Result of each attempt, in order."),
  failure: z
    .string()
    .nullable()
    .describe("Error of the last call without an answer; null if all were answered."),
  calls: number.describe("Number of model calls, including failed ones."),
  cost: z.number().nullable().describe("Cost of these calls in US dollars; null if no provider reports it."),
  milliseconds: z.number().describe("Duration of the pass."),
  contextTokensBefore: number.describe("Tokens of the whole context before the pass."),
  contextTokensAfter: number
    .nullable()
    .describe("Tokens of the whole context after the pass; null in a plan."),
}) satisfies z.ZodType<CompactionPass>;

const inputSchema = compactInput.omit({ deadlineMs: true }).extend({ conversation: conversationName });

export interface CompactStep {
  /** Counts up from 1. */
  readonly number: number;
  readonly pass: CompactionPass;
}

export type CompactedReport = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  conversation: z.string().describe("Id of the conversation."),
  tokensBefore: number.describe("Tokens of the context before the compaction."),
  tokensAfter: number.describe("Tokens of the context afterwards."),
  itemsBefore: number.describe("Items (messages and summaries) of the context before the compaction."),
  itemsAfter: number.describe("Items of the context after the compaction."),
  passes: z.array(passSchema).readonly().describe("The passes, in order; with dryRun only the first round."),
  stopped: z
    .enum([
      "nothing left to compact",
      "target reached",
      "out of time",
      "out of model calls",
      "the context kept changing",
      "cancelled",
      "dry run",
    ])
    .describe("Why the compaction ended."),
  targetReached: z
    .boolean()
    .nullable()
    .describe("Whether the context has at most untilUnder tokens; null without untilUnder, and in a plan."),
  models: z.array(z.string()).describe("Models that wrote a summary."),
  calls: number.describe("Number of model calls, including failed ones."),
  cost: z.number().nullable().describe("Cost of these calls in US dollars; null if no provider reports it."),
  explanation: z.string().nullable().describe("Why nothing was compacted; null if something was."),
  warnings: z
    .array(z.string())
    .describe("Problems: a model that was not used, a call limit or a target that was not reached."),
});

export const compact = defineOperation<z.infer<typeof inputSchema>, CompactedReport, CompactStep>({
  name: "compact",
  summary:
    "Summarise the older part of a conversation's context. Nothing is lost: every summary expands to its messages.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["conversation"],
    flags: { budget: { value: "tokens" }, untilUnder: { value: "tokens" } },
    outcome: outcomeOf,
    text: (output, view) => {
      if (view.input.dryRun === true) return renderPlan(output, view.look, view.again({ dryRun: undefined }));
      const report = renderReport(output, view.milliseconds, view.look);
      const isDone = output.stopped !== "cancelled" && output.passes.length > 0;
      return isDone ? `${report}\n\nnext: ${view.suggest(`context ${output.conversation}`)}` : report;
    },
    stopped: (error, { again }, last) =>
      withWhatStays(error, last?.number ?? 0, again({ dryRun: undefined })),
  },
  run: async (engine, input, use) => {
    let passes = 0;
    const { signal, onProgress } = use;
    const report = await engine.context.compact({
      ...input,
      signal,
      onPass: (pass) => onProgress?.({ number: ++passes, pass }),
    });
    const explanation = report.passes.length === 0 ? await explain(engine, input, report) : null;
    return {
      ...report,
      ...totalsOf(report),
      targetReached: isReached(input, report),
      explanation,
      warnings: await warningsFor(engine, input, report),
    };
  },
});

function isReached(
  { untilUnder, dryRun }: z.infer<typeof inputSchema>,
  { tokensAfter: contextTokens, itemsAfter: contextItems }: CompactReport,
): boolean | null {
  if (untilUnder === undefined || dryRun === true) return null;
  return sizeOf({ contextTokens, contextItems }) <= untilUnder;
}

function totalsOf({ passes }: CompactReport) {
  const costs = passes.flatMap(({ cost }) => cost ?? []);
  return {
    models: [...new Set(passes.flatMap(({ model }) => model ?? []))],
    calls: passes.reduce((sum, { calls }) => sum + calls, 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}

async function explain(
  { store, config }: Engine,
  { budget, untilUnder }: z.infer<typeof inputSchema>,
  { conversation, tokensBefore, itemsBefore, stopped }: CompactReport,
): Promise<string> {
  if (stopped === "cancelled") return "Compaction was stopped before the first pass.";
  if (stopped === "out of model calls") return "The model call limit is reached for now.";
  const size = sizeOf({ contextTokens: tokensBefore, contextItems: itemsBefore });
  if (untilUnder !== undefined && size <= untilUnder)
    return `The context (${sizeWithOverhead(size)}) is already within the target of ${count(untilUnder)}.`;
  const items = await shapeOf({ store, config }, conversation);
  return whyNothing(items, planSettings(config, tokenBudget(budget, config)));
}

function shapeOf({ store, config }: Pick<Engine, "store" | "config">, conversation: string) {
  return readShape(store.scoped({ tenant: config.tenant, agent: config.agent }), conversation);
}

async function warningsFor(
  engine: Engine,
  input: z.infer<typeof inputSchema>,
  report: CompactReport,
): Promise<string[]> {
  const { budget, untilUnder, dryRun } = input;
  if (dryRun === true) return [];
  const { config } = engine;
  const warnings = [unusedModel(report.passes), ignoredInstructions(engine, input)].filter(
    (warning) => warning !== null,
  );
  if (report.stopped === "out of model calls") warnings.push(outOfCalls(config));
  if (untilUnder === undefined || isReached(input, report) !== false) return warnings;
  const items = await shapeOf(engine, report.conversation);
  const settings = planSettings(config, tokenBudget(budget, config));
  return [...warnings, targetMissed({ report, untilUnder, items, settings })];
}

function ignoredInstructions(engine: Engine, { instructions }: z.infer<typeof inputSchema>): string | null {
  if (instructions === undefined || internalsOf(engine).complete !== null) return null;
  return "The instructions had no effect: only a model follows them, and none is configured. Set one with: lcm config set summaryModel <provider/model>";
}

/** A run that ended early is distinguished from a complete one, also by its exit code. */
function outcomeOf({ stopped, targetReached }: CompactedReport): Outcome | undefined {
  if (stopped === "cancelled") return "cancelled";
  if (stopped === "out of model calls") return "model-limit";
  if (stopped === "the context kept changing") return "busy";
  return targetReached === false ? "target-missed" : undefined;
}

/** After a failure in the middle, completed passes are kept. */
function withWhatStays(error: PalimpsestError, done: number, command: string): PalimpsestError {
  if (done === 0) return error;
  const kept = `${counted(done, "summary", "summaries")} made before the error ${done === 1 ? "is" : "are"} kept. Resume with: ${command}`;
  return new PalimpsestError(error.code, error.message, {
    advice: error.advice === undefined ? kept : `${error.advice}\n${kept}`,
    cause: error,
  });
}
