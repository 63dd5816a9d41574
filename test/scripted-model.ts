/**
 * A language model that says what a script tells it to, on a real port of this machine. It speaks Anthropic
 * Messages, OpenAI Responses and chat completions (so OpenRouter and Ollama too) and Google generateContent,
 * whatever the path in front, and fails in all the ways in which real services fail.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Said, type WireFormat, wireFormatOf } from "./scripted-wire-formats.ts";

export interface ScriptedRequest {
  /** 0 for the first request. */
  readonly index: number;
  readonly api: WireFormat["api"];
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly maxTokens: number;
  /** True when the client went away before it had an answer. */
  disconnected: boolean;
}

export type ScriptedAnswer =
  | ({ readonly kind: "say" } & Said)
  | {
      readonly kind: "refuse";
      readonly status: number;
      readonly message?: string;
      /** The provider's machine-readable word for it. */
      readonly reason?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "hang" | "malformed" | "reset" | "cut-connection" };

export type Step = ScriptedAnswer | ((request: ScriptedRequest) => ScriptedAnswer);
/** One step for every request, or one after the other; the last one stays. */
export type Script = Step | readonly [Step, ...Step[]];

export const reply = (text: string, more: Omit<Said, "text"> = {}): ScriptedAnswer => ({
  kind: "say",
  text,
  ...more,
});
/** Calls tools; an input that is a string is sent as it is, where the protocol can. */
export const callTools = (...calls: readonly [name: string, input: unknown][]): ScriptedAnswer => ({
  kind: "say",
  text: "",
  calls: calls.map(([name, input]) => ({ name, input })),
});
export const refuse = (
  status: number,
  more: Omit<Extract<ScriptedAnswer, { kind: "refuse" }>, "kind" | "status"> = {},
): ScriptedAnswer => ({ kind: "refuse", status, ...more });
export const EMPTY = reply("");
export const ECHO: Step = ({ prompt }) => reply(prompt);
/** Ten times as many words as tokens were asked for. */
export const TOO_LONG: Step = ({ maxTokens }) => reply("word ".repeat(10 * maxTokens));
export const cutOff = (text: string): ScriptedAnswer => reply(text, { finish: "length" });
/** Thinking as the provider's protocol has it, beside the answer. */
export const thinking = (text: string, thought: string): ScriptedAnswer => reply(text, { thought });
/** Thinking as local models write it, inside the answer. */
export const reasoningTags = (text: string, thought: string): ScriptedAnswer =>
  reply(`<think>\n${thought}\n</think>\n\n${text}`);
export const HANG: ScriptedAnswer = { kind: "hang" };
export const MALFORMED: ScriptedAnswer = { kind: "malformed" };
export const RESET: ScriptedAnswer = { kind: "reset" };
/** The connection breaks in the middle of the answer. */
export const CUT_CONNECTION: ScriptedAnswer = { kind: "cut-connection" };

export interface ScriptedModel {
  /** What to set as `modelBaseUrl`. */
  readonly url: string;
  readonly requests: readonly ScriptedRequest[];
  close(): Promise<void>;
}

export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const wire = wireFormatOf(incoming.url ?? "");
    const request = await readRequest(incoming, wire, requests.length);
    requests.push(request);
    response.on("close", () => {
      request.disconnected = !response.writableFinished;
    });
    answer(stepOf(script, request), wire, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the scripted model has no port");
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${address.port}/v1`, requests, close };
}

function stepOf(script: Script, request: ScriptedRequest): ScriptedAnswer {
  const steps: readonly Step[] = [script].flat();
  const step = steps[Math.min(request.index, steps.length - 1)] ?? EMPTY;
  return typeof step === "function" ? step(request) : step;
}

async function readRequest(incoming: IncomingMessage, wire: WireFormat, index: number) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || "null");
  const path = incoming.url ?? "";
  const told = wire.read(body, path);
  return { ...told, index, api: wire.api, path, headers: incoming.headers, body, disconnected: false };
}

function answer(step: ScriptedAnswer, wire: WireFormat, request: ScriptedRequest, response: ServerResponse) {
  if (step.kind === "hang") return;
  if (step.kind === "reset") return void response.socket?.resetAndDestroy();
  const headers = { "content-type": "application/json" };
  if (step.kind === "refuse") {
    response.writeHead(step.status, { ...headers, ...step.headers });
    return void response.end(JSON.stringify(wire.refuse(step.status, step.message ?? "no", step.reason)));
  }
  response.writeHead(200, headers);
  if (step.kind === "malformed") return void response.end('{"id": nope');
  if (step.kind === "say") return void response.end(JSON.stringify(wire.say(step, request)));
  response.write('{"id":', () => response.socket?.resetAndDestroy());
}
