/**
 * A `RunAgent` on one model through the AI SDK's tool loop. Each call of the loop goes through `guard` by itself, so
 * that each single call is timed, retried, counted and recorded, and not the whole run.
 */
import type { generateText, LanguageModelMiddleware, ToolSet } from "ai";
import type { Clock } from "../types.ts";
import type { AgentRequest, AgentResult, RunAgent } from "./agent.ts";
import type { Answered, Asked, Call } from "./call.ts";
import { usageOf } from "./call-model.ts";
import type { CompletionUsage } from "./complete.ts";
import { loadLanguageModel } from "./load-language-model.ts";
import { type ModelAccess, refuseMissingKey } from "./model-access.ts";
import { modelFailure } from "./model-failure.ts";
import { stripReasoning } from "./strip-reasoning.ts";
import { cancelled, refuseCancelled } from "./wait.ts";

type WrapGenerate = NonNullable<LanguageModelMiddleware["wrapGenerate"]>;
type Generated = Awaited<ReturnType<WrapGenerate>>;
type Answer = Awaited<ReturnType<typeof generateText>>;

/** One call of the loop. */
interface StepRequest extends Asked {
  readonly generate: (signal: AbortSignal | undefined) => PromiseLike<Generated>;
}

interface StepResult extends Answered {
  readonly generated: Generated;
}

interface AgentCallOptions {
  readonly clock: Clock;
  readonly guard: (step: Call<StepRequest, StepResult>) => Call<StepRequest, StepResult>;
}

export function callAgent(access: ModelAccess, { clock, guard }: AgentCallOptions): RunAgent {
  const { name } = access.model;
  const failure = (error: unknown) =>
    modelFailure(error, { model: name, apiKey: access.apiKey, now: clock() });
  const step = guard(async ({ generate, signal }) => {
    refuseMissingKey(access);
    try {
      return toStep(await generate(signal));
    } catch (error) {
      throw signal?.aborted === true ? cancelled() : failure(error);
    }
  });
  return async (request) => {
    refuseCancelled(request.signal);
    try {
      return resultOf(await run(access, request, step), name);
    } catch (error) {
      throw request.signal?.aborted === true ? cancelled() : failure(error);
    }
  };
}

async function run(
  access: ModelAccess,
  request: AgentRequest,
  step: Call<StepRequest, StepResult>,
): Promise<Answer> {
  const { generateText, isStepCount, wrapLanguageModel } = await import("ai");
  const { maxSteps, mayCallTools, purpose } = request;
  const wrapGenerate: WrapGenerate = async ({ model, params }) => {
    const generate: StepRequest["generate"] = (signal) =>
      model.doGenerate(signal === undefined ? params : { ...params, abortSignal: signal });
    const signal = params.abortSignal === undefined ? {} : { signal: params.abortSignal };
    const { generated } = await step({ purpose, generate, ...signal });
    const answer = params.toolChoice?.type === "none" ? withoutCalls(generated) : generated;
    // The SDK prints warnings, which a library must not do.
    return { ...answer, warnings: [] };
  };
  const middleware = { specificationVersion: "v4", wrapGenerate } as const;
  return generateText({
    model: wrapLanguageModel({ model: await loadLanguageModel(access), middleware }),
    instructions: request.system,
    prompt: request.prompt,
    tools: await toolsOf(request),
    // The remaining token budget of a tool depends on the previous one.
    toolCallConcurrency: 1,
    stopWhen: isStepCount(maxSteps),
    prepareStep: ({ stepNumber }) =>
      stepNumber >= maxSteps - 1 || !mayCallTools() ? { toolChoice: "none" } : {},
    maxOutputTokens: request.maxTokens,
    maxRetries: 0,
    telemetry: { isEnabled: false },
    providerOptions: { openai: { store: false } },
    ...(request.signal === undefined ? {} : { abortSignal: request.signal }),
  });
}

async function toolsOf({ tools }: AgentRequest): Promise<ToolSet> {
  const { jsonSchema, tool } = await import("ai");
  return Object.fromEntries(
    tools.map(({ name, description, input, run }) => [
      name,
      tool({ description, inputSchema: jsonSchema<unknown>(input), execute: run }),
    ]),
  );
}

/** A forbidden tool call counts as an empty answer; the SDK would throw an error. */
function withoutCalls(generated: Generated): Generated {
  const content = generated.content.filter(({ type }) => type !== "tool-call");
  if (content.length === generated.content.length) return generated;
  return { ...generated, content, finishReason: { unified: "stop", raw: generated.finishReason.raw } };
}

function toStep(generated: Generated): StepResult {
  const { finishReason, usage } = generated;
  return {
    generated,
    finish: finishOf(finishReason.unified),
    usage: usageOf(usage.inputTokens.total, usage.outputTokens.total, usage.raw?.cost),
  };
}

function resultOf(answer: Answer, model: string): AgentResult {
  return {
    text: stripReasoning(answer.text),
    model,
    finish: finishOf(answer.finishReason),
    usage: totalOf(answer.steps),
    steps: answer.steps.length,
  };
}

/** Unknown if any call does not report it. */
function totalOf(steps: Answer["steps"]): CompletionUsage {
  const used = steps.map(({ usage }) => usageOf(usage.inputTokens, usage.outputTokens, usage.raw?.cost));
  const sum = (field: keyof CompletionUsage) =>
    used.reduce<number | null>((total, { [field]: value }) => {
      return total === null || value === null ? null : total + value;
    }, 0);
  return { inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens"), cost: sum("cost") };
}

/** A tool call is a regular end of a step. */
function finishOf(reason: string): Answered["finish"] {
  if (reason === "tool-calls") return "stop";
  return reason === "stop" || reason === "length" ? reason : "other";
}
