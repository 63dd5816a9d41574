import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { readMemories } from "../../src/memory/exchange/read-memories.ts";
import type { GrepOutput } from "../../src/operations/retrieve/grep.ts";
import { lcmJson, temporaryFolder } from "../cli/lcm.ts";

const data = path.join(temporaryFolder(), "data");
const NONSENSE = [
  "5",
  "0",
  "2026-02-30",
  "Feb 30 2026",
  "2026-04-31",
  "2025-02-29",
  "2026-11-16T24:30",
  "june 2026",
  "2026-13-01",
  "2026-11-16T25:00",
  "2026-11-16T08:30+99:00",
];

describe("a time that is asked for", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open({
      store: data,
      background: "off",
      config: { tenant: "default", agent: "default", logLevel: "silent", timezone: "Asia/Tokyo" },
    });
    await engine.context.commitTurn({
      conversation: "chat",
      key: "1",
      messages: [
        { role: "user", content: "noise late on the 15th in UTC", createdAt: "2026-11-15T16:00:00Z" },
        { role: "user", content: "noise early on the 16th in UTC", createdAt: "2026-11-16T01:00:00Z" },
      ],
    });
  });
  afterAll(() => engine.close());

  const since = async (time: string) =>
    (await engine.context.grep({ pattern: "noise", since: time })).hits.length;

  it.each(NONSENSE)("is refused with an example where it is none: %s", async (time) => {
    await expect(engine.context.grep({ pattern: "noise", since: time })).rejects.toMatchObject({
      code: "invalid-input",
      advice: expect.stringContaining("2026-11-16T08:30:00Z"),
    });
    await expect(engine.context.recent({ before: time })).rejects.toThrow(`invalid before value '${time}'`);
    await expect(engine.memory.recall({ query: "noise", at: time })).rejects.toThrow(
      "a time such as 2026-11-16",
    );
  });

  it.each([
    "2026-02-30",
    "2026-04-31T10:00:00Z",
    "2025-02-29",
    "2026/06/31",
    "2026-11-16T25:00:00Z",
    "Feb 30 2026",
    "Mon, 30 Feb 2026 10:00:00 GMT",
    "02/30/2026",
  ])("is refused where a memory or a message gets it: %s", async (time) => {
    const text = "The office moves to the second floor.";
    for (const field of ["validFrom", "validUntil"])
      await expect(engine.memory.store({ text, [field]: time })).rejects.toThrow(
        new RegExp(`${field} must be a time such as 2026-11-16`),
      );
    const message = { role: "user", content: "dated" };
    const turn = { conversation: "dated", key: "1", messages: [{ message, createdAt: time }] };
    await expect(engine.context.commitTurn(turn)).rejects.toThrow(`createdAt "${time}" is not a time`);
  });

  it("that does not exist makes a line of a transcript unreadable, which is named and kept", async () => {
    const file = path.join(temporaryFolder(), "dated.jsonl");
    const line = JSON.stringify({ role: "user", content: "x", createdAt: "2026-02-30T10:00:00Z" });
    writeFileSync(file, `${line}\n`);
    const { conversation, unreadable } = await engine.context.conversations.import(file);
    expect(unreadable).toEqual([{ line: 1, problem: 'createdAt "2026-02-30T10:00:00Z" is not a time' }]);
    const pieces: Uint8Array[] = [];
    for await (const piece of engine.context.conversations.transcript({ conversation: conversation ?? "" }))
      pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe(`${line}\n`);
  });

  it("is told where an imported file of memories has one that does not exist", async () => {
    const lines = ["---", "date: 2026-02-30", "---", "- The office is on the second floor now."];
    const items = readMemories("memory-markdown", lines, { name: "notes.md" });
    expect(await engine.memory.exchange.import(items)).toMatchObject({
      created: 1,
      passedOver: [{ line: 2, reason: expect.stringContaining("no valid date") }],
    });
    const row = { id: "1", memory: "The office has a garden.", created_at: "2026-02-30T10:00:00Z" };
    const foreign = readMemories("mem0", [JSON.stringify([row])], { name: "mem0.json" });
    const { changes } = await engine.memory.exchange.import(foreign);
    expect(changes.join()).toMatch(/not imported.*created_at/);
  });

  it("is read in UTC by the library, unless it has an offset", async () => {
    expect(await since("2026-11-16")).toBe(1);
    expect(await since("2026-11-15T16:00")).toBe(2);
    expect(await since("2026-11-16T01:00:00+09:00")).toBe(2);
    expect(await since("2026-11-16 01:00:00.001Z")).toBe(0);
  });

  it("is read at a terminal in the time zone in which times are shown there", async () => {
    const found = async (timezone: string) => {
      const words = ["--data", data, "grep", "noise", "--since", "2026-11-16"];
      return (await lcmJson<GrepOutput>(words, { environment: { LCM_TIMEZONE: timezone } })).hits.length;
    };
    expect(await found("Asia/Tokyo")).toBe(2);
    expect(await found("UTC")).toBe(1);
  });
});
