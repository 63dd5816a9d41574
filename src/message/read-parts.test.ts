/**
 * Reading beyond the families' own messages: what is rejected and where, how lenient reading handles it, and
 * the views of parts. Long because each rejection is a row.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../errors.ts";
import { estimateTokens } from "../text/estimate-tokens.ts";
import { PART_TYPES, type Part, ROLES } from "../types.ts";
import { countPartTokens, indexParts, readMessage, textOfParts } from "./read-parts.ts";

function refusalOf(message: unknown, place?: string): string {
  try {
    readMessage(message, "strict", place);
  } catch (error) {
    if (isPalimpsestError(error, "invalid-input")) return error.message;
    throw error;
  }
  throw new Error("was accepted");
}

function readBlocks(...content: unknown[]): readonly Part[] {
  return readMessage({ role: "assistant", content }, "strict").parts;
}

describe("data that is nested very deep", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}"word"${"]".repeat(depth)}`;
  const outputOf = (depth: number) => {
    const output = { type: "json", value: { a: JSON.parse(nested(depth)) } };
    const content = [{ type: "tool-result", toolCallId: "c", toolName: "t", output }];
    const [part] = readMessage({ role: "tool", content }, "lenient").parts;
    return part?.type === "tool" ? part.output : null;
  };
  /** Runs the function with less and less stack left. */
  const fromBelow = <Result>(levels: number, run: () => Result): Result =>
    levels === 0 ? run() : fromBelow(levels - 1, run);

  it("is read alike however much of the stack is left", () => {
    expect(outputOf(999)).toBe(`{"a":${nested(999)}}`);
    for (const depth of [1_000, 3_000, 5_000, 8_000, 50_000])
      for (const levels of [0, 1_000, 4_000]) expect(fromBelow(levels, () => outputOf(depth))).toBe("word");
  });
});

describe("id and time", () => {
  it.each([
    [{ id: "msg_1" }, "msg_1"],
    [{ id: "" }, null],
    [{ id: 7 }, null],
    [{}, null],
  ])("takes the id of %o", (fields, id) => {
    expect(readMessage({ role: "user", content: "hi", ...fields }, "strict").id).toBe(id);
  });

  it.each([
    [{ createdAt: "2026-02-06T03:57:41.676Z" }, "2026-02-06T03:57:41.676Z"],
    [{ created_at: 1760000000 }, "2025-10-09T08:53:20.000Z"],
    [{ timestamp: 1765238302057 }, "2025-12-08T23:58:22.057Z"],
    [{ ts: "2026-02-06T04:57:41+01:00" }, "2026-02-06T03:57:41.000Z"],
    [{ createdAt: "soon", timestamp: 1765238302057 }, "2025-12-08T23:58:22.057Z"],
    [{ timestamp: "soon" }, null],
    [{ timestamp: null }, null],
    [{}, null],
  ])("takes the time of %o", (fields, createdAt) => {
    expect(readMessage({ role: "user", content: "hi", ...fields }, "strict").createdAt).toBe(createdAt);
  });
});

