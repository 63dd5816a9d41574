import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageFormat } from "../../types.ts";
import { externalisePayloads } from "./externalise-payloads.ts";
import {
  bytesOf,
  externaliseText,
  externaliseValue,
  messageFrom,
  payloadTexts,
  putTogether,
  SETTINGS,
  useWith,
  withReferences,
} from "./testing/externalise-value.ts";

const LONG = "A line of a long result.\n".repeat(60);
const LARGE = "One line of a large file.\n".repeat(200);
const fileBlock = (content: string, name = "notes.txt") =>
  `<file name="${name}" mime="text/plain">${content}</file>`;

describe("taking payloads out of messages", () => {
  it("leaves ordinary messages as they are", async () => {
    for (const value of [
      { role: "user", content: "hi" },
      { role: "user", content: `${fileBlock("small")} ${"x".repeat(3_000)}` },
      { role: "assistant", content: LARGE },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "Write", input: { text: LARGE } }] },
      { role: "tool", tool_call_id: "t", content: "short" },
    ]) {
      const message = await externaliseValue(value);
      expect(message).toMatchObject({ files: [], stubTokenCount: null });
    }
  });

  it("takes an attached file out with its tags, and counts its reference", async () => {
    const message = await externaliseValue({ role: "user", content: `Look: ${fileBlock(LARGE)} Thanks.` });
    expect(message.files).toMatchObject([
      { kind: "file", name: "notes.txt", mime: "text/plain", tool: null, origin: "ingest", content: null },
    ]);
    expect(message.files.every(({ id }) => /^file_[0-9a-f]{16}$/.test(id))).toBe(true);
    expect(payloadTexts(message)).toEqual([LARGE]);
    expect(withReferences(message)).toEqual({
      role: "user",
      content: `Look:\u0020
[LCM File: ${message.files[0]?.id} | notes.txt | text/plain | 5,200 bytes]

Exploration Summary:
${message.files[0]?.description}
 Thanks.`,
    });
    expect(message.tokenCount).toBeLessThan(100);
    expect(message.stubTokenCount).toBeNull();
  });

  it("takes what has one token more than the threshold, not what has as many", async () => {
    for (const [tokens, files] of [
      [SETTINGS.largeFileTokenThreshold, 0],
      [SETTINGS.largeFileTokenThreshold + 1, 1],
    ] as const) {
      const content = fileBlock("word".repeat(tokens));
      expect((await externaliseValue({ role: "user", content })).files).toHaveLength(files);
      expect((await externaliseValue({ role: "system", content })).files).toHaveLength(files);
    }
    for (const [text, files] of [
      ["é".repeat(500), 0],
      [`${"é".repeat(500)}x`, 1],
      ["中".repeat(333), 0],
      ["😀".repeat(251), 1],
    ] as const)
      expect((await externaliseValue({ role: "tool", tool_call_id: "t", content: text })).files).toHaveLength(
        files,
      );
  });

  it("keeps both ends of a paste in view, cut at the ends of lines", async () => {
    const lines = Array.from({ length: 900 }, (_, i) => `line ${i} of the log`).join("\n");
    const text = `Why does this fail?\n${lines}\nPlease fix it.`;
    const message = await externaliseValue({ role: "user", content: text });
    expect(message.files).toMatchObject([{ kind: "file", name: null, mime: null }]);
    expect(payloadTexts(message)).toEqual([text]);
    const { content } = withReferences(message) as { content: string };
    expect(content).toMatch(/^Why does this fail\?\nline 0/);
    expect(content).toMatch(
      /\n\[LCM File: file_[0-9a-f]{16} \| \(unnamed\) \| \(unknown type\) \| [\d,]+ bytes\]\n/,
    );
    expect(content).toMatch(/of the log\nPlease fix it\.$/);
    expect(content.length).toBeLessThan(2_500);
    expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
    // A system prompt is never externalised.
    expect((await externaliseValue({ role: "system", content: text })).files).toEqual([]);
  });

  it("never cuts a paste inside a surrogate pair", async () => {
    for (const shift of ["", "x"]) {
      const message = await externaliseValue({ role: "user", content: shift + "😀".repeat(5_000) });
      const { content } = withReferences(message) as { content: string };
      expect(content).toMatch(/^x?(?:😀)+\n\[LCM File:.*\n(?:😀)+$/su);
      expect(content.isWellFormed()).toBe(true);
      expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
    }
  });

  it("takes several files of one message, and one that is there twice once", async () => {
    const other = LARGE.toUpperCase();
    const content = [
      fileBlock(LARGE),
      fileBlock(other, "other"),
      fileBlock(LARGE),
      fileBlock(LARGE, "b"),
    ].join("");
    const message = await externaliseValue({ role: "user", content: [{ type: "text", text: content }] });
    expect(message.files.map(({ name, places }) => [name, places.length])).toEqual([
      ["notes.txt", 2],
      ["other", 1],
      ["b", 1],
    ]);
    expect(payloadTexts(message)).toEqual([LARGE, other, LARGE]);
    const text = JSON.stringify(withReferences(message));
    expect(text).not.toContain("<file");
    expect(text.match(/LCM File/g)).toHaveLength(4);
  });

  it("takes nested blocks as one, and text behind an unclosed tag as a paste", async () => {
    const nested = `${fileBlock("inner")}${LARGE}`;
    expect(payloadTexts(await externaliseValue({ role: "user", content: fileBlock(nested) }))).toEqual([
      nested,
    ]);
    const unclosed = await externaliseValue({ role: "user", content: `<file name="a">${LARGE.repeat(2)}` });
    expect(unclosed.files).toMatchObject([{ name: null, mime: null }]);
    expect((withReferences(unclosed) as { content: string }).content).toMatch(/^<file name="a">/);
  });

  it("takes the texts of results, whatever the family", async () => {
    const families: readonly [object, number][] = [
      [{ role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: LONG }] }, 1],
      [
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: LONG }] }],
        },
        1,
      ],
      [{ role: "tool", tool_call_id: "c", content: LONG }, 1],
      [{ role: "tool", tool_call_id: "c", content: [{ type: "text", text: LONG }] }, 1],
      [{ type: "function_call_output", call_id: "c", output: LONG }, 1],
      [{ type: "function_call_output", call_id: "c", output: JSON.stringify({ output: LONG }) }, 1],
      [{ type: "custom_tool_call_output", call_id: "c", output: [{ type: "input_text", text: LONG }] }, 1],
      [
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "c", toolName: "t", output: { type: "text", value: LONG } },
          ],
        },
        1,
      ],
      [
        {
          role: "tool",
          content: [
            {
              ...{ type: "tool-result", toolCallId: "c", toolName: "t" },
              output: { type: "json", value: { a: LONG, b: ["x", `${LONG}"\\é`], c: "short" } },
            },
          ],
        },
        2,
      ],
      [
        {
          role: "tool",
          content: [{ type: "tool-result", toolCallId: "c", toolName: "t", result: { out: LONG } }],
        },
        1,
      ],
      [{ role: "toolResult", toolCallId: "c", toolName: "t", content: [{ type: "text", text: LONG }] }, 1],
      [{ role: "tool", parts: [{ type: "tool", callId: "c", output: LONG }] }, 1],
    ];
    for (const [value, count] of families) {
      const message = await externaliseValue(value, {
        findCall: (id) => (id === "c" ? { name: "Read", input: '{"path":"src/a.ts"}' } : null),
      });
      expect(message.files.map(({ kind, writing }) => [kind, writing])).toEqual(
        Array.from({ length: count }, () => ["tool-output", "json"]),
      );
      expect(message.files[0]?.description).toMatch(/^Tool: (?:Read|t) \| path=src\/a\.ts$/);
      expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
      expect(message.stubTokenCount).toBeLessThan(message.tokenCount);
      expect(JSON.stringify(withReferences(message))).toContain("[LCM Tool Output: file_");
    }
  });

  it("leaves the shape of a result with several blocks, its images and short texts", async () => {
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "iVBOR0".repeat(900) },
    };
    const blocks = [
      { type: "text", text: LONG },
      image,
      { type: "text", text: "short" },
      { type: "text", text: LARGE },
    ];
    const value = { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: blocks }] };
    const message = await externaliseValue(value);
    expect(payloadTexts(message)).toEqual([LONG, LARGE]);
    const reference = expect.stringMatching(/^\[LCM Tool Output: file_/);
    expect(withReferences(message)).toEqual({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "c",
          content: [{ type: "text", text: reference }, image, blocks[2], { type: "text", text: reference }],
        },
      ],
    });
  });

  it("tells equal results of different calls apart", async () => {
    const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: LONG });
    const message = await externaliseValue(
      { role: "user", content: [result("a"), result("b"), { type: "text", text: "go on" }] },
      { findCall: (id) => ({ name: id, input: null }) },
    );
    expect(message.files.map(({ tool, description, places }) => [tool, description, places.length])).toEqual([
      ["a", "Tool: a", 1],
      ["b", "Tool: b", 1],
    ]);
  });

  it("takes a user's file beside a result, and counts both", async () => {
    const content = [
      { type: "tool_result", tool_use_id: "a", content: LONG },
      { type: "text", text: fileBlock(LARGE) },
    ];
    const message = await externaliseValue({ role: "user", content });
    expect(message.files.map(({ kind }) => kind)).toEqual(["tool-output", "file"]);
    expect(message.tokenCount).toBeGreaterThan(LONG.length / 4);
    expect(message.tokenCount).toBeLessThan(LONG.length / 4 + 100);
    expect(message.stubTokenCount).toBeLessThan(150);
  });

  it("takes every occurrence in a transcript's line", async () => {
    const line = JSON.stringify({
      ...{ type: "user", uuid: "u", parentUuid: null, sessionId: "s" },
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: LONG }] },
      toolUseResult: { stdout: LONG, stderr: "", [LONG]: 1 },
    });
    const message = await externaliseText(line, {}, "claude-code");
    expect(message.files.map(({ places }) => places.length)).toEqual([2]);
    expect(Buffer.from(putTogether(message)).toString()).toBe(line);
  });

  it("takes results out of the lines of every transcript", async () => {
    const said = { type: "tool_result", tool_use_id: "c", content: LONG };
    const lines: readonly [MessageFormat, object][] = [
      [
        "claude-code",
        { type: "user", uuid: "u", sessionId: "s", message: { role: "user", content: [said] } },
      ],
      [
        "codex",
        { type: "response_item", payload: { type: "function_call_output", call_id: "c", output: LONG } },
      ],
      [
        "codex-legacy",
        { type: "function_call_output", call_id: "c", output: JSON.stringify({ output: LONG }) },
      ],
      [
        "copilot-cli",
        { type: "tool.execution_complete", id: "e", data: { toolCallId: "c", result: { content: LONG } } },
      ],
      [
        "pi",
        {
          ...{ type: "message", id: "e" },
          message: {
            role: "toolResult",
            toolCallId: "c",
            toolName: "t",
            content: [{ type: "text", text: LONG }],
          },
        },
      ],
      [
        "pi",
        { type: "message", id: "e", message: { role: "bashExecution", command: "ls -la", output: LONG } },
      ],
      ["neutral", { role: "tool", tool_call_id: "c", content: LONG }],
    ];
    for (const [format, line] of lines) {
      const content = JSON.stringify(line);
      const message = await externaliseText(content, {}, format);
      expect(message.files).toMatchObject([{ kind: "tool-output" }]);
      expect(message.files[0]?.description).toMatch(/^Tool: \w+$/);
      expect(message.stubTokenCount).toBeLessThan(100);
      expect(Buffer.from(putTogether(message)).toString()).toBe(content);
    }
  });

  it("parses nothing of a message that is too short to hold a payload", async () => {
    const short = messageFrom('{"role":"user","content":"hi"}');
    const message = await externalisePayloads({ ...short, content: "not JSON" }, {}, useWith());
    expect(message.files).toEqual([]);
  });

  it("gives names and descriptions that every store can keep", async () => {
    const content = fileBlock(LARGE, "a\0b\ud800.txt");
    const explorer = { describe: async () => "c\0d\udfff" };
    const [file] = (await externaliseValue({ role: "user", content }, { explorer })).files;
    expect(file).toMatchObject({ name: "ab\ufffd.txt", description: "cd\ufffd" });
  });

  it("takes the words of an attachment that its host puts together", async () => {
    const attachment = {
      type: "file",
      filename: "a.md",
      content: { type: "text", file: { content: LARGE.repeat(4) } },
    };
    const line = JSON.stringify({ type: "attachment", uuid: "u", sessionId: "s", attachment });
    const message = await externaliseText(line, {}, "claude-code");
    expect(message.files).toMatchObject([{ kind: "file", mime: null }]);
    expect(message.tokenCount).toBeLessThan(1_200);
  });

  it("reads what Python writes, and leaves what could not be put back", async () => {
    const text = `${LONG}äö中😀\u007f"\\\n`;
    const python = (value: object) =>
      JSON.stringify(value)
        .replaceAll(":", ": ")
        .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const content = python({ role: "tool", tool_call_id: "c", content: text });
    const message = await externaliseText(content);
    expect(message.files).toMatchObject([{ writing: "json-ascii" }]);
    expect(payloadTexts(message)).toEqual([text]);
    expect(Buffer.from(putTogether(message)).toString()).toBe(content);
    const odd = { role: "tool", tool_call_id: "c", content: text.replace("ö", "/") };
    expect((await externaliseText(python(odd).replace("/", "\\/"))).files).toEqual([]);
    // Unusual escapes beside a payload do not prevent externalising it.
    const beside = `{"role":"user","content":"a\\/b ${JSON.stringify(fileBlock(LARGE)).slice(1, -1)}\\u0041"}`;
    expect(payloadTexts(await externaliseText(beside))).toEqual([LARGE]);
  });

  it("takes what stands around half a character, and puts it back", async () => {
    const half = "\ud83d";
    for (const [content, payloads] of [
      [`${LONG}${half}`, [LONG]],
      [`\udc00${half}${LONG}`, [LONG]],
      [`${LONG}${half}${LARGE}`, [LONG, LARGE]],
      [`${half}${LONG}${half}short${half}${LONG}${half}`, [LONG]],
    ] as const) {
      const message = await externaliseValue({ role: "tool", tool_call_id: "c", content });
      expect(payloadTexts(message)).toEqual(payloads);
      expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
      expect(message.stubTokenCount).toBeLessThan(150);
    }
    const shown = async (content: string) => {
      const message = await externaliseValue({ role: "user", content });
      expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
      return (withReferences(message) as { content: string }).content;
    };
    const attached = await shown(`Look: ${fileBlock(`${LARGE}${half}`)} Thanks.`);
    expect(attached).toMatch(/^Look: \n\[LCM File: .* Thanks\.$/s);
    expect(attached.isWellFormed() && !attached.includes("<file")).toBe(true);
    const paste = await shown(`Why?\n${LARGE}${half}`);
    expect(paste).toMatch(/^Why\?\nOne[^[]*\n\[LCM File: /);
    expect(paste.endsWith(`file.\n${half}`)).toBe(true);
  });

  it("puts back any text with halves of characters", async () => {
    const halves = fc.constantFrom("\ud83d", "\ude00", "😀", LONG, "x", '\n"', "\\u", LARGE);
    await fc.assert(
      fc.asyncProperty(fc.array(halves, { maxLength: 12 }), fc.boolean(), async (pieces, isResult) => {
        const content = pieces.join("");
        const value = isResult ? { role: "tool", tool_call_id: "c", content } : { role: "user", content };
        const message = await externaliseValue(value);
        expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
        expect(payloadTexts(message).every((text) => !text.includes("\ufffd"))).toBe(true);
      }),
    );
  });

  it("takes the largest of many texts that are too much together, until the rest is not", async () => {
    const text = (size: number, letter: string) => ({ type: "text", text: letter.repeat(size) });
    const take = async (...content: object[]) => {
      const message = await externaliseValue({
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c", content }],
      });
      expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
      return payloadTexts(message).map((payload) => `${payload.length} ${payload[0]}`);
    };
    expect(await take(text(600, "a"), text(700, "b"), text(300, "c"))).toEqual(["700 b"]);
    expect(await take(text(600, "a"), text(700, "b"), text(550, "c"))).toEqual(["600 a", "700 b"]);
    expect(await take(text(600, "a"), text(399, "b"))).toEqual([]);
    expect(await take(text(900, "a"), ..."bcd".split("").map((letter) => text(50, letter)))).toEqual([
      "900 a",
    ]);
    // Each would leave a reference that is as long as itself.
    expect(await take(...Array.from({ length: 9 }, (_, i) => text(400, `${i}`)))).toEqual([]);
  });

  it("takes payloads out of lines that are not UTF-8", async () => {
    const json = JSON.stringify({ role: "tool", tool_call_id: "c", content: `${LONG}ÿé\n` });
    for (const content of [Buffer.from(json, "latin1"), Buffer.from(`\u00ef\u00bb\u00bf${json}`, "latin1")]) {
      const message = await externaliseText(content, {}, "neutral");
      expect(message.files).toMatchObject([{ kind: "tool-output", writing: "json-latin1" }]);
      expect(Buffer.compare(putTogether(message), content)).toBe(0);
      expect(message.stubTokenCount).toBeLessThan(100);
    }
    const beyond = json.replace("é", "\\u4e2d");
    expect((await externaliseText(Buffer.from(beyond, "latin1"), {}, "neutral")).files).toEqual([]);
    const named = { role: "user", content: `${fileBlock(LARGE, "Übersicht.md")}` };
    const bytes = Buffer.concat([
      Buffer.from(JSON.stringify(named).slice(0, -2)),
      Buffer.from([0xff, 34, 125]),
    ]);
    expect((await externaliseText(bytes, {}, "neutral")).files).toMatchObject([{ name: "Übersicht.md" }]);
  });

  it("takes what looks like encoded bytes or has control characters where it is the result itself", async () => {
    for (const text of [
      "Ab0".repeat(1_000),
      `data:text/plain,${LONG}`,
      `${LONG}\u0000\u0001\u001b[31m\u2028`,
    ]) {
      const message = await externaliseValue({ role: "tool", tool_call_id: "c", content: text });
      expect(payloadTexts(message)).toEqual([text]);
      expect(Buffer.compare(putTogether(message), bytesOf(message.content))).toBe(0);
    }
  });

  it("takes with a threshold of 0 all that is longer than a reference", async () => {
    const settings = { largeFileTokenThreshold: 0, toolOutputStubBytes: 0 };
    const take = (content: string) =>
      externaliseValue({ role: "tool", tool_call_id: "c", content }, { settings });
    expect((await take("")).files).toEqual([]);
    expect((await take("ok")).files).toEqual([]);
    expect((await take("x".repeat(300))).files).toHaveLength(1);
    const empty = { role: "user", content: fileBlock("") + fileBlock("y".repeat(300)) };
    expect((await externaliseValue(empty, { settings })).files).toHaveLength(1);
  });

  it("keeps bytes and addresses inside a message as they are", async () => {
    const data = new Uint8Array(3_000).fill(65);
    const content = [
      { type: "file", mediaType: "image/png", data },
      { type: "text", text: fileBlock(LARGE) },
    ];
    const message = await externaliseValue({ role: "user", content });
    expect(message).toMatchObject({ format: "message+binary", files: [{ kind: "file" }] });
    expect(withReferences(message)).toMatchObject({ content: [{ data }, {}] });
  });

  it("gives any message back byte for byte", async () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom(
        LONG,
        LARGE,
        fileBlock(LARGE),
        fileBlock("x"),
        "<file name=a>",
        "</file>",
        "中文".repeat(400),
        "😀".repeat(600),
      ),
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const block = fc.oneof(
      text.map((words) => ({ type: "text", text: words })),
      fc
        .tuple(text, fc.string({ minLength: 1 }))
        .map(([content, id]) => ({ type: "tool_result", tool_use_id: id, content })),
    );
    const value = fc.record({
      role: fc.constantFrom("user", "system", "assistant"),
      content: fc.oneof(text, fc.array(block, { maxLength: 4 })),
    });
    await fc.assert(
      fc.asyncProperty(value, fc.boolean(), fc.boolean(), async (given, isPython, isBroken) => {
        const json = JSON.stringify(given);
        const written = isPython
          ? json.replaceAll(
              /[\u0080-\uffff]/g,
              (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
            )
          : json;
        const broken = [
          Buffer.from('{"broken":"'),
          Buffer.from([0xff]),
          Buffer.from(`",${written.slice(1)}`),
        ];
        const content = isBroken ? Buffer.concat(broken) : written;
        const message = await externaliseText(content, {}, "neutral");
        expect(Buffer.compare(putTogether(message), bytesOf(content))).toBe(0);
        if (given.role === "assistant") expect(message.files).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
