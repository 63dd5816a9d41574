/**
 * The server side of `useChat`: a real chat client of the AI SDK talks to a route on loopback, which converts its messages,
 * streams an answer through the middleware and pipes it back.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import {
  AbstractChat,
  type ChatState,
  convertToModelMessages,
  DefaultChatTransport,
  isStepCount,
  pipeUIMessageStreamToResponse,
  streamText,
  tool,
  toUIMessageStream,
  type UIMessage,
  wrapLanguageModel,
} from "ai";
import type { MockLanguageModelV4 } from "ai/test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Lossless, lossless } from "../../src/ai-sdk/index.ts";
import { type Engine, open } from "../../src/index.ts";
import { operations, runOperation } from "../../src/operations/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import { echoModel } from "./echo-model.ts";

const tools = {
  look: tool({
    description: "Looks.",
    inputSchema: z.object({ at: z.string() }),
    execute: async ({ at }) => ({ seen: at, clear: true }),
  }),
};

/** What a framework's hook does with its own state. */
class PlainState implements ChatState<UIMessage> {
  status: ChatState<UIMessage>["status"] = "ready";
  error: Error | undefined = undefined;
  messages: UIMessage[] = [];
  pushMessage = (message: UIMessage) => {
    this.messages = [...this.messages, message];
  };
  popMessage = () => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index: number, message: UIMessage) => {
    this.messages = this.messages.with(index, message);
  };
  snapshot = structuredClone;
}

class Chat extends AbstractChat<UIMessage> {}

describe.each(ENGINES)("the server side of useChat on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let middleware: Lossless;
  let inner: MockLanguageModelV4;
  let server: Server;
  let chat: Chat;
  /** What the route does otherwise than usual. */
  let route: { sendReasoning?: boolean; stopsModel?: boolean } = {};
  beforeEach(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    inner = echoModel({ chunkDelayInMs: 5 });
    route = {};
    startMiddleware();
    server = await serve();
    const { port } = server.address() as AddressInfo;
    const transport = new DefaultChatTransport({ api: `http://127.0.0.1:${port}` });
    chat = new Chat({ id: "chat", state: new PlainState(), transport });
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await middleware.close();
    await engine.close();
    await place.dispose();
  });

  function startMiddleware(): void {
    middleware = lossless({ store: place.store, config: { logLevel: "silent" }, recall: false });
  }

  async function serve(): Promise<Server> {
    const listening = createServer(async (request, response) => {
      const { id, messages }: { id: string; messages: UIMessage[] } = Object(await json(request));
      const stop = new AbortController();
      if (route.stopsModel !== false) response.on("close", () => stop.abort());
      const result = streamText({
        model: wrapLanguageModel({ model: inner, middleware }),
        messages: await convertToModelMessages(messages, { tools }),
        tools,
        stopWhen: isStepCount(3),
        abortSignal: stop.signal,
        providerOptions: { palimpsest: { conversation: id } },
        onError: () => {},
      });
      const stream = toUIMessageStream({
        stream: result.stream,
        tools,
        originalMessages: messages,
        sendReasoning: route.sendReasoning ?? true,
      });
      await pipeUIMessageStreamToResponse({ response, stream });
    });
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    return listening;
  }

  /** Every message on record, in order, as `role: words`, with those that are not in the context in brackets. */
  async function record(): Promise<string[]> {
    const { messages } = await engine.context.read({ conversation: "chat", limit: 1_000 });
    return messages.map(({ role, parts, excluded }) => {
      const words = parts.map((part) => ("text" in part ? part.text : part.type)).join("|");
      return excluded === null ? `${role}: ${words}` : `(${role}: ${words})`;
    });
  }

  it("keeps each message once, through tools, reloads and new processes", async () => {
    await chat.sendMessage({ text: "one" });
    await chat.sendMessage({ text: "use 2" });
    await middleware.close();
    startMiddleware();
    await chat.sendMessage({ text: "three" });
    await chat.sendMessage({ text: "search and draw" });
    await chat.sendMessage({ text: "five" });
    expect(chat.error).toBeUndefined();
    expect(await record()).toEqual([
      "user: one",
      "assistant: Hm.|Answer to one",
      "user: use 2",
      "assistant: Let me look.|tool",
      "tool: tool",
      "assistant: Hm.|Answer to ",
      "user: three",
      "assistant: Hm.|Answer to three",
      "user: search and draw",
      "assistant: Here.|file|tool|tool|tool|tool|Done.",
      "user: five",
      "assistant: Hm.|Answer to five",
    ]);
    expect((await runOperation(operations.verify, engine, {})).problems).toEqual([]);
  });

  it("follows a person who regenerates an answer and edits a question", async () => {
    await chat.sendMessage({ text: "one" });
    await chat.sendMessage({ text: "two" });
    const [, , second] = chat.messages;
    inner = echoModel({ opening: "Another answer" });
    await chat.regenerate();
    await chat.sendMessage({ text: "two, but better", messageId: second?.id ?? "" });
    await chat.sendMessage({ text: "three" });
    expect(await record()).toEqual([
      "user: one",
      "assistant: Hm.|Answer to one",
      "(user: two)",
      "(assistant: Hm.|Answer to two)",
      "(assistant: Hm.|Another answer to two)",
      "user: two, but better",
      "assistant: Hm.|Another answer to two, but better",
      "user: three",
      "assistant: Hm.|Another answer to three",
    ]);
  });

  it.each([
    ["and the model is stopped", true],
    ["and the model is not told", false],
  ])("keeps what came of an answer that a person stops, %s", async (_, stopsModel) => {
    route = { stopsModel };
    const sent = chat.sendMessage({ text: "a long question" });
    await expect.poll(() => JSON.stringify(chat.lastMessage), { interval: 1 }).toContain("Answer");
    await chat.stop();
    await sent;
    const shown = chat.lastMessage?.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    await chat.sendMessage({ text: "go on" });
    const now = await record();
    expect(now.filter((line) => !line.startsWith("("))).toEqual([
      "user: a long question",
      `assistant: Hm.|${shown}`,
      "user: go on",
      "assistant: Hm.|Answer to go on",
    ]);
  });

  it("knows an answer whose reasoning the client never got", async () => {
    route = { sendReasoning: false };
    await chat.sendMessage({ text: "one" });
    await chat.sendMessage({ text: "two" });
    expect(await record()).toEqual([
      "user: one",
      "assistant: Hm.|Answer to one",
      "user: two",
      "assistant: Hm.|Answer to two",
    ]);
  });
});
