/** The AI SDK's own functions, with a scripted model behind the middleware. */
import { generateText, isStepCount, type ModelMessage, streamText, tool, wrapLanguageModel } from "ai";
import type { MockLanguageModelV4 } from "ai/test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Lossless, lossless } from "../../src/ai-sdk/index.ts";
import { type Engine, estimateTokens, open } from "../../src/index.ts";
import { operations, runOperation } from "../../src/operations/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import { type Call, echoModel, lastText } from "./echo-model.ts";

const look = tool({
  description: "Looks.",
  inputSchema: z.object({ at: z.string() }),
  execute: async ({ at }) => `It is ${at} there.`,
});

describe.each(ENGINES)("lossless() on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let middleware: Lossless;
  let inner: MockLanguageModelV4;
  beforeEach(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    start();
  });
  afterEach(async () => {
    await middleware.close();
    await engine.close();
    await place.dispose();
  });

  function start(more: { window?: number } = {}): void {
    inner = echoModel();
    middleware = lossless({
      store: place.store,
      conversation: "chat",
      config: { logLevel: "silent" },
      recall: false,
      ...more,
    });
  }
  const model = () => wrapLanguageModel({ model: inner, middleware });
  const user = (content: string): ModelMessage => ({ role: "user", content });

  /** Every message on record, in order, as `role: words`, with those that are not in the context in brackets. */
  async function record(): Promise<string[]> {
    const { messages } = await engine.context.read({ conversation: "chat", limit: 10_000 });
    return messages.map(({ role, parts, excluded }) => {
      const words = parts.map((part) => ("text" in part ? part.text : part.type)).join("|");
      return excluded === null ? `${role}: ${words}` : `(${role}: ${words})`;
    });
  }

  it("keeps a chat, each message once, with generateText and streamText", async () => {
    const messages: ModelMessage[] = [];
    for (const [turn, text] of ["one", "two", "three", "four"].entries()) {
      messages.push(user(text));
      const asked = { model: model(), messages, system: "Be brief." };
      if (turn % 2 === 0) messages.push(...(await generateText(asked)).response.messages);
      else {
        const streamed = streamText(asked);
        await streamed.consumeStream();
        messages.push(...(await streamed.response).messages);
      }
    }
    expect(await record()).toEqual(
      ["one", "two", "three", "four"].flatMap((text) => [
        `user: ${text}`,
        `assistant: Hm.|Answer to ${text}`,
      ]),
    );
    expect((await runOperation(operations.verify, engine, {})).problems).toEqual([]);
  });

  it("keeps an agent's loop with tools, and sends what was sent before and more behind it", async () => {
    const messages: ModelMessage[] = [];
    for (const text of ["use 1", "use 2", "thanks"]) {
      messages.push(user(text));
      const result = await generateText({
        model: model(),
        messages,
        tools: { look },
        stopWhen: isStepCount(3),
      });
      messages.push(...result.responseMessages);
    }
    const prompts = inner.doGenerateCalls.map(({ prompt }) =>
      prompt.map((message) => JSON.stringify(message)),
    );
    for (let i = 1; i < prompts.length; i++)
      expect(prompts[i]?.slice(0, prompts[i - 1]?.length)).toEqual(prompts[i - 1]);
    const roles = (await record()).map((line) => line.split(":")[0]);
    const used = ["user", "assistant", "tool", "assistant"];
    expect(roles).toEqual([...used, ...used, "user", "assistant"]);
  });

  it("sends references in the place of large files, on every call, and keeps the files", async () => {
    await middleware.close();
    start({ window: 32_000 });
    const messages: ModelMessage[] = [];
    for (const name of ["a", "b"]) {
      const content = `Look at <file name="${name}.csv">a,b\n${"1,2\n".repeat(30_000)}</file>`;
      messages.push(user(content));
      messages.push(...(await generateText({ model: model(), messages })).responseMessages);
    }
    const sent = inner.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt));
    expect(sent.filter((prompt) => estimateTokens(prompt) > 2_000)).toEqual([]);
    expect(sent.at(-1)).toMatch(/LCM File: file_\w+ \| a\.csv.*LCM File: file_\w+ \| b\.csv/);
    const { messages: kept } = await engine.context.read({ conversation: "chat" });
    expect(kept.map(({ value }) => JSON.stringify(value).length > 100_000)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it("refuses options that it does not know, and values that cannot be meant", () => {
    const bad: object[] = [
      ...[{ conversation: 5 }, { conversation: "" }, { windw: 3 }, { window: 0 }, { window: "8000" }],
      ...[{ store: 7 }, { config: "x" }, { recall: "no" }, { log: {} }],
    ];
    for (const options of bad) {
      const [name = ""] = Object.keys(options);
      expect(() => lossless(options)).toThrow(name);
    }
  });

  it("follows an application that regenerates, edits and goes back", async () => {
    const say = async (messages: ModelMessage[]) =>
      (await generateText({ model: model(), messages })).response.messages;
    const first = [user("one"), ...(await say([user("one")]))];
    const second = [...first, user("two")];
    await say(second);
    // The last answer is asked for again, then the question is put in another way.
    await say(second);
    await say([...first, user("two, but better")]);
    const now = await engine.context.assemble({ conversation: "chat" });
    expect(JSON.stringify(now.messages)).toContain("two, but better");
    expect(JSON.stringify(now.messages)).not.toContain('"two"');
    const all = await record();
    expect(all).toContain("(user: two)");
    expect(all.filter((line) => line.includes("user: one"))).toHaveLength(1);
  });

  it("keeps what came of a stream that was stopped", async () => {
    const stop = new AbortController();
    const streamed = streamText({
      model: model(),
      messages: [user("a long question")],
      abortSignal: stop.signal,
      onError: () => {},
    });
    for await (const part of streamed.textStream) if (part !== "") stop.abort();
    await expect.poll(record).toContainEqual("user: a long question");
    await generateText({ model: model(), messages: [user("a long question"), user("go on")] });
    expect(await record()).toContain("user: go on");
  });

  it("fits a history far larger than the window, and everything is still found", async () => {
    await middleware.close();
    start({ window: 6_000 });
    const messages: ModelMessage[] = [];
    for (let turn = 0; turn < 40; turn++) {
      messages.push(user(`Station ${turn} reads ${turn * 13}. ${"The weather was fair. ".repeat(60)}`));
      messages.push(
        ...(await generateText({ model: model(), messages, maxOutputTokens: 500 })).response.messages,
      );
    }
    for (const { prompt } of inner.doGenerateCalls) {
      const isSummary = lastText({ prompt } as Call).includes("Write the summary now.");
      if (!isSummary) expect(estimateTokens(JSON.stringify(prompt))).toBeLessThanOrEqual(6_000);
    }
    expect(inner.doGenerateCalls.some((call) => lastText(call).includes("Write the summary now."))).toBe(
      true,
    );
    expect((await engine.context.grep({ pattern: '"Station 3 reads"' })).hits.length).toBeGreaterThan(0);
    expect((await record()).filter((line) => line.includes("user: Station"))).toHaveLength(40);
  });

  it("knows messages by the ids that the application gives", async () => {
    const withId = (id: string, content: string): ModelMessage => ({
      ...{ role: "user", content, providerOptions: { palimpsest: { id } } },
    });
    await generateText({ model: model(), messages: [withId("a", "yes"), withId("b", "yes")] });
    await generateText({ model: model(), messages: [withId("b", "yes")] });
    expect((await record()).filter((line) => line.includes("yes"))).toEqual(
      expect.arrayContaining(["(user: yes)", "user: yes"]),
    );
  });

  it("goes on without us when the store cannot be opened", async () => {
    const broken = lossless({
      store: "/dev/null/nowhere",
      conversation: "chat",
      config: { logLevel: "silent" },
    });
    const { text } = await generateText({
      model: wrapLanguageModel({ model: inner, middleware: broken }),
      messages: [user("still there?")],
    });
    expect(text).toBe("Answer to still there?");
    await broken.close();
  });
});
