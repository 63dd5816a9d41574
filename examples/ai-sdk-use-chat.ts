/**
 * The server side of `useChat`: a route that streams answers, with `lossless()` between it and the model. The client is the
 * chat of the AI SDK that `useChat` is built on, with its messages in a plain list; in an application, it runs in the
 * browser. The model is scripted; replace `model` with one of a provider to talk to a real one.
 *
 *   node examples/ai-sdk-use-chat.ts
 */
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import {
  AbstractChat,
  type ChatState,
  convertToModelMessages,
  DefaultChatTransport,
  pipeUIMessageStreamToResponse,
  streamText,
  toUIMessageStream,
  type UIMessage,
  wrapLanguageModel,
} from "ai";
import { lossless } from "../src/ai-sdk/index.ts";
import { open } from "../src/index.ts";
import { scriptedLanguageModel, scriptedSummary } from "./scripted-language-model.ts";

const STORE = ".palimpsest/ai-sdk-use-chat";

let answers = 0;
const model = scriptedLanguageModel(
  ({ text }) => scriptedSummary(text) ?? `Answer ${++answers}: I heard “${text}”.`,
);

rmSync(STORE, { recursive: true, force: true });
const middleware = lossless({ store: STORE, recall: false });
const lasting = wrapLanguageModel({ model, middleware });

const server = createServer(async (request, response) => {
  const { id, messages }: { id: string; messages: UIMessage[] } = Object(await json(request));
  // A person who stops the answer closes the connection, and that stops the model.
  const stop = new AbortController();
  response.on("close", () => stop.abort());
  const result = streamText({
    model: lasting,
    messages: await convertToModelMessages(messages),
    abortSignal: stop.signal,
    providerOptions: { palimpsest: { conversation: id } },
  });
  const stream = toUIMessageStream({ stream: result.stream, originalMessages: messages });
  await pipeUIMessageStreamToResponse({ response, stream });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = Object(server.address());

class PlainState implements ChatState<UIMessage> {
  status: ChatState<UIMessage>["status"] = "ready";
  error: Error | undefined = undefined;
  messages: UIMessage[] = [];
  pushMessage = (message: UIMessage) => void this.messages.push(message);
  popMessage = () => void this.messages.pop();
  replaceMessage = (index: number, message: UIMessage) => void this.messages.splice(index, 1, message);
  snapshot = structuredClone;
}

class Chat extends AbstractChat<UIMessage> {}
const chat = new Chat({
  id: "harbour",
  state: new PlainState(),
  transport: new DefaultChatTransport({ api: `http://127.0.0.1:${port}` }),
});

await chat.sendMessage({ text: "When is high water?" });
await chat.sendMessage({ text: "And tomorrow?" });
await chat.regenerate();
await chat.sendMessage({ text: "And on Sunday?", messageId: chat.messages[2]?.id ?? "" });
server.close();
await middleware.close();

const engine = await open({ store: STORE });
const { messages } = await engine.context.read({ conversation: "harbour" });
for (const { text, excluded } of messages.map(({ parts, excluded }) => ({
  text: parts.map((part) => ("text" in part ? part.text : "")).join(""),
  excluded,
})))
  console.log(excluded === null ? text : `(${excluded}) ${text}`);
await engine.close();
