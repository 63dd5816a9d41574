/**
 * `wrapLanguageModel({ model, middleware: lossless({ conversation }) })`: the conversation is stored whole, each call gets
 * what fits into the window, and the model itself writes the summaries in the background. The application keeps sending
 * its messages as before; editing, regenerating and going back change what is shown, never what is stored.
 */
import { z } from "zod";
import { HostBridge, type HostBridgeOptions, type HostSession } from "../host/index.ts";
import type { HostEntry } from "../host/types.ts";
import { isLog, type Log, SILENT } from "../log.ts";
import type { Complete } from "../model/complete.ts";
import { estimateTokens } from "../text/estimate-tokens.ts";
import { parseGiven } from "../text/given.ts";
import { type Answer, AnswerReader, answerOf } from "./answer.ts";
import type { CallOptions, LanguageModel, Middleware, PromptMessage } from "./model-types.ts";

export interface LosslessOptions extends HostBridgeOptions {
  /** The conversation. Default: `providerOptions.palimpsest.conversation` of each call. */
  readonly conversation?: string;
  /** Tokens of the model's window, including the answer. Default: 128,000. */
  readonly window?: number;
  /** Adds memories that are relevant to the last question after it. Default true. */
  readonly recall?: boolean;
}

export type Lossless = Middleware & {
  /** Finishes background work and closes the store, unless something else in this process uses it. */
  close(): Promise<void>;
};

const LOSSLESS = z.strictObject({
  conversation: z.string().min(1).optional(),
  window: z.int().min(1_000).optional(),
  recall: z.boolean().optional(),
  store: z
    .custom(
      (value) => (typeof value === "string" ? value !== "" : isObject(value)),
      "must be a folder, an address or a store",
    )
    .optional(),
  config: z.custom(isObject, "must be an object of settings").optional(),
  background: z.enum(["auto", "manual", "off"]).optional(),
  log: z.custom(isLog, "must have the methods debug, info, warn and error").optional(),
});

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Storage failures are printed, so that an application notices them. */
const WARNINGS: Log = {
  ...SILENT,
  warn: ({ what, problem }: { readonly what?: string; readonly problem?: string }, message?: string) =>
    process.emitWarning(`${what}: ${problem}; ${message}`, "PalimpsestWarning"),
};

const DEFAULT_WINDOW = 128_000;
/** Reserved for the answer if the call sets no limit. */
const ANSWER_SHARE = 0.1;
/** Token estimates are not exact. */
const USABLE_SHARE = 0.95;
const LEAST_BUDGET = 500;

type Said = Exclude<PromptMessage, { role: "system" }>;

/** The view of a call, until its answer arrives. */
interface Call {
  readonly session: HostSession;
  readonly view: readonly HostEntry<Said>[];
}

export function lossless(given: LosslessOptions = {}): Lossless {
  parseGiven("lossless", LOSSLESS, given);
  const { conversation, window, recall = true, ...options } = given;
  const bridge = new HostBridge({
    log: options.config?.logLevel === "silent" ? SILENT : WARNINGS,
    ...options,
  });
  const calls = new WeakMap<CallOptions, Call>();
  const keep = async (params: CallOptions, answer: Answer) => {
    const call = calls.get(params);
    if (call === undefined || answer.content.length === 0) return;
    await bridge.answered<Said>(call.session, call.view, answer);
  };
  return {
    specificationVersion: "v4",
    close: async () => {
      await bridge.settle();
      await bridge.release();
    },
    transformParams: async ({ params, model }) => {
      const session = sessionOf(params, conversation);
      if (session === null) return params;
      const system = params.prompt.filter((message) => message.role === "system");
      const view = params.prompt.filter((message) => message.role !== "system").map(entryOf);
      const prompt = recall ? questionIn(view) : null;
      const context = await bridge.present<Said>(session, {
        view,
        budget: budgetFor(params, system, window ?? DEFAULT_WINDOW),
        model: completeWith(model),
        ...(prompt === null ? {} : { prompt }),
        summary: ({ text }) => ({ role: "user", content: [{ type: "text", text }] }),
        signal: params.abortSignal,
      });
      const recalled: Said[] =
        context.recalled === null
          ? []
          : [{ role: "user", content: [{ type: "text", text: context.recalled }] }];
      const messages = [...withAddition(system, context.addition), ...context.messages, ...recalled];
      const changed = { ...params, prompt: messages };
      calls.set(changed, { session, view });
      return changed;
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      await keep(params, answerOf(result.content));
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...result } = await doStream();
      const reader = new AnswerReader();
      const watched = stream.pipeThrough(
        new TransformStream({
          transform: (part, controller) => {
            reader.take(part);
            controller.enqueue(part);
          },
          flush: () => keep(params, reader.answer),
          // A caller that stops listening may still show what arrived until then.
          cancel: () => keep(params, reader.answer),
        }),
      );
      return { ...result, stream: watched };
    },
  };
}

function sessionOf(params: CallOptions, conversation: string | undefined): HostSession | null {
  const given = conversation ?? params.providerOptions?.palimpsest?.conversation;
  return typeof given === "string" && given !== "" ? { sessionId: given } : null;
}

function entryOf(message: Said): HostEntry<Said> {
  const id = message.providerOptions?.palimpsest?.id;
  return typeof id === "string" && id !== "" ? { message, key: id } : { message };
}

/** The last question; null within a loop of tools. */
function questionIn(view: readonly HostEntry<Said>[]): string | null {
  const last = view.at(-1)?.message;
  if (last?.role !== "user") return null;
  const text = last.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return text.trim() === "" ? null : text;
}

function budgetFor(
  { tools = [], maxOutputTokens }: CallOptions,
  system: readonly PromptMessage[],
  window: number,
): number {
  const answer = Math.min(maxOutputTokens ?? window * ANSWER_SHARE, window / 2);
  const fixed = estimateTokens(JSON.stringify(system)) + estimateTokens(JSON.stringify(tools));
  return Math.max(LEAST_BUDGET, Math.floor((window - answer) * USABLE_SHARE - fixed));
}

function withAddition(system: readonly PromptMessage[], addition: string | null): readonly PromptMessage[] {
  return addition === null ? system : [...system, { role: "system", content: addition }];
}

/** The wrapped model writes the summaries. */
const completes = new WeakMap<LanguageModel, Complete>();

function completeWith(model: LanguageModel): Complete {
  let complete = completes.get(model);
  if (complete === undefined) {
    complete = async ({ system, prompt, maxTokens, temperature, signal }) => {
      const result = await model.doGenerate({
        prompt: [
          { role: "system", content: system },
          { role: "user", content: [{ type: "text", text: prompt }] },
        ],
        maxOutputTokens: maxTokens,
        ...(temperature === undefined ? {} : { temperature }),
        ...(signal === undefined ? {} : { abortSignal: signal }),
      });
      const { unified } = result.finishReason;
      return {
        text: result.content.map((part) => (part.type === "text" ? part.text : "")).join(""),
        model: `${model.provider}/${model.modelId}`,
        finish: unified === "stop" || unified === "length" ? unified : "other",
        usage: {
          inputTokens: result.usage.inputTokens.total ?? null,
          outputTokens: result.usage.outputTokens.total ?? null,
          cost: null,
        },
      };
    };
    completes.set(model, complete);
  }
  return complete;
}
