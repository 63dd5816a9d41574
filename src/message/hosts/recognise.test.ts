import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readOpening } from "../../context/ingest/transcripts/read-opening.ts";
import { TRANSCRIPT_FORMATS, transcriptFormat } from "./formats.ts";
import { type Recognised, recogniseFormat } from "./recognise.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "recognise-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function recognise(content: string | Uint8Array): Promise<Recognised> {
  const path = join(folder, "file.jsonl");
  writeFileSync(path, content);
  const { lines, start } = await readOpening(path);
  return recogniseFormat(lines, path, start);
}

function jsonl(...lines: unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const AT = "2026-03-01T10:00:00.000Z";
const CLAUDE = {
  type: "user",
  uuid: "u",
  parentUuid: null,
  sessionId: "s",
  message: { role: "user", content: "x" },
};
const TRAJECTORY = (type: string) => ({
  traceSchema: "openclaw-trajectory",
  schemaVersion: 1,
  traceId: "s",
  source: "runtime",
  type,
  ts: AT,
  seq: 1,
  sessionId: "s",
  data: { messages: [{ role: "user", content: "x" }] },
});
const FILES: readonly (readonly [label: string, content: string])[] = [
  ["Claude Code", jsonl(CLAUDE)],
  ["Claude Code", jsonl({ type: "custom-title", customTitle: "T", sessionId: "s" })],
  ["Claude Code", jsonl({ type: "file-history-snapshot", messageId: "m", snapshot: {} })],
  ["Claude Code subagent", jsonl({ ...CLAUDE, isSidechain: true, agentId: "a1" })],
  ["Codex", jsonl({ timestamp: AT, type: "session_meta", payload: { id: "i" } })],
  [
    "Codex",
    jsonl({ timestamp: AT, type: "response_item", payload: { type: "message", role: "user", content: [] } }),
  ],
  [
    "Codex (before September 2025)",
    jsonl({ id: "i", timestamp: AT, instructions: null }, { type: "reasoning" }),
  ],
  [
    "Copilot CLI",
    jsonl({ type: "session.start", data: { sessionId: "s" }, id: "e", parentId: null, timestamp: AT }),
  ],
  ["pi or OpenClaw", jsonl({ type: "session", version: 3, id: "i", timestamp: AT, cwd: "/" })],
  ["pi or OpenClaw", jsonl({ type: "message", timestamp: AT, message: { role: "user", content: "x" } })],
  ["Palimpsest JSONL", jsonl({ type: "palimpsest", version: 1, session: "s" })],
  ["Palimpsest JSONL", jsonl({ role: "user", content: "x" })],
  ["Palimpsest JSONL", jsonl({ type: "palimpsest", version: 1 }, CLAUDE)],
];

describe("recognising a file", () => {
  it.each(FILES)("finds %s", async (label, content) => {
    expect(await recognise(content)).toMatchObject({ kind: "transcript", format: { label } });
  });

  it.each(FILES)("finds %s below a broken line, a blank one or a byte order mark", async (label, content) => {
    for (const before of [
      '{"type":"sess\n',
      "\n\r\n",
      "\uFEFF",
      `${"x".repeat(200_000)}\n`,
      "[1,2]\n7\nnull\n",
    ])
      expect(await recognise(before + content)).toMatchObject({ format: { label } });
  });

  it("tells an export of a store from a transcript", async () => {
    expect(await recognise(jsonl({ row: "palimpsest-store", version: 1 }, CLAUDE))).toEqual({
      kind: "store-export",
    });
  });

  it.each([
    ["SWE-agent", jsonl({ trajectory: [], history: [], info: {} })],
    ["SWE-agent", JSON.stringify({ trajectory: [{ action: "ls" }], history: [] }, null, 2)],
    ["SWE-agent", JSON.stringify({ environment: "main", trajectory: [], history: [] }, null, 2)],
    ["SWE-agent", jsonl({ info: {}, messages: [], trajectory_format: "mini-swe-agent-1" })],
    ["OpenHands", jsonl({ instance_id: "i", test_result: {}, history: [{ role: "user", content: "x" }] })],
    ["Gemini CLI", jsonl({ sessionId: "s", projectHash: "h", messages: [] })],
    ["Gemini CLI", jsonl({ sessionId: "s", projectHash: "h" }, { id: "m", type: "user", content: "x" })],
    ["Gemini CLI", JSON.stringify({ sessionId: "s", projectHash: "h", messages: [{}] }, null, 2)],
    ["OpenCode", JSON.stringify({ info: { id: "ses_1", title: "T" }, messages: [] }, null, 2)],
    ["OpenCode", Buffer.from("SQLite format 3\0\u0010\n\0\0")],
    ["ChatGPT export", JSON.stringify([{ title: "T", mapping: { a: {} }, current_node: "a" }])],
    ["Claude.ai export", JSON.stringify([{ uuid: "u", name: "N", chat_messages: [] }], null, 2)],
  ])("finds a file of whole sessions: %s", async (label, content) => {
    expect(await recognise(content)).toMatchObject({ kind: "document", format: { label } });
  });

  it.each([
    ["OpenClaw trajectory", jsonl(TRAJECTORY("session.started"), TRAJECTORY("context.compiled"))],
    ["OpenClaw trajectory", jsonl({ traceSchema: "openclaw-trajectory-pointer", sessionId: "s" })],
    ["OpenClaw trajectory", JSON.stringify({ traceSchema: "openclaw-trajectory", sessionId: "s" }, null, 2)],
    ["OpenCode", jsonl({ type: "text", sessionID: "ses_1", part: {} })],
    ["OpenCode", JSON.stringify({ id: "ses_1", title: "T" }, null, 2)],
    ["gzip", gzipSync(jsonl(CLAUDE))],
    ["is empty", ""],
    ["is empty", " \n\r\n\n"],
    ["binary", new Uint8Array(100_000)],
    ["binary", Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256)],
    ["no JSON", "hello\nworld\n"],
    ["unknown transcript format", JSON.stringify([{ needle: "x" }], null, 2)],
    ["unknown transcript format", jsonl({ needle: "x", line: 3 })],
  ])("refuses by name what it does not import: %s", async (name, content) => {
    const refusal = recognise(content);
    await expect(refusal).rejects.toMatchObject({
      code: "not-supported",
      advice: expect.stringMatching(/\w/),
    });
    await expect(refusal).rejects.toThrow(name);
  });

  it("reads no more than it needs", async () => {
    const path = join(folder, "long.jsonl");
    writeFileSync(
      path,
      jsonl(...Array.from({ length: 80 }, (_, index) => ({ role: "user", content: index }))),
    );
    const { lines } = await readOpening(path);
    expect(lines).toHaveLength(50);
  });
});