describe("content", () => {
  it("passes NUL and lone surrogates through", () => {
    expect(readMessage({ role: "user", content: "a\0b\ud800" }, "strict").parts).toStrictEqual([
      { type: "text", text: "a\0b\ud800" },
    ]);
  });

  it.each([[""], [null], [[]]])("may be empty: %o", (content) => {
    expect(readMessage({ role: "user", content }, "strict").parts).toStrictEqual([]);
  });

  it("with a role is a message, whatever type the host adds", () => {
    for (const fields of [{ content: "hi" }, { parts: [{ type: "text", text: "hi" }] }])
      expect(readMessage({ role: "user", type: "phone_call", ...fields }, "strict")).toMatchObject({
        role: "user",
        parts: [{ type: "text", text: "hi" }],
      });
  });

  it("of a user that only calls a tool stays the user's", () => {
    expect(readMessage(blocks({ type: "tool_use", id: "i", name: "n" }), "strict").role).toBe("user");
  });

  it("keeps blocks named like members of every object as unknown ones", () => {
    for (const type of ["constructor", "__proto__", "toString", ""])
      expect(readBlocks({ type, note: "hi" })).toStrictEqual([
        { type: "other", blockType: type, text: "hi" },
      ]);
  });

  it("leaves encoded bytes out of unknown blocks, and nothing else", () => {
    const base64 = "QUJDRGFiY2QwMTIz".repeat(64);
    const spaced = `${"word ".repeat(200)}9A`;
    const [part] = readBlocks({
      type: "odd",
      base64,
      url: `data:image/png;base64,${base64}`,
      spaced,
      short: "QUJD",
    });
    expect(part).toStrictEqual({ type: "other", blockType: "odd", text: `${spaced}\nQUJD` });
  });

  it("reads links in unknown blocks, and no bytes", () => {
    const link = new URL("https://a.b/c");
    const block = { type: "odd", link, bytes: new Uint8Array(2), type2: "kept", inner: { type: "kept too" } };
    expect(readBlocks(block)).toMatchObject([{ text: "https://a.b/c\nkept\nkept too" }]);
  });

  it("keeps the text of results as it is, also loose strings and what looks encoded", () => {
    const encoded = "QUJDRGFiY2QwMTIz".repeat(64);
    const content = ["loose", { type: "text", text: encoded }, { type: "text", text: "" }, ""];
    const result = { type: "tool_result", tool_use_id: "i" };
    expect(readBlocks({ ...result, content })).toMatchObject([{ output: `loose\n${encoded}\n\n` }]);
    expect(readBlocks({ ...result, content: [] })).toMatchObject([{ output: "" }]);
    expect(readBlocks({ ...result, content: ["a", 1] })).toMatchObject([{ output: '["a",1]' }]);
  });

  it("writes JSON without the bytes in it", () => {
    const input = {
      name: "a",
      bytes: new Uint8Array(3),
      buffer: Buffer.from("x"),
      link: new URL("https://a.b/"),
    };
    expect(readBlocks({ type: "tool-call", toolCallId: "c", toolName: "n", input })).toMatchObject([
      { input: '{"name":"a","bytes":null,"buffer":null,"link":"https://a.b/"}' },
    ]);
  });
});

const ok = { type: "text", text: "ok" };

