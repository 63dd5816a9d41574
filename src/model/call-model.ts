/**
 * A `Complete` that makes one call to one model through the AI SDK: no retry, no time limit, no record; those
 * are decorators. Loads the SDK at the first call, not at creation.
 */
import type { generateText, LanguageModelMiddleware } from "ai";
import type { Clock } from "../types.ts";
import type { Complete, CompletionRequest, CompletionResult, CompletionUsage } from "./complete.ts";
import { type LoadedModel, loadLanguageModel } from "./load-language-model.ts";
import { type ModelAccess, refuseMissingKey } from "./model-access.ts";
import { modelFailure } from "./model-failure.ts";
import { stripReasoning } from "./strip-reasoning.ts";
import { cancelled, refuseCancelled } from "./wait.ts";

type Answer = Awaited<ReturnType<typeof generateText>>;

export function callModel(access: ModelAccess, options: { readonly clock: Clock }): Complete {
  const name = access.model.name;
  return async (request) => {
    refuseCancelled(request.signal);
    refuseMissingKey(access);
    try {
      return resultOf(await ask(access, request), name);
    } catch (error) {
      if (request.signal?.aborted === true) throw cancelled();
      throw modelFailure(error, { model: name, apiKey: access.apiKey, now: options.clock() });
    }
  };
}

async function ask(access: ModelAccess, request: CompletionRequest): Promise<Answer> {
  const { generateText, wrapLanguageModel } = await import("ai");
  const model: LoadedModel = await loadLanguageModel(access);
  return generateText({
    model: wrapLanguageModel({ model, middleware: WITHOUT_WARNINGS }),
    instructions: request.system,
    prompt: request.prompt,
    maxOutputTokens: request.maxTokens,
    maxRetries: 0,
    // A host's tracing of its own calls must not record conversations that pass through here.
    telemetry: { isEnabled: false },
    // OpenAI stores responses for a month by default.
    providerOptions: { openai: { store: false } },
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.signal === undefined ? {} : { abortSignal: request.signal }),
  });
}

/** The SDK prints warnings, such as for an unsupported temperature, which a library must not do. */
const WITHOUT_WARNINGS: LanguageModelMiddleware = {
  specificationVersion: "v4",
  wrapGenerate: async ({ doGenerate }) => ({ ...(await doGenerate()), warnings: [] }),
};

function resultOf(answer: Answer, model: string): CompletionResult {
  const { inputTokens, outputTokens, raw } = answer.usage;
  return {
    text: stripReasoning(answer.text),
    model,
    finish: finishOf(answer),
    usage: usageOf(inputTokens, outputTokens, raw?.cost),
  };
}

/** Finish reasons of local model servers that mean `stop`. */
const STOPS: ReadonlySet<string> = new Set(["eos", "eos_token", "stop_sequence"]);

/** A missing finish reason counts as a regular end. */
function finishOf({ finishReason, rawFinishReason }: Answer): CompletionResult["finish"] {
  if (finishReason === "stop" || finishReason === "length") return finishReason;
  const isUntold = finishReason === "other" && (rawFinishReason ?? "") === "";
  return isUntold || STOPS.has(rawFinishReason ?? "") ? "stop" : "other";
}

export function usageOf(
  inputTokens: number | undefined,
  outputTokens: number | undefined,
  cost: unknown,
): CompletionUsage {
  return {
    inputTokens: inputTokens ?? null,
    outputTokens: outputTokens ?? null,
    cost: typeof cost === "number" ? cost : null,
  };
}
