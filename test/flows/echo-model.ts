/** A model of the AI SDK that echoes, thinks a little, calls a tool when told to, and writes summaries. */
import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";

export type Call = MockLanguageModelV4["doGenerateCalls"][number];
type Streamed =
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer Part>
    ? Part
    : never;
type Content = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>["content"];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
export const lastText = ({ prompt }: Call) => {
  const content = prompt.at(-1)?.content ?? "";
  return typeof content === "string"
    ? content
    : content.map((part) => ("text" in part ? part.text : "")).join("");
};

/** What a provider does by itself: a search, and a picture. */
const SEARCHED: Content = [
  { type: "text", text: "Here." },
  { type: "file", mediaType: "image/png", data: { type: "data", data: "iVBORw0KGgo=" } },
  { type: "source", sourceType: "url", id: "s1", url: "https://tides.example", title: "Tides" },
  ...["fine", { hits: [1] }].flatMap((result, i): Content => {
    const call = { toolCallId: `search-${i}`, toolName: "web_search", providerExecuted: true };
    return [
      { type: "tool-call", ...call, input: `{"q":${i}}` },
      { type: "tool-result", ...call, result },
    ];
  }),
  { type: "text", text: "Done." },
];

/** Echoes; writes summaries of the material when it is asked for one; calls a tool where it is told to. */
function answerTo(call: Call, opening: string): Content {
  const said = lastText(call);
  if (said.includes("Write the summary now."))
    return [
      {
        type: "text",
        text: `They said: ${said
          .slice(said.indexOf("The material:"))
          .match(/Station \d+ reads \d+\./g)
          ?.slice(0, 8)
          .join(" ")}`,
      },
    ];
  if (said === "search and draw") return SEARCHED;
  if (said.startsWith("use "))
    return [
      { type: "text", text: "Let me look." },
      {
        type: "tool-call",
        toolCallId: `call-${said.slice(4)}`,
        toolName: "look",
        input: JSON.stringify({ at: said.slice(4) }),
      },
    ];
  return [
    { type: "reasoning", text: "Hm." },
    { type: "text", text: `${opening} to ${said.slice(0, 40)}` },
  ];
}

function halves(text: string): readonly string[] {
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)];
}

export function echoModel({ chunkDelayInMs = 1, opening = "Answer" } = {}): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: async (call) => {
      const content = answerTo(call, opening);
      const unified = content.some(({ type }) => type === "tool-call")
        ? ("tool-calls" as const)
        : ("stop" as const);
      return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
    },
    doStream: async (call) => {
      const content = answerTo(call, opening);
      const unified = content.some(({ type }) => type === "tool-call")
        ? ("tool-calls" as const)
        : ("stop" as const);
      const parts = content.flatMap((part, i): Streamed[] => {
        const id = `${i}`;
        if (part.type === "text")
          return [
            { type: "text-start", id },
            ...halves(part.text).map((delta) => ({ type: "text-delta" as const, id, delta })),
            { type: "text-end", id },
          ];
        if (part.type === "reasoning")
          return [
            { type: "reasoning-start", id },
            { type: "reasoning-delta", id, delta: part.text },
            { type: "reasoning-end", id },
          ];
        return [part];
      });
      const finish = { type: "finish" as const, finishReason: { unified, raw: undefined }, usage };
      return { stream: simulateReadableStream({ chunks: [...parts, finish], chunkDelayInMs }) };
    },
  });
}
