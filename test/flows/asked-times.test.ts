import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import type { GrepOutput } from "../../src/operations/retrieve/grep.ts";
import { lcmJson, temporaryFolder } from "../cli/lcm.ts";

const data = path.join(temporaryFolder(), "data");
const NONSENSE = [
  "5",
  "0",
  "2026-02-30",
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
    await expect(engine.context.recent({ before: time })).rejects.toThrow("before is no time");
    await expect(engine.memory.recall({ query: "noise", at: time })).rejects.toThrow(
      "a time such as 2026-11-16",
    );
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
