/** The checkers can fail: each row breaks one rule of a valid request. */
import { describe, expect, it } from "vitest";
import { CHECKERS } from "./items.ts";

const check = (format: keyof typeof CHECKERS, ...messages: unknown[]) =>
  CHECKERS[format]({ system: null, messages });

const text = (words: string) => ({ type: "text", text: words });
const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const use = (id: string, input: unknown = {}) => ({ type: "tool_use", id, name: "f", input });
const result = (id: string, more: object = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content: "x",
  ...more,
});
const hi = user(text("hi"));
const image = { type: "image", source: { type: "base64", media_type: "image/svg+xml", data: "AAAA" } };

describe("the checker of anthropic", () => {
  it("finds nothing wrong with a valid request", () => {
    expect(check("anthropic", hi, assistant(text("a"), use("1")), user(result("1"), text("b")))).toEqual([]);
  });

  it.each([
    ["begins with the model", [assistant(text("a"))]],
    ["does not take turns", [hi, hi]],
    ["holds an empty message", [user()]],
    ["holds an empty text", [user(text(" "))]],
    ["ends in white space", [hi, assistant(text("a "))]],
    ["ends with thinking", [hi, assistant({ type: "thinking", thinking: "a", signature: "s" })]],
    ["holds unsigned thinking", [hi, assistant({ type: "thinking", thinking: "a" }, text("a"))]],
    ["leaves a call unanswered", [hi, assistant(use("1")), hi]],
    ["ends with a call", [hi, assistant(use("1"))]],
    ["answers too late", [hi, assistant(use("1")), hi, assistant(text("a")), user(result("1"))]],
    ["answers behind other words", [hi, assistant(use("1")), user(text("a"), result("1"))]],
    ["answers what nobody called", [user(result("1"))]],
    ["answers twice", [hi, assistant(use("1")), user(result("1"), result("1"))]],
    ["calls twice under one id", [hi, assistant(use("1"), use("1")), user(result("1"))]],
    ["has arguments that are no object", [hi, assistant(use("1", "x")), user(result("1"))]],
    ["has an id with other characters", [hi, assistant(use("a|b")), user(result("a|b"))]],
    ["shows an image of another type", [user(image)]],
    ["shows an image of the model", [hi, assistant(image)]],
    ["fails without words", [hi, assistant(use("1")), user(result("1", { content: "", is_error: true }))]],
    ["carries a cache mark", [user({ ...text("a"), cache_control: { type: "ephemeral" } })]],
  ])("sees that a request %s", (_, messages) => {
    expect(check("anthropic", ...messages)).not.toEqual([]);
  });
});

const call = (id: string, args = "{}") => ({
  id,
  type: "function",
  function: { name: "f", arguments: args },
});
const calling = (...calls: unknown[]) => ({ role: "assistant", content: null, tool_calls: calls });
const tool = (id: string, content: unknown = "x") => ({ role: "tool", tool_call_id: id, content });

describe("the checker of openai-chat", () => {
  it("finds nothing wrong with a valid request", () => {
    expect(check("openai-chat", { role: "user", content: "a" }, calling(call("1")), tool("1"))).toEqual([]);
  });

  it.each([
    ["leaves a call unanswered", [calling(call("1"))]],
    ["says something before the result", [calling(call("1")), { role: "user", content: "a" }, tool("1")]],
    ["answers what nobody called", [tool("1")]],
    ["answers twice", [calling(call("1")), tool("1"), tool("1")]],
    ["calls twice under one id", [calling(call("1")), tool("1"), calling(call("1")), tool("1")]],
    ["has arguments that are no JSON", [calling(call("1", "ls")), tool("1")]],
    ["has a long id", [calling(call("1".repeat(41))), tool("1".repeat(41))]],
    ["says nothing", [{ role: "assistant", content: null }]],
    ["shows a result that is a list", [calling(call("1")), tool("1", [])]],
    ["has another role", [{ role: "developer", content: "a" }]],
  ])("sees that a request %s", (_, messages) => {
    expect(check("openai-chat", ...messages)).not.toEqual([]);
  });
});

const functionCall = { type: "function_call", call_id: "1", name: "f", arguments: "{}" };
const output = { type: "function_call_output", call_id: "1", output: "x" };
const reasoning = { type: "reasoning", id: "rs", summary: [], encrypted_content: "s" };
const said = { type: "message", role: "user", content: [{ type: "input_text", text: "a" }] };

describe("the checker of openai-responses", () => {
  it("finds nothing wrong with a valid request", () => {
    const { length } = check("openai-responses", said, reasoning, { ...functionCall, id: "fc" }, output);
    expect(length).toBe(0);
  });

  it.each([
    ["leaves a call unanswered", [functionCall]],
    ["says something before the result", [functionCall, said, output]],
    ["answers what nobody called", [output]],
    ["answers twice", [functionCall, output, output]],
    ["calls twice under one id", [functionCall, output, functionCall, output]],
    ["answers another kind of call", [functionCall, { ...output, type: "custom_tool_call_output" }]],
    ["ends with reasoning", [reasoning]],
    ["holds reasoning without what it led to", [reasoning, functionCall, output]],
    ["has arguments that are no JSON", [{ ...functionCall, arguments: "ls" }, output]],
    ["is empty", [{ ...said, content: [] }]],
    ["shows words of the model as input", [{ ...said, role: "assistant" }]],
  ])("sees that a request %s", (_, messages) => {
    expect(check("openai-responses", ...messages)).not.toEqual([]);
  });
});
