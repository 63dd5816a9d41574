import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/text/estimate-tokens.ts";
import { FACTS, FINAL_QUESTION } from "./facts.ts";
import { CONVERSATION_FILE, HEADER, renderConversation } from "./generate.ts";
import { resultOf } from "./material/minima-reports.ts";
import { type Block, type ConversationMessage, wordsOf } from "./script/blocks.ts";
import { parseScene } from "./script/parse-scene.ts";

const file = readFileSync(CONVERSATION_FILE, "utf8");
const [header, ...lines] = file.trimEnd().split("\n");
const messages = lines.map((line) => JSON.parse(line) as ConversationMessage);

const blocksOf = (message: ConversationMessage): readonly Block[] =>
  typeof message.content === "string" ? [] : message.content;
const containing = (text: string): string[] =>
  messages.filter((message) => wordsOf(message.content).includes(text)).map((message) => message.id);

describe("observatory.jsonl", () => {
  it("is exactly what the generator writes, every time", () => {
    const rendered = renderConversation();
    expect(rendered === file, "run: node examples/conversation/generate.ts").toBe(true);
    expect(renderConversation() === rendered).toBe(true);
  });

  it("opens with the header of the neutral format", () => {
    expect(JSON.parse(header ?? "")).toEqual(HEADER);
  });

  it("is as long as promised", () => {
    const turns = messages.filter((message) => message.role === "user").length;
    const tokens = messages.reduce((sum, message) => sum + estimateTokens(wordsOf(message.content)), 0);
    expect(messages.length).toBeGreaterThanOrEqual(220);
    expect(messages.length).toBeLessThanOrEqual(320);
    expect(turns).toBeGreaterThanOrEqual(60);
    expect(turns).toBeLessThanOrEqual(90);
    expect(tokens).toBeGreaterThan(90_000);
    expect(tokens).toBeLessThan(140_000);
  });

  it("numbers its messages without a gap", () => {
    expect(messages.map((message) => message.id)).toEqual(
      messages.map((_, i) => `m${String(i + 1).padStart(4, "0")}`),
    );
  });

  it("never goes back in time, and spans several days", () => {
    const times = messages.map((message) => message.createdAt);
    expect(times).toEqual(times.toSorted());
    expect(times.every((time) => new Date(time).toISOString() === time)).toBe(true);
    expect(new Set(times.map((time) => time.slice(0, 10))).size).toBeGreaterThanOrEqual(5);
  });

  it("answers every tool call in the message after it, once", () => {
    messages.forEach((message, i) => {
      const calls = blocksOf(message).flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
      const next = messages[i + 1];
      const answers = next
        ? blocksOf(next).flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []))
        : [];
      expect(answers, message.id).toEqual(calls);
      if (calls.length > 0) expect([message.role, next?.role]).toEqual(["assistant", "tool"]);
    });
    const ids = messages.flatMap((message) =>
      blocksOf(message).flatMap((block) => (block.type === "tool_use" ? [block.id] : [])),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("shows what a host can send: several tools, parallel calls, failures, thinking, a picture", () => {
    const blocks = messages.flatMap(blocksOf);
    const tools = new Set(blocks.flatMap((block) => (block.type === "tool_use" ? [block.name] : [])));
    expect(tools.size).toBeGreaterThanOrEqual(6);
    expect(messages.some((m) => blocksOf(m).filter((block) => block.type === "tool_use").length === 2)).toBe(
      true,
    );
    expect(blocks.some((block) => block.type === "tool_result" && block.is_error)).toBe(true);
    expect(blocks.some((block) => block.type === "thinking")).toBe(true);
    const pictures = blocks.filter((block) => block.type === "image");
    expect(pictures).toHaveLength(1);
    expect(
      Buffer.from(pictures[0]?.source.data ?? "", "base64")
        .subarray(1, 4)
        .toString("latin1"),
    ).toBe("PNG");
  });

  it("is written in two scripts, by both sides", () => {
    for (const role of ["user", "assistant"]) {
      const texts = messages.filter((message) => message.role === role).map((m) => wordsOf(m.content));
      expect(
        texts.filter((text) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)).length,
      ).toBeGreaterThan(9);
      expect(
        texts.filter((text) => /^[^\p{Script=Han}]*\p{Script=Latin}/u.test(text)).length,
      ).toBeGreaterThan(9);
    }
    expect(file).toMatch(/\p{Extended_Pictographic}/u);
  });

  it("contains one large pasted file, as long as promised", () => {
    const pasted = messages.flatMap((message) =>
      message.role === "user" && typeof message.content === "string"
        ? [...message.content.matchAll(/<file name="([^"]+)" mime="text\/csv">\n(.*?)<\/file>/gs)]
        : [],
    );
    expect(pasted).toHaveLength(1);
    const csv = pasted[0]?.[2] ?? "";
    expect(csv.trimEnd().split("\n").length - 1).toBeGreaterThan(3000);
    expect(csv.length).toBeGreaterThan(110_000);
    expect(csv.length).toBeLessThan(160_000);
    expect(estimateTokens(csv)).toBeGreaterThan(25_000);
  });
});

describe("the facts", () => {
  it("stand word for word in the message named, and in none before it", () => {
    for (const fact of FACTS) expect(containing(fact.text)[0], fact.id).toBe(fact.messageId);
    expect(new Set(FACTS.map((fact) => fact.id)).size).toBe(FACTS.length);
  });

  it("name what they replace, and it was said earlier", () => {
    for (const fact of FACTS) {
      for (const id of fact.supersedes ?? []) {
        const older = FACTS.find((candidate) => candidate.id === id);
        expect(older && older.messageId < fact.messageId, `${fact.id} supersedes ${id}`).toBe(true);
      }
    }
  });

  it("include two that were said once, at the start, and are asked for in the last message", () => {
    expect(messages.at(-1)).toMatchObject({ id: FINAL_QUESTION.messageId, role: "user" });
    for (const id of FINAL_QUESTION.answeredBy) {
      const planted = FACTS.find((fact) => fact.id === id);
      expect(containing(planted?.text ?? "")).toEqual(["m0002"]);
    }
    expect(containing("予備")).toEqual(["m0002"]);
    expect(containing("🔭")).toEqual(["m0002"]);
  });
});

describe("the agent's arithmetic", () => {
  it("agrees with the pasted night file", () => {
    const night = resultOf("2026-03-07");
    expect([night.rows, night.lost, night.shifted]).toEqual([3069, 60, 273]);
    expect([night.found.omc, night.keyed.omc, night.rebuilt.omc].map((omc) => omc.toFixed(1))).toEqual([
      "7.9",
      "7.1",
      "-0.8",
    ]);
    expect(containing("29 + 5 + 26 = 60 rows")).toHaveLength(1);
  });
});

describe("a scene", () => {
  const sources = { material: () => "", image: () => "", nextCallId: () => "toolu_x" };

  it("with a result that nobody asked for is refused", () => {
    expect(() => parseScene("@user\nhello\n@result\nsurprise", sources)).toThrow(/without a call/);
  });

  it("with a call that nobody answers is refused", () => {
    expect(() => parseScene("@call read_file\npath: /tmp/x", sources)).toThrow(/without a result/);
  });
});
