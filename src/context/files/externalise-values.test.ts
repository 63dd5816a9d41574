import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageFormat } from "../../types.ts";
import {
  bytesOf,
  externaliseText,
  externaliseValue,
  payloadTexts,
  putTogether,
  SETTINGS,
  withReferences,
} from "./testing/externalise-value.ts";

const LONG = "A line of a long result.\n".repeat(60);
/** Fields that are each short but together too large. */
const DATA = { rows: Array.from({ length: 60 }, (_, id) => ({ id, name: `row ${id}`, ok: id % 2 === 0 })) };
const TEXT = JSON.stringify(DATA);
const REFERENCE = expect.stringMatching(
  /^\[LCM Tool Output: file_[0-9a-f]{16} \| tool=t \| [\d,]+ bytes\]\n/,
);

const aiResult = (output: unknown, toolCallId = "c") => ({
  ...{ type: "tool-result", toolCallId, toolName: "t", output },
});
const aiMessage = (...content: unknown[]) => ({ role: "tool", content });
const json = (value: unknown) => aiMessage(aiResult({ type: "json", value }));

async function taken(value: object): Promise<string[]> {
  const message = await externaliseValue(value);
  expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
  return payloadTexts(message);
}

describe("taking results that are data out of messages", () => {
  it("takes the value whole where a family has one, and leaves a string in its place", async () => {
    const families: readonly ((value: unknown) => object)[] = [
      (value) => json(value),
      (value) => aiMessage(aiResult({ type: "error-json", value })),
      (value) => aiMessage(aiResult({ type: "json", value, providerOptions: { a: { b: 1 } } })),
      (value) => aiMessage({ type: "tool-result", toolCallId: "c", toolName: "t", result: value }),
      (value) => aiMessage({ type: "tool-result", toolCallId: "c", toolName: "t", output: value }),
      (value) => ({
        role: "user",
        parts: [
          {
            ...{ type: "tool-t", toolCallId: "c", state: "output-available", input: { a: 1 }, output: value },
          },
        ],
      }),
      (value) => ({
        role: "user",
        parts: [
          {
            type: "tool-invocation",
            toolInvocation: { toolCallId: "c", toolName: "t", state: "result", args: {}, result: value },
          },
        ],
      }),
      (value) => ({ role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: value }] }),
      (value) => ({ type: "function_call_output", call_id: "c", output: value }),
      (value) => ({ role: "bashExecution", command: "ls", output: value }),
    ];
    for (const family of families)
      for (const value of [DATA, DATA.rows]) {
        const message = await externaliseValue(family(value), {
          findCall: () => ({ name: "t", input: null }),
        });
        expect(message.files).toMatchObject([{ kind: "tool-output", writing: "json-value", name: null }]);
        expect(payloadTexts(message)).toEqual([JSON.stringify(value)]);
        expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
        const reference = expect.stringMatching(
          /^\[LCM Tool Output: file_.*expandFile=true\) to read it\.$/s,
        );
        expect(withReferences(message)).toEqual(family(reference));
        expect(message.tokenCount).toBeGreaterThan(500);
        expect(message.stubTokenCount).toBeLessThan(100);
      }
  });

  it("takes lists of untyped things from the families whose results are text or lists", async () => {
    for (const message of [
      { role: "tool", tool_call_id: "c", content: DATA.rows },
      { role: "toolResult", toolCallId: "c", toolName: "t", content: DATA.rows },
    ])
      expect(await taken(message)).toEqual([JSON.stringify(DATA.rows)]);
  });

  it("leaves the structure in view where long strings are what makes it large", async () => {
    expect(await taken(json({ a: LONG, b: ["x", `${LONG}"é`], c: "short" }))).toEqual([LONG, `${LONG}"é`]);
    expect(await taken(json({ out: LONG, rows: DATA.rows.slice(0, 10) }))).toEqual([LONG]);
    const both = { out: LONG, ...DATA };
    expect(await taken(json(both))).toEqual([JSON.stringify(both)]);
    // References to all of them would again be too large.
    const many = Array.from({ length: 5 }, (_, i) => `${i} ${LONG}`);
    expect(await taken(json(many))).toEqual([JSON.stringify(many)]);
  });

  it("takes what has a byte more than the limit, not what has as many", async () => {
    const limit = SETTINGS.toolOutputStubBytes;
    for (const letter of ["x", "é", "漢", "😀"]) {
      const size = Buffer.byteLength(letter);
      const of = (bytes: number) => {
        const words = Array.from({ length: 9 }, () => letter.repeat(Math.floor(90 / size)));
        const rest = bytes - Buffer.byteLength(JSON.stringify([...words, ""]));
        return [...words, "x".repeat(rest)];
      };
      expect(Buffer.byteLength(JSON.stringify(of(limit)))).toBe(limit);
      expect(await taken(json(of(limit)))).toEqual([]);
      expect(await taken(json(of(limit + 1)))).toEqual([JSON.stringify(of(limit + 1))]);
    }
  });

  it("leaves blocks, images, what a model wrote and what nobody reads", async () => {
    const blocks = Array.from({ length: 60 }, (_, i) => ({ type: "text", text: `block ${i} of many` }));
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "iVBOR0".repeat(9) },
    };
    const call = { type: "tool-call", toolCallId: "c", toolName: "t", input: DATA };
    for (const value of [
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: blocks }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: [...blocks, image] }] },
      { role: "tool", tool_call_id: "c", content: blocks },
      aiMessage(aiResult({ type: "content", value: blocks })),
      aiMessage({ ...aiResult({ type: "text", value: "short" }), providerMetadata: DATA }),
      { role: "assistant", content: [call] },
      { role: "assistant", content: [aiResult({ type: "json", value: DATA })] },
      { role: "user", content: [{ type: "data-custom", data: DATA }] },
      { role: "user", content: [{ type: "text", text: "hi" }], data: DATA },
      { type: "web_search_call", id: "w", status: "completed", results: DATA.rows },
      // The provider requires a list here.
      { type: "shell_call_output", call_id: "c", output: DATA.rows },
    ])
      expect(await taken(value)).toEqual([]);
  });

  it.each(["user", "assistant"])("keeps the call of a part that holds both, said by the %s", async (role) => {
    const part = { type: "tool-t", toolCallId: "c", state: "output-available", input: DATA, output: DATA };
    const message = await externaliseValue({ role, parts: [part] });
    expect(message.files).toMatchObject([{ tool: "t", places: [{}] }]);
    expect(withReferences(message)).toEqual({ role, parts: [{ ...part, output: REFERENCE }] });
  });

  it("takes only results of the caller's tools out of what an assistant said", async () => {
    const said = { type: "text", text: `<file name="a.txt">${"word ".repeat(400)}</file>` };
    const done = { toolCallId: "c", state: "output-available", input: {} };
    const part = { type: "tool-t", ...done, output: "line\n".repeat(400) };
    expect(await taken({ role: "assistant", parts: [said, part] })).toEqual([part.output]);
    const search = { type: "tool-web_search", ...done, providerExecuted: true, output: DATA };
    expect(await taken({ role: "assistant", parts: [search, part] })).toEqual([]);
  });

  it("tells several values of one message apart, equal ones and strings beside them", async () => {
    const other = { ...DATA, more: true };
    const value = aiMessage(
      aiResult({ type: "json", value: DATA }, "a"),
      aiResult({ type: "text", value: LONG }, "b"),
      aiResult({ type: "json", value: DATA }, "c"),
      aiResult({ type: "json", value: other }, "d"),
      aiResult({ type: "json", value: "short" }, "e"),
      aiResult({ type: "json", value: { ...DATA, LONG } }, "f"),
      aiResult({ type: "text", value: LONG }, "g"),
      aiResult({ type: "json", value: DATA }, "a"),
    );
    const message = await externaliseValue(value);
    expect(payloadTexts(message)).toEqual([
      ...[TEXT, LONG, TEXT, JSON.stringify(other), JSON.stringify({ ...DATA, LONG }), LONG],
    ]);
    expect(message.files.map(({ places }) => places.length)).toEqual([2, 1, 1, 1, 1, 1]);
    expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
    const shown = withReferences(message) as { content: { output: { value: string } }[] };
    const outputs = shown.content.map(({ output }) => output.value);
    const ids = outputs.map((output) => /file_[0-9a-f]{16}/.exec(output)?.[0] ?? output);
    const [a = "", b, c, d, , f, g] = ids;
    expect(ids).toEqual([a, b, c, d, "short", f, g, a]);
    expect(new Set(ids).size).toBe(7);
  });

  it("leaves a value that is written in another way, and takes the long strings in it", async () => {
    const value = json({ ...DATA, out: LONG });
    const plain = JSON.stringify(value);
    const big = TEXT.slice(1);
    const inside = (fields: string) => JSON.stringify(json(0)).replace('"value":0', `"value":{${fields}`);
    for (const written of [
      JSON.stringify(value, null, 1),
      plain.replaceAll(":", ": "),
      plain.replace("row 1", "row\\u00201"),
      ...[
        '"10":1,"2":1,',
        '"n":1.0,',
        '"n":1e3,',
        '"n":-0,',
        '"n":1,"n":2,',
        '"n":12345678901234567890,',
      ].map((odd) => inside(`${odd}"out":${JSON.stringify(LONG)},${big}`)),
    ]) {
      const message = await externaliseText(written, {}, "neutral");
      expect([written.slice(0, 150), payloadTexts(message)]).toEqual([written.slice(0, 150), [LONG]]);
      expect(Buffer.from(putTogether(message)).toString()).toBe(written);
    }
    const latin1 = Buffer.from(plain.replace("row 1", "row \u00e9"), "latin1");
    const message = await externaliseText(latin1, {}, "neutral");
    expect(message.files).toMatchObject([{ writing: "json-latin1" }]);
    expect(Buffer.compare(putTogether(message), latin1)).toBe(0);
  });

  it("takes values with odd keys, halves of characters and deep nesting", async () => {
    const nested = (depth: number): unknown => (depth === 0 ? DATA : [nested(depth - 1)]);
    for (const value of [
      JSON.parse(`{"__proto__":${TEXT},"constructor":1}`),
      { toJSON: "is a key", ...DATA },
      { type: "no block", ...DATA },
      { half: "\ud83d", '\udc00"\\\u2028': "\0", ...DATA },
      { 10: 1, 2: 2, "": -0, n: [1e21, 1e-7, 0.1], ...DATA },
      { missing: undefined, ...DATA },
      nested(900),
      { $palimpsest: "URL", data: "no", ...DATA },
    ])
      expect(await taken(json(value))).toEqual([JSON.stringify(value)]);
  });

  it("takes values of messages that hold bytes, and gives the bytes back", async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const picture = { type: "file", mediaType: "image/png", data: bytes };
    const value = { ...json({ ...DATA, $palimpsest: 1 }), more: [picture] };
    const message = await externaliseValue(value);
    expect(message).toMatchObject({ format: "message+binary", files: [{ writing: "json-value" }] });
    expect(withReferences(message)).toMatchObject({
      more: [picture],
      content: [{ output: { value: REFERENCE } }],
    });
    expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
    expect(await taken(json({ ...DATA, bytes }))).toHaveLength(1);
  });

  it("takes values that are large by their addresses or bytes", async () => {
    const urls = Array.from({ length: 9 }, (_, i) => new URL(`https://example.org/${"a".repeat(100)}/${i}`));
    expect(await taken(json({ urls }))).toHaveLength(1);
    expect(await taken(json({ urls: [], pieces: urls.map(() => new Uint8Array(100)) }))).toEqual([]);
  });

  it("takes values out of the lines of transcripts", async () => {
    const lines: readonly [MessageFormat, object][] = [
      ["neutral", json(DATA)],
      [
        "codex",
        { type: "response_item", payload: { type: "function_call_output", call_id: "c", output: DATA } },
      ],
      [
        "claude-code",
        {
          ...{ type: "user", uuid: "u", sessionId: "s", toolUseResult: DATA },
          message: { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: DATA.rows }] },
        },
      ],
    ];
    const around = (text: string) => [text, `${text}\r`, `\ufeff${text}`, ` ${text}\n`];
    for (const [format, content] of lines.flatMap(([format, line]) =>
      around(JSON.stringify(line)).map((text) => [format, text] as const),
    )) {
      const message = await externaliseText(content, {}, format);
      expect(message.files).toMatchObject([{ writing: "json-value", places: [{}] }]);
      expect(message.stubTokenCount).toBeLessThan(100);
      expect(Buffer.from(putTogether(message)).toString()).toBe(content);
    }
  });

  it("takes with a limit of 0 what is longer than a reference", async () => {
    const settings = { largeFileTokenThreshold: 0, toolOutputStubBytes: 0 };
    const files = async (value: unknown) => (await externaliseValue(json(value), { settings })).files.length;
    expect(await files({ a: 1 })).toBe(0);
    expect(await files({})).toBe(0);
    expect(await files(DATA)).toBe(1);
  });

  it("comes to an end with much of anything", async () => {
    const deep = (depth: number): unknown => {
      let value: unknown = DATA;
      for (let i = 0; i < depth; i++) value = { a: [i, "x"], [`b${i}`]: value };
      return value;
    };
    const numbers = Array.from({ length: 300_000 }, (_, i) => i);
    const results = Array.from({ length: 2_000 }, (_, i) => aiResult({ type: "json", value: DATA }, `c${i}`));
    const nested = Array.from({ length: 200 }, () => deep(400));
    for (const [value, count] of [
      [json(numbers), 1],
      [aiMessage(...results), 2_000],
      [json(nested), 1],
      [json(Object.fromEntries(numbers.map((i) => [`k${i}`, "v"]))), 1],
      [{ role: "tool", tool_call_id: "c", content: numbers.map(() => ({ type: "text", text: "x" })) }, 0],
    ] as const)
      expect(await taken(value)).toHaveLength(count);
  });

  it("gives any value back byte for byte", async () => {
    const filler = fc.constantFrom<unknown>(DATA, DATA.rows, LONG, "short", 1, [], {}, [LONG, DATA]);
    const value = fc.oneof(
      fc.json().map((text) => JSON.parse(text) as unknown),
      filler,
    );
    const output = fc.oneof(
      fc.record({ type: fc.constantFrom("json", "error-json", "text", "content"), value }),
      value,
    );
    const result = fc.tuple(output, fc.constantFrom("a", "b")).map(([one, id]) => aiResult(one, id));
    const padded = fc.record({ value, pad: fc.nat(200) }).map((one) => ({
      ...{ any: one.value, pad: Array.from({ length: one.pad }, (_, i) => `${i} 漢😀"`) },
    }));
    const any = fc.oneof(
      fc.array(result, { maxLength: 4 }).map((results) => aiMessage(...results)),
      fc
        .array(
          padded.map((data) => aiResult({ type: "json", value: data })),
          { maxLength: 3 },
        )
        .map((all) => aiMessage(...all)),
      value.map((content) => ({
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c", content }],
      })),
    );
    await fc.assert(
      fc.asyncProperty(any, fc.boolean(), async (given, isSpaced) => {
        const content = JSON.stringify(given, null, isSpaced ? 1 : 0);
        const message = await externaliseText(content, {}, "neutral");
        expect(Buffer.from(putTogether(message)).toString()).toBe(content);
        // The message stays readable with any replacement.
        expect(withReferences(message)).toBeTypeOf("object");
      }),
      { numRuns: 300 },
    );
  });
});