describe("strict reading refuses, with place and expectation:", () => {
  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ["a string", "hello", /^message is "hello": expected an object with a role/],
    ["null", null, /^message is null: expected an object/],
    ["an array", [], /^message is an array: expected an object/],
    ["no role", { content: "hi" }, /^message\.role is missing: expected one of system, .*Responses API/],
    [
      "an unknown role",
      { role: "moderator", content: "hi" },
      /^message\.role is "moderator": expected one of/,
    ],
    ["a role that is no string", { role: 5, content: "hi" }, /^message\.role is a number/],
    ["an unknown item", { type: "banana" }, /^message\.role is missing/],
    [
      "no content",
      { role: "user" },
      /^message\.content is missing: expected a string, an array of blocks or null/,
    ],
    ["no content of an assistant", { role: "assistant" }, /^message\.content is missing/],
    [
      "content of another kind",
      { role: "user", content: { a: 1 } },
      /^message\.content is an object: expected a/,
    ],
    [
      "content of another kind beside calls",
      assistant({ content: 5, tool_calls: [call()] }),
      /\.content is a number/,
    ],
    ["parts of another kind", { role: "user", parts: "hi" }, /^message\.parts is "hi": expected an array/],
    [
      "a block that is a string",
      blocks(ok, "hi"),
      /^message\.content\[1\] is "hi": expected an object with a type/,
    ],
    ["a block that is null", blocks(null), /^message\.content\[0\] is null/],
    ["a block that is an array", blocks([]), /^message\.content\[0\] is an array/],
    ["a block without type", blocks({ text: "hi" }), /^message\.content\[0\]\.type is missing/],
    ["a block whose type is no string", blocks({ type: 1 }), /^message\.content\[0\]\.type is a number/],
    [
      "text without text",
      blocks({ type: "text" }),
      /^message\.content\[0\]\.text is missing: expected a string/,
    ],
    ["thinking without text", blocks({ type: "thinking" }), /^message\.content\[0\]\.thinking is missing/],
    ["reasoning without text", blocks({ type: "reasoning" }), /^message\.content\[0\]\.text is missing/],
    [
      "tool_use without id",
      blocks({ type: "tool_use", name: "n" }),
      /\[0\]\.id is missing: expected the id of the tool call/,
    ],
    [
      "tool_use without name",
      blocks({ type: "tool_use", id: "i" }),
      /\[0\]\.name is missing: expected the name of the tool/,
    ],
    [
      "tool_result without id",
      blocks({ type: "tool_result" }),
      /\[0\]\.tool_use_id is missing: expected the id/,
    ],
    [
      "a server's result without id",
      blocks({ type: "web_search_tool_result" }),
      /\[0\]\.tool_use_id is missing/,
    ],
    ["tool-call without id", blocks({ type: "tool-call", toolName: "n" }), /\[0\]\.toolCallId is missing/],
    ["tool-call without name", blocks({ type: "tool-call", toolCallId: "i" }), /\[0\]\.toolName is missing/],
    [
      "tool-result without id",
      blocks({ type: "tool-result", toolName: "n" }),
      /\[0\]\.toolCallId is missing/,
    ],
    ["toolCall without id", blocks({ type: "toolCall", name: "n" }), /\[0\]\.id is missing/],
    ["toolCall without name", blocks({ type: "toolCall", id: "i" }), /\[0\]\.name is missing/],
    [
      "a UI tool without id",
      parts({ type: "tool-x", state: "input-available" }),
      /\.parts\[0\]\.toolCallId is missing/,
    ],
    [
      "a dynamic tool without name",
      parts({ type: "dynamic-tool", toolCallId: "i" }),
      /\.parts\[0\]\.toolName is missing/,
    ],
    [
      "calls that are no list",
      assistant({ tool_calls: {} }),
      /^message\.tool_calls is an object: expected an array/,
    ],
    ["a call that is no object", assistant({ tool_calls: ["x"] }), /^message\.tool_calls\[0\] is "x"/],
    [
      "a call without id",
      assistant({ tool_calls: [call(), call({ id: 1 })] }),
      /^message\.tool_calls\[1\]\.id is a number/,
    ],
    [
      "a call without function",
      assistant({ tool_calls: [{ id: "i" }] }),
      /^message\.tool_calls\[0\]\.function is missing/,
    ],
    [
      "a call without name",
      assistant({ tool_calls: [call({ function: {} })] }),
      /\.tool_calls\[0\]\.function\.name is missing/,
    ],
    [
      "a custom call without name",
      assistant({ tool_calls: [{ id: "i", custom: {} }] }),
      /\.custom\.name is missing/,
    ],
    [
      "a function_call without name",
      assistant({ function_call: {} }),
      /^message\.function_call\.name is missing/,
    ],
    [
      "a tool's answer without id",
      { role: "tool", content: "3" },
      /^message\.tool_call_id is missing: expected the id/,
    ],
    [
      "a tool's answer in parts without id",
      { role: "tool", content: [ok] },
      /^message\.tool_call_id is missing/,
    ],
    ["a tool's answer without content", { role: "tool", tool_call_id: "i" }, /^message\.content is missing/],
    ["a function's answer without name", { role: "function", content: "3" }, /^message\.name is missing/],
    ["pi's result without id", { role: "toolResult", content: [] }, /^message\.toolCallId is missing/],
    ["pi's result without content", { role: "toolResult", toolCallId: "i" }, /^message\.content is missing/],
    ["pi's run without command", { role: "bashExecution", output: "" }, /^message\.command is missing/],
    ["pi's summary without text", { role: "branchSummary" }, /^message\.summary is missing/],
    [
      "an item's call without id",
      { type: "function_call", name: "n" },
      /^message\.call_id is missing: expected the id/,
    ],
    ["an item's call without name", { type: "function_call", call_id: "i" }, /^message\.name is missing/],
    [
      "a custom tool's call without name",
      { type: "custom_tool_call", call_id: "i" },
      /^message\.name is missing/,
    ],
    ["a shell's call without id", { type: "local_shell_call" }, /^message\.call_id is missing/],
    [
      "an item's output without id",
      { type: "function_call_output", output: "" },
      /^message\.call_id is missing/,
    ],
    ["our tool without id", parts({ type: "tool", name: "n" }), /^message\.parts\[0\]\.callId is missing/],
    ["our tool's call without name", parts({ type: "tool", callId: "i" }), /\.parts\[0\]\.name is missing/],
    [
      "our tool with an odd status",
      parts(tool({ status: "done" })),
      /\.status is "done": expected pending, running/,
    ],
    ["our tool with an odd output", parts(tool({ output: {} })), /\.output is an object: expected a string/],
    ["our tool with an odd error", parts(tool({ error: 1 })), /\.error is a number/],
    ["our tool with an odd title", parts(tool({ title: 1 })), /\.title is a number/],
    ["our patch without files", parts({ type: "patch" }), /\.files is missing: expected an array of paths/],
    ["our patch with odd files", parts({ type: "patch", files: ["a", 1] }), /\.files\[1\] is a number/],
    ["our patch with an odd hash", parts({ type: "patch", files: [], hash: 1 }), /\.hash is a number/],
    ["our file with an odd mime", parts({ type: "file", mime: 1 }), /\.mime is a number/],
    ["our file with an odd name", parts({ type: "file", name: {} }), /\.name is an object/],
    ["our file with an odd url", parts({ type: "file", url: 1 }), /\.url is a number/],
    ["our subtask without prompt", parts({ type: "subtask" }), /\.prompt is missing/],
    [
      "our subtask with an odd agent",
      parts({ type: "subtask", prompt: "p", agent: 1 }),
      /\.agent is a number/,
    ],
    [
      "our subtask with an odd description",
      parts({ type: "subtask", prompt: "p", description: 1 }),
      /\.description/,
    ],
    [
      "our compaction with an odd auto",
      parts({ type: "compaction", auto: "yes" }),
      /\.auto is "yes": expected true/,
    ],
    [
      "our compaction with an odd text",
      parts({ type: "compaction", auto: true, text: 1 }),
      /\.text is a number/,
    ],
    ["our step with an odd reason", parts({ type: "step_finish", reason: 1 }), /\.reason is a number/],
    [
      "our step with an odd cost",
      parts({ type: "step_finish", cost: "1" }),
      /\.cost is "1": expected a number/,
    ],
    [
      "our step with odd tokens",
      parts({ type: "step_finish", tokens: 5 }),
      /\.tokens is a number: expected an object/,
    ],
    ["our snapshot with an odd hash", parts({ type: "snapshot", hash: 1 }), /\.hash is a number/],
    ["our agent with an odd name", parts({ type: "agent", name: 1 }), /\.name is a number/],
    ["our retry with an odd attempt", parts({ type: "retry", attempt: "2" }), /\.attempt is "2"/],
    ["our retry with an odd error", parts({ type: "retry", error: {} }), /\.error is an object/],
  ];

  it.each(refused)("%s", (_name, message, problem) => {
    expect(refusalOf(message)).toMatch(problem);
  });

  it.each(refused)("%s, which lenient reading keeps as other", (_name, message) => {
    expect(readMessage(message, "lenient").parts).toContainEqual(expect.objectContaining(leniently(message)));
  });

  it("under the name that the caller gives the message", () => {
    expect(refusalOf(blocks("hi"), "messages[3]")).toMatch(/^messages\[3\]\.content\[0\] is/);
  });
});

