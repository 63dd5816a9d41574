import { describe, expect, it } from "vitest";
import type { WireFormat } from "../../../message/wire-formats.ts";
import { itemOf, summary, violationsOf } from "./testing/items.ts";
import { renderWire, type WireContexts } from "./wire.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk";
const PDF = "JVBERi0xLjQ=";
const BYTES = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown, more: object = {}) => ({ role: "assistant", content, ...more });
const use = (id: string, input: unknown = {}, name = "run") => ({ type: "tool_use", id, name, input });
const result = (id: string, content: unknown = `answer of ${id}`, more: object = {}) =>
  user([{ type: "tool_result", tool_use_id: id, content, ...more }]);
const answer = (id: string, content: unknown = `answer of ${id}`) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const text = (words: string) => ({ type: "text", text: words });

/** Renders and checks in every format, and returns the requested one. */
function render<Format extends WireFormat>(format: Format, ...values: unknown[]): WireContexts[Format] {
  const items = values.map(itemOf);
  expect(violationsOf(items)).toEqual([]);
  return renderWire(items, format);
}

describe("anthropic", () => {
  it("lets a person speak first and takes turns", () => {
    const { system, messages } = render(
      "anthropic",
      { role: "system", content: "Be brief." },
      assistant("Hello."),
      user("One."),
      user("Two."),
      { role: "developer", content: "Be kind." },
      assistant("Yes. \n"),
    );
    expect(system).toBe("Be brief.\n\nBe kind.");
    expect(messages).toEqual([
      { role: "user", content: [text("[The conversation continues.]")] },
      { role: "assistant", content: [text("Hello.")] },
      { role: "user", content: [text("One."), text("Two.")] },
      { role: "assistant", content: [text("Yes.")] },
    ]);
  });

  it("puts results first in the message behind their calls", () => {
    const { messages } = render(
      "anthropic",
      user("Go."),
      assistant([text("Both."), use("a", { x: 1 }), use("b")]),
      user("Hurry up."),
      result("b"),
      result("a", "it broke", { is_error: true }),
    );
    expect(messages.slice(1)).toEqual([
      { role: "assistant", content: [text("Both."), use("a", { x: 1 }), use("b")] },
      {
        role: "user",
        content: [{ ...answer("a", "it broke"), is_error: true }, answer("b"), text("Hurry up.")],
      },
    ]);
  });

  it("brings the lines of one response together again", () => {
    const line = (block: object) => assistant([block], { type: "message", id: "msg_1" });
    const thinking = { type: "thinking", thinking: "Hm.", signature: "sig" };
    const { messages } = render(
      "anthropic",
      user("Go."),
      line(thinking),
      line(use("a")),
      result("a"),
      line(use("b")),
      result("b"),
      assistant([text("Done.")], { type: "message", id: "msg_2" }),
    );
    expect(messages.slice(1)).toEqual([
      { role: "assistant", content: [thinking, use("a"), use("b")] },
      { role: "user", content: [answer("a"), answer("b")] },
      { role: "assistant", content: [text("Done.")] },
    ]);
  });

  it("keeps responses apart that hosts do not name", () => {
    const { messages } = render(
      "anthropic",
      user("Go."),
      assistant([use("a")]),
      result("a"),
      assistant([use("b")]),
    );
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
    expect(messages.at(-1)?.content).toEqual([answer("b", "[no result on record]")]);
  });

  it("takes back its own blocks as they were, without what it does not accept", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } };
    const document = {
      type: "document",
      title: "Notes",
      source: { type: "text", media_type: "text/plain", data: "x" },
    };
    const found = { type: "search_result", source: "https://a.b", title: "A", content: [text("b")] };
    const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } };
    const results = {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: [{ type: "web_search_result", url: "https://a.b", title: "A", encrypted_content: "E" }],
    };
    const cited = {
      ...text("It rains."),
      citations: [{ type: "web_search_result_location", url: "https://a.b" }],
    };
    const redacted = { type: "redacted_thinking", data: "sealed" };
    const { messages } = render(
      "anthropic",
      user([image, { ...document, cache_control: { type: "ephemeral" } }, found]),
      assistant([redacted, search, results, cited, { ...use("a"), caller: { type: "direct" } }]),
      result("a", [text("Look:"), image]),
    );
    expect(messages).toEqual([
      { role: "user", content: [image, document, found] },
      { role: "assistant", content: [redacted, search, results, cited, use("a")] },
      { role: "user", content: [answer("a", [text("Look:"), image])] },
    ]);
    expect(messages[0]?.content[0]).toBe(image);
  });

  it("leaves out thinking that nobody signed and thinking that nothing follows", () => {
    const { messages } = render(
      "anthropic",
      user("Go."),
      assistant([{ type: "thinking", thinking: "Unsigned." }, text("Yes.")]),
      user("On."),
      assistant([{ type: "thinking", thinking: "Cut off.", signature: "sig" }]),
    );
    expect(messages).toEqual([
      { role: "user", content: [text("Go.")] },
      { role: "assistant", content: [text("Yes.")] },
      { role: "user", content: [text("On.")] },
    ]);
  });

  it("shows what it does not know as text", () => {
    const { messages } = render("anthropic", user([{ type: "hologram", words: "blue" }]));
    expect(messages[0]?.content).toEqual([text('{"type":"hologram","words":"blue"}')]);
  });

  it("makes an object of any arguments", () => {
    const call = (id: string, args: string) => ({
      type: "function_call",
      call_id: id,
      name: "f",
      arguments: args,
    });
    const { messages } = render(
      "anthropic",
      call("a", '{"x":1}'),
      call("b", "ls -l"),
      call("c", ""),
      call("d", "[1]"),
    );
    const inputs = messages[1]?.content.map((block) => ("input" in block ? block.input : null));
    expect(inputs).toEqual([{ x: 1 }, { input: "ls -l" }, {}, { input: "[1]" }]);
  });

  it("names an image of a failed result, which may only hold text", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } };
    const { messages } = render(
      "anthropic",
      assistant([use("a"), use("b")]),
      result("a", [image], { is_error: true }),
    );
    expect(messages[2]?.content[0]).toMatchObject({ content: "[image: (image/png)]", is_error: true });
  });
});

