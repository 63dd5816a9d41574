/**
 * A model for real hosts, on a real port: chat completions, streamed as hosts want them. It does what the last message of
 * the user says (`CALL:<tool>:<json>` calls that tool once), and keeps every request for the tests to read.
 */
import { createServer, type ServerResponse } from "node:http";

interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  /** Of the whole body, as it came. */
  readonly bytes: number;
}

export interface ChatModel {
  readonly url: string;
  readonly requests: ChatRequest[];
  /** What happens to requests from now on. */
  mood: "answer" | "hang" | "overflow-once";
  /** What it answers when it is asked for a summary; null: words of the material. */
  summary: string | null;
  /** Resolves when the next request has come. */
  nextRequest(): Promise<ChatRequest>;
  close(): Promise<void>;
}

export async function startChatModel(): Promise<ChatModel> {
  const waiting: ((request: ChatRequest) => void)[] = [];
  const server = createServer((incoming, response) => {
    let text = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (piece: string) => {
      text += piece;
    });
    incoming.on("end", () => {
      const { messages = [], tools = [] } = JSON.parse(text || "{}");
      const request: ChatRequest = { messages, tools, bytes: Buffer.byteLength(text) };
      model.requests.push(request);
      for (const told of waiting.splice(0)) told(request);
      if (model.mood === "hang") return;
      if (model.mood === "overflow-once") {
        model.mood = "answer";
        refuse(response);
      } else {
        const isSummary = model.summary !== null && tools.length === 0;
        const answer = isSummary ? { text: model.summary ?? "" } : answerWith(tools, messages);
        stream(response, answer, Math.ceil(request.bytes / 4));
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const model: ChatModel = {
    url: `http://127.0.0.1:${port}/v1`,
    requests: [],
    mood: "answer",
    summary: null,
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return model;
}

export function textOfChat({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => String(part?.text ?? "")).join("") : "";
}

/** Whoever summarises or looks for a title offers no tools, and may quote what asks for a call. */
function answerWith(tools: ChatRequest["tools"], messages: readonly ChatMessage[]): Answer {
  const answer = answerTo(messages);
  return "text" in answer || tools.length > 0 ? answer : { text: "They talked and worked, and went on." };
}

export type Answer = { readonly text: string } | { readonly name: string; readonly input: string };

/** OpenClaw ends each request with a message of its own. */
const HOST_MADE = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>";

export function isHostMade(message: ChatMessage): boolean {
  return textOfChat(message).startsWith(HOST_MADE);
}

export function answerTo(messages: readonly ChatMessage[]): Answer {
  const last = messages.findLast((message) => !isHostMade(message));
  const said = last === undefined ? "" : textOfChat(last);
  if (last?.role === "tool") return { text: `The tool said: ${said.slice(0, 400)}` };
  const call = /CALL:([\w-]+):(\{.*?\})(?=\s|$)/s.exec(said);
  if (call?.[1] !== undefined && call[2] !== undefined) return { name: call[1], input: call[2] };
  if (said.includes("Write the summary now.")) return { text: summaryOf(said) };
  return { text: `Answer ${messages.length} to: ${said.slice(0, 120)}` };
}

/** Words of the material, so that it passes as a faithful summary of it. */
function summaryOf(prompt: string): string {
  const material = prompt.slice(prompt.indexOf("The material:"));
  const sentences = material.match(/[A-Z][^.\n<>]{20,160}\./g) ?? [];
  return (
    sentences
      .filter((_, i) => i % 8 === 0)
      .join(" ")
      .slice(0, 1_200) || "Nothing of note was said."
  );
}

function refuse(response: ServerResponse): void {
  response.writeHead(400, { "content-type": "application/json" });
  const message =
    "This model's maximum context length is 60000 tokens. However, your messages resulted in 70000 tokens.";
  response.end(
    JSON.stringify({ error: { message, type: "invalid_request_error", code: "context_length_exceeded" } }),
  );
}

let calls = 0;

function stream(response: ServerResponse, answer: Answer, tokens: number): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choices: readonly object[], more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "chat", object: "chat.completion.chunk", created: 1, model: "m", choices, ...more })}\n\n`,
    );
  const delta =
    "text" in answer
      ? { role: "assistant", content: answer.text }
      : {
          role: "assistant",
          tool_calls: [
            {
              index: 0,
              id: `call_${++calls}`,
              type: "function",
              function: { name: answer.name, arguments: answer.input },
            },
          ],
        };
  send([{ index: 0, delta, finish_reason: null }]);
  send([{ index: 0, delta: {}, finish_reason: "text" in answer ? "stop" : "tool_calls" }]);
  send([], { usage: { prompt_tokens: tokens, completion_tokens: 12, total_tokens: tokens + 12 } });
  response.end("data: [DONE]\n\n");
}
