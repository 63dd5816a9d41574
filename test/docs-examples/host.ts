/** What the examples of the documentation take from their host: a model, an agent, a client of a provider. */
import { MockLanguageModelV4 } from "ai/test";
import type { AgentRequest, Complete, CompletionRequest, RankByMeaning } from "../../src/index.ts";

export const store = "./memory";
export const conversation = "run-7";
export const prompt = "Which port did we choose?";
export const mySystemPrompt = "You are a careful engineer.";

const usage = { inputTokens: null, outputTokens: null, cost: null };

export const complete: Complete = async () => ({
  text: "A summary.",
  model: "my-host/model",
  finish: "stop",
  usage,
});

interface Stoppable {
  readonly signal: AbortSignal | undefined;
}

export async function myModel({ prompt }: Omit<CompletionRequest, "purpose" | "signal"> & Stoppable) {
  return { text: `About ${prompt.length} characters.`, wasCut: false };
}

export async function myAgent(_request: Omit<AgentRequest, "purpose" | "signal"> & Stoppable) {
  return { text: "We chose 8443.", steps: 1, usage };
}

export const chat = async ({ messages }: { system: string; messages: readonly unknown[] }) =>
  `Answer from ${messages.length} messages.`;

export const nearest = async (_text: string, _limit: number): ReturnType<RankByMeaning> => [];

export const anthropic = {
  messages: { create: async (request: { system: string; messages: readonly unknown[] }) => request },
};

export const model = new MockLanguageModelV4({
  doGenerate: {
    content: [{ type: "text", text: "We chose 8443." }],
    finishReason: { unified: "stop", raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  },
});