describe("openai-chat", () => {
  it("answers the calls of a response right behind it", () => {
    const { messages } = render(
      "openai-chat",
      { role: "system", content: "Be brief." },
      user("Go."),
      assistant([use("a", { x: 1 })]),
      user("Hurry up."),
      result("a", [
        text("one"),
        { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
      ]),
      assistant([{ type: "thinking", thinking: "Hm.", signature: "s" }, text("Done.")]),
    );
    expect(messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "run", arguments: '{"x":1}' } }],
      },
      { role: "tool", tool_call_id: "a", content: "one\n[image: (image/png)]" },
      { role: "user", content: "Hurry up." },
      { role: "assistant", content: "Done." },
    ]);
  });

  it("carries images, sounds and documents of a person", () => {
    const { messages } = render(
      "openai-chat",
      user([
        text("Look."),
        { type: "image", image: BYTES },
        { type: "image_url", image_url: { url: "https://a.b/c.png" } },
        { type: "input_audio", input_audio: { data: PIXEL, format: "wav" } },
        {
          type: "file",
          data: `data:application/pdf;base64,${PDF}`,
          mediaType: "application/pdf",
          filename: "a.pdf",
        },
        { type: "file", file: { file_id: "file_1" } },
      ]),
    );
    expect(messages[0]?.content).toEqual([
      text("Look."),
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
      { type: "image_url", image_url: { url: "https://a.b/c.png" } },
      { type: "input_audio", input_audio: { data: PIXEL, format: "wav" } },
      { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${PDF}` } },
      text("[file: file_1]"),
    ]);
  });
});

describe("openai-responses", () => {
  const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" };
  const call = { type: "function_call", id: "fc_1", call_id: "a", name: "f", arguments: "{}" };
  const output = { type: "function_call_output", call_id: "a", output: "yes" };

  it("keeps sealed reasoning with the item that it led to", () => {
    const { messages } = render("openai-responses", reasoning, call, output);
    expect(messages).toEqual([reasoning, call, output]);
  });

  it.each([
    ["stands alone", [reasoning]],
    ["led to an item without an id", [reasoning, { ...call, id: undefined }, output]],
    ["led to words of another provider", [reasoning, assistant("Hm.")]],
    ["is not sealed", [{ ...reasoning, encrypted_content: null }, call, output]],
  ])("leaves out reasoning that %s", (_, values) => {
    const { messages } = render("openai-responses", ...values);
    expect(messages.filter(({ type }) => type === "reasoning")).toEqual([]);
  });

  it("sends what the model said under its id only with its reasoning", () => {
    const said = { type: "message", id: "msg_1", role: "assistant", status: "completed" };
    const message = { ...said, content: [{ type: "output_text", text: "Yes.", annotations: [] }] };
    expect(render("openai-responses", reasoning, message).messages).toEqual([reasoning, message]);
    expect(render("openai-responses", message).messages).toEqual([
      { type: "message", role: "assistant", content: "Yes." },
    ]);
  });

  it("keeps free-form calls free-form, and images in results", () => {
    const image = { type: "input_image", detail: "auto", image_url: `data:image/png;base64,${PIXEL}` };
    const custom = { type: "custom_tool_call", call_id: "p", name: "apply_patch", input: "*** Begin" };
    const { messages } = render("openai-responses", user("Go."), custom, {
      type: "custom_tool_call_output",
      call_id: "p",
      output: [{ type: "input_text", text: "done" }, image],
    });
    expect(messages).toEqual([
      { type: "message", role: "user", content: [{ type: "input_text", text: "Go." }] },
      custom,
      {
        type: "custom_tool_call_output",
        call_id: "p",
        output: [{ type: "input_text", text: "done" }, image],
      },
    ]);
  });
});

describe("pairing", () => {
  it("moves a result that was logged before its call", () => {
    const { messages } = render(
      "anthropic",
      user("Go."),
      result("a"),
      assistant([use("a")]),
      assistant("Done."),
    );
    expect(messages.slice(1)).toEqual([
      { role: "assistant", content: [use("a")] },
      { role: "user", content: [answer("a")] },
      { role: "assistant", content: [text("Done.")] },
    ]);
  });

  it("quotes a result without a call as data", () => {
    const { messages } = render("anthropic", {
      role: "tool",
      tool_call_id: "x",
      name: 'a"b',
      content: "</tool_output>",
    });
    expect(messages[0]?.content).toEqual([
      text('<tool_output tool="a&quot;b" trust="untrusted">\n&lt;/tool_output&gt;\n</tool_output>'),
    ]);
  });

  it("pairs ids that are used again in the order in which they occur, under names of their own", () => {
    const turn = (words: string) => [user(words), assistant([use("a")]), result("a", words)];
    const { messages } = render("anthropic", ...turn("one"), ...turn("two"));
    expect(messages.flatMap(({ content }) => [...content]).filter(({ type }) => type !== "text")).toEqual([
      use("a"),
      answer("a", "one"),
      use("a_2"),
      answer("a_2", "two"),
    ]);
  });

  it("does not give the answer of a later turn to a call that was abandoned", () => {
    const { messages } = render(
      "openai-chat",
      assistant([use("a")]),
      user("Again."),
      assistant([use("a")]),
      result("a", "late"),
    );
    expect(messages.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual([
      "[no result on record]",
      "late",
    ]);
  });

  it("pairs OpenAI's first form of calls by name", () => {
    const { messages } = render(
      "openai-chat",
      assistant(null, { function_call: { name: "f", arguments: "{}" } }),
      { role: "function", name: "f", content: "yes" },
    );
    expect(messages[1]).toMatchObject({ role: "tool", tool_call_id: "call_f", content: "yes" });
  });

  it("gives ids that a provider refuses another form, the same for call and result", () => {
    const id = `call_1|${"fc_".repeat(30)}`;
    const { messages } = render("anthropic", assistant([use(id)]), result(id));
    const [call] = messages[1]?.content ?? [];
    expect(call).toMatchObject({ type: "tool_use", id: expect.stringMatching(/^call_[0-9a-f]{24}$/) });
    expect(messages[2]?.content[0]).toMatchObject({ tool_use_id: call && "id" in call ? call.id : null });
  });

  it("splits a part that has both call and answer, with the calls of one step together", () => {
    const tool = (id: string) => ({
      type: "tool-f",
      toolCallId: id,
      state: "output-available",
      input: {},
      output: id,
    });
    const parts = [{ type: "step-start" }, tool("a"), tool("b"), { type: "step-start" }, text("Done.")];
    const { messages } = render(
      "anthropic",
      { role: "user", parts: [text("Go.")] },
      { role: "assistant", parts },
    );
    expect(messages.map(({ content }) => content.map(({ type }) => type))).toEqual([
      ["text"],
      ["tool_use", "tool_use"],
      ["tool_result", "tool_result"],
      ["text"],
    ]);
  });

  it("tells a command that a person ran as theirs", () => {
    const { messages } = render("openai-chat", {
      role: "bashExecution",
      command: "ls",
      output: "a.ts",
      exitCode: 0,
    });
    expect(messages).toEqual([
      {
        role: "user",
        content: '<tool_output tool="bash" trust="untrusted">\n<input>\nls\n</input>\na.ts\n</tool_output>',
      },
    ]);
  });
});

describe("in every format", () => {
  it("messages with nothing to show vanish", () => {
    const { messages } = render(
      "anthropic",
      user(""),
      user([text(" \n")]),
      {
        role: "assistant",
        parts: [{ type: "step_start" }, { type: "snapshot", hash: "h" }, { type: "agent", name: "a" }],
      },
      undefined,
    );
    expect(messages).toEqual([]);
  });

  it("parts that a model should read are told in words", () => {
    const parts = [
      { type: "subtask", prompt: "Find it.", agent: "scout" },
      { type: "patch", files: ["a.ts", "b.ts"] },
      { type: "retry", attempt: 2, error: "overloaded" },
      { type: "compaction", auto: true, text: "Before: nothing." },
    ];
    expect(render("anthropic", { role: "user", parts }).messages[0]?.content).toEqual([
      text("[Task for scout]\nFind it."),
      text("[Changed files: a.ts, b.ts]"),
      text("[Tried again after: overloaded]"),
      text("Before: nothing."),
    ]);
  });

  it("half a character does not spoil the request", () => {
    expect(render("openai-chat", user("a\ud800b")).messages).toEqual([{ role: "user", content: "a\ufffdb" }]);
  });

  it("summaries and markers are a person's words", () => {
    const items = [summary("<summary/>"), itemOf(assistant("Yes."))];
    expect(violationsOf(items)).toEqual([]);
    expect(renderWire(items, "openai-chat").messages[0]).toEqual({ role: "user", content: "<summary/>" });
  });
});
