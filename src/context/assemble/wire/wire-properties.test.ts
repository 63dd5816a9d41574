import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WIRE_FORMATS } from "../../../message/wire-formats.ts";
import { itemOf, summary, violationsOf } from "./testing/items.ts";
import { renderWire, type WireItem } from "./wire.ts";

const id = fc.constantFrom("a", "b", "c", "call_1|fc_1", "");
const words = fc.constantFrom("hello", " ", "", "two\nlines ", "ü\ud800", '{"x":1}');
const block = fc.oneof(
  fc.record({ type: fc.constantFrom("text", "input_text"), text: words }),
  fc.record({ type: fc.constantFrom("thinking", "reasoning"), thinking: words, signature: words }),
  fc.record({
    type: fc.constantFrom("tool_use", "toolCall", "server_tool_use"),
    id,
    name: words,
    input: fc.jsonValue(),
  }),
  fc.record({
    type: fc.constantFrom("tool_result", "web_search_tool_result"),
    tool_use_id: id,
    content: fc.jsonValue(),
    is_error: fc.boolean(),
  }),
  fc.record({
    type: fc.constantFrom("tool-x", "dynamic-tool"),
    toolCallId: id,
    toolName: words,
    state: fc.constantFrom("output-available", "input-available"),
    output: words,
  }),
  fc.record({
    type: fc.constantFrom("image", "file", "input_audio"),
    data: words,
    mediaType: fc.constantFrom("image/png", "application/pdf", "x/y"),
  }),
  fc.record({ type: fc.constant("image"), image: fc.uint8Array() }),
  fc.record({ type: fc.constantFrom("subtask", "patch", "retry", "step_start", "hologram"), prompt: words }),
  fc.jsonValue(),
);
const call = fc.record({ id, function: fc.record({ name: words, arguments: words }) });
const message = fc.oneof(
  fc.record({
    role: fc.constantFrom("user", "assistant", "system", "tool"),
    content: fc.oneof(words, fc.array(block)),
  }),
  fc.record({ role: fc.constant("assistant"), type: fc.constant("message"), id, content: fc.array(block) }),
  fc.record({ role: fc.constant("assistant"), content: words, tool_calls: fc.array(call) }),
  fc.record({
    role: fc.constantFrom("tool", "toolResult"),
    tool_call_id: id,
    toolCallId: id,
    content: words,
  }),
  fc.record({
    type: fc.constantFrom("function_call", "custom_tool_call"),
    id,
    call_id: id,
    name: words,
    arguments: words,
  }),
  fc.record({
    type: fc.constantFrom("function_call_output", "custom_tool_call_output"),
    call_id: id,
    output: words,
  }),
  fc.record({ type: fc.constant("reasoning"), id, summary: fc.constant([]), encrypted_content: words }),
  fc.record({
    role: fc.constantFrom("bashExecution", "function"),
    name: words,
    command: words,
    output: words,
  }),
  fc.jsonValue(),
);
const item: fc.Arbitrary<WireItem> = fc.oneof(
  { weight: 9, arbitrary: message.map(itemOf) },
  words.map(summary),
);

describe("whatever was stored", () => {
  it("becomes a valid request in every format", () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), (items) => {
        expect(violationsOf(items)).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  it("gives the same bytes each time and stays as it was", () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), fc.constantFrom(...WIRE_FORMATS), (items, format) => {
        const before = structuredClone(items);
        const first = JSON.stringify(renderWire(items, format));
        expect(JSON.stringify(renderWire(items, format))).toBe(first);
        expect(items).toEqual(before);
      }),
    );
  });

  it("costs in proportion to its size, even when every call has one id", { timeout: 60_000 }, () => {
    const calls = Array.from({ length: 20_000 }, () => ({ type: "tool_use", id: "a", name: "f", input: {} }));
    const results = calls.map(() => ({ role: "tool", tool_call_id: "a", content: "x" }));
    const items = [{ role: "assistant", content: calls }, ...results].map(itemOf);
    for (const format of WIRE_FORMATS) expect(renderWire(items, format)).toBeDefined();
  });

  it("may be nested deeper than the stack", () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
    const calls = [{ type: "tool_use", id: "a", name: "f", input: deep }, deep];
    for (const format of WIRE_FORMATS)
      renderWire([itemOf({ role: "assistant", content: calls }), itemOf(deep)], format);
  });
});

/** A user message, responses whose calls are answered in any order, and a final response. */
const turn = fc
  .record({
    question: fc.constantFrom("Why?", "How?"),
    calls: fc.array(fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 }), { maxLength: 3 }),
    reversed: fc.boolean(),
    thinking: fc.boolean(),
  })
  .map(({ question, calls, reversed, thinking }) => {
    const thought = thinking ? [{ type: "thinking", thinking: "Hm.", signature: "s" }] : [];
    const responses = calls.flatMap((ids) => [
      {
        role: "assistant",
        content: [...thought, ...ids.map((call) => ({ type: "tool_use", id: call, name: "f", input: {} }))],
      },
      ...(reversed ? ids.toReversed() : ids).map((call) => ({
        role: "tool",
        tool_call_id: call,
        content: call,
      })),
    ]);
    return [{ role: "user", content: question }, ...responses, { role: "assistant", content: "So. " }].map(
      itemOf,
    );
  });

describe("appending complete turns", () => {
  it("leaves every message before them as it was", () => {
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 2, maxLength: 5 }),
        fc.constantFrom(...WIRE_FORMATS),
        (turns, format) => {
          const shorter: readonly unknown[] = renderWire(turns.slice(0, -1).flat(), format).messages;
          const longer: readonly unknown[] = renderWire(turns.flat(), format).messages;
          deepStrictEqual(longer.slice(0, shorter.length), shorter);
        },
      ),
    );
  });

  it("lets the last message grow, and nothing else, when it goes on", () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 3 }), (turns) => {
        const items = [...turns.flat(), itemOf({ role: "user", content: "One." })];
        const shorter = renderWire(items, "anthropic").messages;
        const longer = renderWire(
          [...items, itemOf({ role: "user", content: "Two." })],
          "anthropic",
        ).messages;
        deepStrictEqual(longer.slice(0, -1), shorter.slice(0, -1));
        deepStrictEqual(longer.at(-1)?.content.slice(0, -1), shorter.at(-1)?.content);
      }),
    );
  });
});