/** A message without a usable role is still read; all other rejected content becomes `other`. */
function leniently(message: unknown): Partial<Part> {
  const isRoleless = typeof message === "object" && message !== null && "content" in message;
  const role: unknown = isRoleless && "role" in message ? message.role : undefined;
  const roles: readonly unknown[] = [undefined, "moderator", 5];
  return isRoleless && roles.includes(role) ? { type: "text", text: "hi" } : { type: "other" };
}

function blocks(...content: unknown[]): object {
  return { role: "user", content };
}

function parts(...list: unknown[]): object {
  return { role: "assistant", parts: list };
}

function assistant(fields: object): object {
  return { role: "assistant", content: null, ...fields };
}

function call(fields: object = {}): object {
  return { id: "i", type: "function", function: { name: "n", arguments: "{}" }, ...fields };
}

function tool(fields: object): object {
  return { type: "tool", callId: "i", name: "n", ...fields };
}

describe("lenient reading", () => {
  const names = fc.constantFrom(
    ...[
      "role",
      "content",
      "type",
      "parts",
      "text",
      "id",
      "name",
      "input",
      "output",
      "tool_calls",
      "function",
    ],
    ...[
      "tool_use_id",
      "toolCallId",
      "source",
      "summary",
      "file",
      "data",
      "url",
      "files",
      "state",
      "timestamp",
    ],
  );
  const words = fc.constantFrom(
    ...["user", "assistant", "tool", "function", "toolResult", "bashExecution", "branchSummary", "custom"],
    ...[
      "text",
      "tool_use",
      "tool_result",
      "tool-call",
      "tool-result",
      "tool-x",
      "tool",
      "image",
      "file",
      "document",
    ],
    ...[
      "function_call",
      "function_call_output",
      "reasoning",
      "code_interpreter_call",
      "patch",
      "search_result",
    ],
  );
  const messageLike = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.oneof(words, fc.jsonValue({ maxDepth: 1 })),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(names, tie("value"), { maxKeys: 7 }),
    ),
  })).value;

  function expectShape(value: unknown): void {
    const shape = readMessage(value, "lenient");
    expect(ROLES).toContain(shape.role);
    for (const part of shape.parts) {
      expect(PART_TYPES).toContain(part.type);
      // The pairing of calls with results relies on it.
      if (part.type === "tool" && (part.status === "completed" || part.status === "error"))
        expect(part.output).not.toBeNull();
    }
    expect(indexParts(shape.parts)).toHaveLength(shape.parts.length);
    expect(typeof textOfParts(shape.parts)).toBe("string");
    expect(countPartTokens(shape.parts, estimateTokens)).toBeGreaterThanOrEqual(0);
  }

  it("never throws on JSON", () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), expectShape));
  });

  it("never throws on what looks like messages", () => {
    fc.assert(fc.property(messageLike, expectShape), { numRuns: 2_000 });
  });

  it("never throws on any value at all", () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true });
    fc.assert(fc.property(anything, expectShape), { numRuns: 500 });
    fc.assert(
      fc.property(anything, (content) => expectShape({ role: "user", content })),
      { numRuns: 500 },
    );
    const input = { type: "tool_use", id: "i", name: "n" };
    fc.assert(fc.property(anything, (value) => expectShape(blocks({ ...input, input: value }))));
  });

  it("never throws on what is nested deeper than the stack", () => {
    const deep: unknown = JSON.parse(`${'{"a":['.repeat(50_000)}"core"${"]}".repeat(50_000)}`);
    expectShape(deep);
    expect(readMessage(blocks({ type: "odd", deep }), "lenient").parts).toMatchObject([{ text: "core" }]);
    const { parts: read } = readMessage(
      blocks({ type: "tool_use", id: "i", name: "n", input: deep }),
      "lenient",
    );
    expect(read).toMatchObject([{ input: "core" }]);
  });

  it("loses no string of what does not fit", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 20 })), (strings) => {
        const { role, parts: read } = readMessage({ type: "banana", strings }, "lenient");
        expect(role).toBe("user");
        expect(read).toStrictEqual([{ type: "other", blockType: "banana", text: strings.join("\n") }]);
      }),
    );
  });

  it("reads content and parts that come without a role", () => {
    for (const fields of [{ content: "hi" }, { parts: [ok] }, { role: "model", parts: [ok] }])
      expect(readMessage(fields, "lenient")).toMatchObject({ role: "user", parts: [{ type: "text" }] });
  });

  it("reads the blocks that fit beside one that does not", () => {
    expect(readMessage(blocks(ok, { type: "tool_use", name: "ls" }, ok), "lenient").parts).toStrictEqual([
      ok,
      { type: "other", blockType: "tool_use", text: "ls" },
      ok,
    ]);
    expect(readMessage(blocks("loose"), "lenient").parts).toStrictEqual([
      { type: "other", blockType: "unknown", text: "loose" },
    ]);
  });
});

