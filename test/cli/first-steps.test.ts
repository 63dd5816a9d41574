/** What people try in their first hour at the command line. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { withEngine } from "./stores.ts";

const folder = temporaryFolder();
const data = path.join(folder, "data");
const DAY = 86_400_000;

const run = (...args: string[]) => lcm(["--data", data, ...args], { folder });
const runJson = <Answer>(...args: string[]) => lcmJson<Answer>(["--data", data, ...args], { folder });

beforeAll(async () => {
  const midnight = Math.floor(Date.now() / DAY) * DAY;
  const at = (days: number) => new Date(midnight - days * DAY + 1000).toISOString();
  await withEngine(data, async (engine) => {
    for (const [conversation, days] of [
      ["harbour", 0],
      ["bakery", 1],
      ["museum", 40],
    ] as const)
      await engine.context.commitTurn({
        conversation,
        key: "1",
        messages: [
          { role: "user", content: `Please plan the ${conversation} tour.`, createdAt: at(days) },
          { role: "assistant", content: `The ${conversation} tour is planned.`, createdAt: at(days) },
        ],
      });
  });
});

describe("amounts, times and files as people write them", () => {
  it("takes 32k for a budget", async () => {
    expect(await runJson("context", "harbour", "--budget", "32k")).toMatchObject({ budget: 32_000 });
    const refused = await run("context", "harbour", "--budget", "32x");
    expect(refused.stderr).toContain("It must be a whole number from 1.");
  });

  it("takes names of days for times", async () => {
    const totals = await Promise.all(
      ["today", "yesterday", "last year"].map(async (since) => {
        const { total } = await runJson<{ total: number }>("recent", "--since", since);
        return total;
      }),
    );
    expect(totals).toEqual([2, 4, 6]);
    expect(await runJson("recent", "--before", "yesterday")).toMatchObject({ total: 2 });
  });

  it("writes memories to a pipe, or to the file that -o names", async () => {
    await run("memory", "store", "The harbour opens at nine.");
    const piped = await run("memory", "export");
    const file = path.join(folder, "memories.jsonl");
    const written = await run("memory", "export", "-o", file);
    expect(written.stdout).toContain(`Export: ${file}`);
    const withoutHead = (text: string) => text.split("\n").slice(1).join("\n");
    expect(piped.stdout).toContain("The harbour opens at nine.");
    expect(withoutHead(piped.stdout)).toBe(withoutHead(readFileSync(file, "utf8")));
  });
});
