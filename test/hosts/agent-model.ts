/**
 * A model for command-line agents, on a real port: the Messages API and the Responses API, streamed. It does what the last
 * words of the person say (`CALL:<tool>:<json>` calls that tool once), summarises without repeating anything, and keeps
 * every request for the tests to read.
 */
import { createServer, type ServerResponse } from "node:http";
import { type Answer, answerTo } from "./chat-model.ts";

export interface AgentRequest {
  readonly path: string;
  /** As it came. */
  readonly text: string;
  readonly tools: readonly string[];
  readonly isSummary: boolean;
}

export interface AgentModel {
  readonly url: string;
  readonly requests: AgentRequest[];
  mood: "answer" | "hang";
  /** How long each answer takes. */
  delayMs: number;
  nextRequest(): Promise<AgentRequest>;
  close(): Promise<void>;
}

interface Said {
  readonly role: string;
  readonly content: string;
}

/** What the hosts ask for when they compact. */
const SUMMARY = /CRITICAL: Respond with TEXT ONLY|CONTEXT CHECKPOINT COMPACTION/;
/** Nothing of what was said is in it. */
const SUMMARY_TEXT = "<summary>They talked and worked, and went on.</summary>";

export async function startAgentModel(): Promise<AgentModel> {
  const waiting: ((request: AgentRequest) => void)[] = [];
  const server = createServer((incoming, response) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    incoming.on("end", () => {
      const path = (incoming.url ?? "").split("?")[0] ?? "";
      const body = JSON.parse(text || "{}");
      const said = path.endsWith("/responses") ? saidInResponses(body) : saidInMessages(body);
      const isSummary = SUMMARY.test(lastWords(said));
      const request = { path, text, tools: namesOf(body.tools ?? []), isSummary };
      model.requests.push(request);
      for (const told of waiting.splice(0)) told(request);
      if (model.mood === "hang") return;
      const answer = isSummary ? { text: SUMMARY_TEXT } : answerTo(merged(said));
      const tokens = Math.ceil(text.length / 4);
      const send = () => {
        if (path.endsWith("/responses")) streamResponse(response, answer, tokens);
        else if (path.endsWith("/messages")) answerMessages(response, answer, tokens, body.stream === true);
        else response.writeHead(404).end("{}");
      };
      setTimeout(send, model.delayMs);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const model: AgentModel = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    mood: "answer",
    delayMs: 0,
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return model;
}

function namesOf(tools: readonly { name?: string; tools?: readonly { name: string }[] }[]): string[] {
  return tools.flatMap(({ name = "", tools: inner }) =>
    inner === undefined ? [name] : inner.map((tool) => `${name}/${tool.name}`),
  );
}

function saidInMessages({ messages = [] }: { messages?: { role: string; content: unknown }[] }): Said[] {
  return messages
    .filter(({ role }) => role !== "system")
    .map(({ role, content }) => {
      const blocks: { type?: string; text?: string; content?: unknown }[] = Array.isArray(content)
        ? content
        : [{ type: "text", text: String(content) }];
      const result = blocks.find(({ type }) => type === "tool_result");
      if (result !== undefined) return { role: "tool", content: textIn(result.content) };
      return { role, content: blocks.map(({ text = "" }) => text).join("\n") };
    });
}

function saidInResponses({ input = [] }: { input?: Record<string, unknown>[] }): Said[] {
  return input
    .filter(({ role, type }) => role !== "developer" && type !== "reasoning" && type !== "additional_tools")
    .map(({ type, role, content, output }) =>
      String(type).endsWith("_output")
        ? { role: "tool", content: textIn(output) }
        : { role: String(role ?? "assistant"), content: textIn(content) },
    );
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => String(part?.text ?? "")).join("\n");
}

function lastWords(said: readonly Said[]): string {
  return merged(said).at(-1)?.content ?? "";
}

/** Hosts send words of a person and words beside them one after the other. */
function merged(said: readonly Said[]): Said[] {
  const last = said.at(-1);
  if (last === undefined || last.role !== "user") return [...said];
  const from = said.findLastIndex(({ role }) => role !== "user") + 1;
  const content = said.slice(from).map((one) => one.content);
  return [...said.slice(0, from), { role: "user", content: content.join("\n") }];
}

let ids = 0;

function answerMessages(response: ServerResponse, answer: Answer, tokens: number, isStream: boolean): void {
  const block =
    "text" in answer
      ? { type: "text", text: answer.text }
      : {
          type: "tool_use",
          id: `toolu_${++ids}x${tokens}`,
          name: answer.name,
          input: JSON.parse(answer.input),
        };
  const usage = { input_tokens: tokens, output_tokens: 12 };
  const stop_reason = "text" in answer ? "end_turn" : "tool_use";
  const message = {
    id: `msg_${++ids}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    stop_sequence: null,
  };
  if (!isStream) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...message, content: [block], stop_reason, usage }));
    return;
  }
  const delta =
    "text" in answer
      ? { type: "text_delta", text: answer.text }
      : { type: "input_json_delta", partial_json: answer.input };
  const empty = "text" in answer ? { type: "text", text: "" } : { ...block, input: {} };
  sendEvents(response, [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
    { type: "content_block_start", index: 0, content_block: empty },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 12 } },
    { type: "message_stop" },
  ]);
}

function streamResponse(response: ServerResponse, answer: Answer, tokens: number): void {
  const id = `resp_${++ids}`;
  const item = "text" in answer ? textItem(answer.text) : callItem(answer);
  const usage = {
    input_tokens: tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 12,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens + 12,
  };
  const whole = { id, object: "response", status: "completed", model: "scripted", output: [item], usage };
  sendEvents(response, [
    { type: "response.created", response: { ...whole, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: whole },
  ]);
}

function textItem(text: string) {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: `msg_${++ids}`, role: "assistant", status: "completed", content };
}

function callItem({ name, input }: { readonly name: string; readonly input: string }) {
  const [space, inner] = name.split("__SLASH__");
  const named = inner === undefined ? { name } : { namespace: space, name: inner };
  const call = { type: "function_call", id: `fc_${++ids}`, call_id: `call_${++ids}` };
  return { ...call, ...named, arguments: input, status: "completed" };
}

function sendEvents(
  response: ServerResponse,
  events: readonly ({ readonly type: string } & Record<string, unknown>)[],
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}