const ALL: readonly Part[] = [
  { type: "text", text: "said" },
  { type: "reasoning", text: "thought" },
  { type: "tool", callId: "c1", name: "read", status: "pending", input: '{"p":"in"}', output: null },
  { type: "tool", callId: "c1", name: null, status: "error", input: null, output: "out" },
  { type: "patch", hash: "9f2c", files: ["a.ts", "b.ts"] },
  { type: "file", mime: "image/png", name: "f.png", url: "https://example.com/f" },
  { type: "file", mime: "image/png", name: null, url: "data:image/png;base64,AAAA" },
  { type: "subtask", prompt: "prompt", description: "description", agent: "scout" },
  { type: "compaction", auto: true, text: "summary" },
  { type: "step_start" },
  { type: "step_finish", reason: "stop" },
  { type: "snapshot", hash: "77aa" },
  { type: "agent", name: "guide" },
  { type: "retry", attempt: 1, error: "overloaded" },
  { type: "other", blockType: "odd", text: "rest" },
];

describe("views of parts", () => {
  it("index every part, tools with id, name and status", () => {
    const index = indexParts(ALL);
    expect(index.map((row) => row.type)).toStrictEqual(ALL.map((part) => part.type));
    expect(index[2]).toStrictEqual({
      type: "tool",
      toolCallId: "c1",
      toolName: "read",
      toolStatus: "pending",
    });
    expect(index[3]).toStrictEqual({ type: "tool", toolCallId: "c1", toolName: null, toolStatus: "error" });
    expect(index[0]).toStrictEqual({ type: "text", toolCallId: null, toolName: null, toolStatus: null });
  });

  it("say as text what somebody would look for, and no data URLs", () => {
    expect(textOfParts(ALL).split("\n")).toStrictEqual([
      ...[
        "said",
        "thought",
        "read",
        '{"p":"in"}',
        "out",
        "9f2c",
        "a.ts",
        "b.ts",
        "f.png",
        "https://example.com/f",
      ],
      ...["scout", "description", "prompt", "summary", "77aa", "guide", "overloaded", "rest"],
    ]);
    expect(textOfParts([])).toBe("");
    expect(textOfParts([{ type: "text", text: "as\nis" }])).toBe("as\nis");
  });

  it("undo the escapes of JSON, so that words stay words", () => {
    const text = (input: string) => textOfParts([{ ...READ, input }]);
    expect(text('{"t":"one\\ntwo \\"three\\" \\u00fc \\ud83d\\ude00 c:\\\\new"}')).toBe(
      'read\n{"t":"one\ntwo "three" ü 😀 c:\\new"}',
    );
    expect(text('grep "\\bfoo\\n"')).toBe('read\ngrep "\\bfoo\\n"');
    expect(text('{ echo "a\\n"; }')).toBe('read\n{ echo "a\\n"; }');
  });

  it("count what the model sees, files at 1,600 each", () => {
    const seen: string[] = [];
    const total = countPartTokens(ALL, (text) => seen.push(text) && 10);
    expect(seen).toStrictEqual(["said", "thought", "read", '{"p":"in"}', "out", "prompt", "summary", "rest"]);
    expect(total).toBe(8 * 10 + 2 * 1_600);
  });
});

const READ = { type: "tool", callId: "c", name: "read", status: "pending", output: null } as const;