describe("every format", () => {
  it("is found under the name that its messages are kept under", () => {
    for (const { name } of TRANSCRIPT_FORMATS) expect(transcriptFormat(name)?.name).toBe(name);
    expect(transcriptFormat("claude-code")?.label).toBe("Claude Code");
    expect(transcriptFormat("message")).toBeUndefined();
  });

  it("reads any line without failing, and unwraps what it calls a message", () => {
    const words = fc.constantFrom(
      "user",
      "assistant",
      "attachment",
      "message",
      "response_item",
      "tool.execution_complete",
    );
    const field = fc.constantFrom(
      "type",
      "role",
      "message",
      "content",
      "attachment",
      "payload",
      "data",
      "uuid",
      "id",
      "parts",
    );
    const line = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        words,
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie("value"), { maxLength: 3 }),
        tie("object"),
      ),
      object: fc.dictionary(field, tie("value"), { maxKeys: 6 }),
    })).object;
    fc.assert(
      fc.property(line, (value) => {
        for (const format of TRANSCRIPT_FORMATS) {
          format.recognises([value]);
          expect(format.session([value], "/x/file.jsonl").sessionId).not.toBe("");
          if (format.readEntry(value).kind === "message") expect(format.unwrap(value)).toBeTypeOf("object");
          else format.unwrap(value);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
