/** Stands in for a model, so that the examples run offline: each answer is what a function makes of the last message. */
import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";

type Call = MockLanguageModelV4["doGenerateCalls"][number];
type Content = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>["content"];

export type Answer = string | { readonly tool: string; readonly input: object };

export interface Asked {
  /** Text of the last message. */
  readonly text: string;
  /** The tool whose result the last message is, if it is one. */
  readonly tool: string | null;
}

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

export function scriptedLanguageModel(answer: (asked: Asked) => Answer): MockLanguageModelV4 {
  let calls = 0;
  return new MockLanguageModelV4({
    doStream: async (call) => {
      const id = "text";
      const given = answer(askedIn(call));
      const delta = typeof given === "string" ? given : JSON.stringify(given);
      const finish = { type: "finish" as const, finishReason: { unified: "stop" as const, raw: undefined } };
      const chunks = [
        { type: "text-start" as const, id },
        { type: "text-delta" as const, id, delta },
        { type: "text-end" as const, id },
        { ...finish, usage: USAGE },
      ];
      return { stream: simulateReadableStream({ chunks }) };
    },
    doGenerate: async (call) => {
      const given = answer(askedIn(call));
      const content: Content =
        typeof given === "string"
          ? [{ type: "text", text: given }]
          : [
              {
                type: "tool-call",
                toolCallId: `call-${++calls}`,
                toolName: given.tool,
                input: JSON.stringify(given.input),
              },
            ];
      const unified = typeof given === "string" ? ("stop" as const) : ("tool-calls" as const);
      return { content, finishReason: { unified, raw: undefined }, usage: USAGE, warnings: [] };
    },
  });
}

function askedIn({ prompt }: Call): Asked {
  const content = prompt.at(-1)?.content ?? "";
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const [first] = parts;
  if (first?.type === "tool-result" && first.output.type === "text")
    return { text: first.output.value, tool: first.toolName };
  return { text: parts.map((part) => (part.type === "text" ? part.text : "")).join("\n"), tool: null };
}

/** A summary in the words of what is to be summarised: the first sentence of each paragraph. */
export function scriptedSummary(prompt: string): string | null {
  if (!prompt.includes("Write the summary now.")) return null;
  const sentences = prompt.slice(prompt.indexOf("The material:")).match(/^[A-Z][^.\n<>]{20,160}\./gm) ?? [];
  return [...new Set(sentences)].slice(0, 12).join(" ") || "They exchanged a few words.";
}
