/**
 * The extension for the pi coding agent. pi writes every message to its session file before it calls the model, so
 * messages are imported from there, with pi's own entry ids and branches. Before each model call pi's messages are
 * replaced by the assembled context. Palimpsest also compacts, and its tools read messages that have left the context.
 */
import { existsSync } from "node:fs";
import { z } from "zod";
import { HostBridge } from "../../src/host/index.ts";
import type { Complete } from "../../src/model/complete.ts";
import { MODEL_TOOLS, type ModelTool } from "../../src/operations/index.ts";
import { estimateTokens } from "../../src/text/estimate-tokens.ts";
import type { Pi, PiContext, PiMessage, PiTool } from "./types.ts";

/** The share of free tokens that is used, since estimates are not exact. */
const USABLE_SHARE = 0.95;
/** pi compacts by itself when fewer tokens than these are free, unless its settings say otherwise. */
const PI_RESERVE = 16_384;
/** The minimum budget for messages, even with a long system prompt. */
const LEAST_BUDGET = 1_000;
const DEFAULT_WINDOW = 128_000;

export default function palimpsest(pi: Pi): void {
  const bridge = new HostBridge();
  for (const tool of MODEL_TOOLS) pi.registerTool(toolFor(tool, bridge));

  /** Returns whether the session is stored. A session without a file is not stored. */
  const capture = async ({ sessionManager }: PiContext, isRunning = true): Promise<boolean> => {
    const file = sessionManager.getSessionFile();
    if (file === undefined || !existsSync(file)) return false;
    return (await bridge.catchUp(file, { isRunning })) !== null;
  };
  const captureOnly = async (_: unknown, context: PiContext) => {
    await capture(context);
  };

  pi.on("session_start", captureOnly);
  pi.on("turn_end", captureOnly);
  pi.on("agent_end", captureOnly);

  pi.on("context", async ({ messages: own }, context) => {
    if (!(await capture(context))) return undefined;
    const { from, messages } = await bridge.assemble(sessionOf(context), {
      budget: budgetFor(pi, context),
      own,
      summary: ({ text, at }): PiMessage => ({ role: "user", content: text, timestamp: Date.parse(at) }),
      ...modelOf(context),
      signal: context.signal,
    });
    return from === "host" ? undefined : { messages };
  });

  pi.on("session_before_compact", async ({ preparation, customInstructions, signal }, context) => {
    if (!(await capture(context))) return undefined;
    const done = await bridge.compact(sessionOf(context), {
      budget: budgetFor(pi, context),
      ...(customInstructions === undefined ? {} : { instructions: customInstructions }),
      ...modelOf(context),
      signal,
    });
    // pi keeps the summary in its file: without this extension the session continues from there.
    if (done?.summary == null) return undefined;
    const { firstKeptEntryId, tokensBefore } = preparation;
    return {
      compaction: { summary: done.summary, firstKeptEntryId, tokensBefore, details: { by: "palimpsest" } },
    };
  });

  pi.on("session_shutdown", async (_, context) => {
    // Compares the whole file, in case existing lines were edited.
    await capture(context, false);
    await bridge.settle();
    await bridge.release();
  });
}

function sessionOf({ sessionManager }: PiContext) {
  return { sessionId: sessionManager.getSessionId() };
}

/** The tokens of the window that are left for messages. */
function budgetFor(pi: Pi, context: PiContext): number {
  const { contextWindow = DEFAULT_WINDOW, maxTokens = 0 } = context.model ?? {};
  const answer = Math.min(Math.max(maxTokens, PI_RESERVE), contextWindow / 2);
  const tools = estimateTokens(JSON.stringify(pi.getAllTools?.() ?? []));
  const fixed = estimateTokens(context.getSystemPrompt()) + tools;
  return Math.max(LEAST_BUDGET, Math.floor((contextWindow - answer) * USABLE_SHARE - fixed));
}

/** The session's own model writes the summaries, if pi provides it. */
function modelOf({ model, modelRegistry }: PiContext): { readonly model?: Complete } {
  const ask = modelRegistry.complete?.bind(modelRegistry);
  if (model === undefined || ask === undefined) return {};
  return {
    model: async ({ system, prompt, maxTokens, signal }) => {
      const message: PiMessage = { role: "user", content: [{ type: "text", text: prompt }], timestamp: 0 };
      const answer = await ask(
        model,
        { systemPrompt: system, messages: [message] },
        { maxTokens, ...(signal === undefined ? {} : { signal }) },
      );
      if (answer.stopReason === "error" || answer.stopReason === "aborted")
        throw new Error(answer.errorMessage ?? `the model stopped: ${answer.stopReason}`);
      return {
        text: answer.content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join(""),
        model: `${model.provider}/${model.id}`,
        finish: answer.stopReason === "length" ? "length" : "stop",
        usage: {
          inputTokens: answer.usage?.input ?? null,
          outputTokens: answer.usage?.output ?? null,
          cost: answer.usage?.cost?.total ?? null,
        },
      };
    },
  };
}

function toolFor({ name, shownTo, call }: ModelTool, bridge: HostBridge): PiTool {
  const { description, input } = shownTo({ searchesByMeaning: false });
  return {
    name,
    label: name,
    description,
    promptSnippet: description.split(/(?<=\.)\s/)[0] ?? description,
    parameters: z.toJSONSchema(input, { io: "input" }),
    // pi passes errors to the model as the tool's error.
    execute: async (_, given, signal) => {
      const text = await call(await bridge.engine(), given, signal === undefined ? {} : { signal });
      return { content: [{ type: "text", text }], details: {} };
    },
  };
}
