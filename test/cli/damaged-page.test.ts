import { randomBytes } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { doctor } from "../../src/operations/doctor.ts";
import { backup } from "../../src/operations/store/backup.ts";
import { exportStore } from "../../src/operations/store/export.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { contentOf, withEngine } from "./stores.ts";

const PAGE = 4096;
const folder = temporaryFolder();
const sound = path.join(folder, "sound");
const data = path.join(folder, "damaged");
let torn: string;

/** Three conversations over many pages; one page of the second is overwritten. */
beforeAll(async () => {
  torn = await withEngine(sound, async ({ context }) => {
    for (const conversation of ["a", "b", "c"])
      await context.commitTurn({ conversation, key: "t", messages: saidIn(conversation) });
    return (await context.conversations.get("b")).id;
  });
  cpSync(sound, data, { recursive: true });
  const file = path.join(data, DATABASE_NAME);
  const bytes = readFileSync(file);
  const page = Math.floor(bytes.indexOf("number 100 of b") / PAGE) * PAGE;
  writeFileSync(file, bytes.fill(0xa5, page, page + PAGE));
});

function saidIn(conversation: string): { role: string; content: string }[] {
  return Array.from({ length: 200 }, (_, index) => ({
    role: "user",
    content: `number ${index} of ${conversation}: ${randomBytes(200).toString("base64")}`,
  }));
}

describe("a store with one damaged page", () => {
  it("is not in order for doctor, which names what to do; a sound one is", async () => {
    const { code, stdout } = await lcm(["--data", data, "doctor"]);
    expect(code).toBe(6);
    expect(stdout).toMatch(
      /^✗ damage +\d+ problems? in the file: .*\n +List what is damaged with: lcm verify\..*lcm verify --repair.*lcm export.*lcm restore FILE$/m,
    );
    expect(stdout).not.toContain("No errors");
    const health = await lcmJson<Awaited<ReturnType<typeof doctor.run>>>(["--data", sound, "doctor"]);
    expect(health.findings).toContainEqual({
      check: "damage",
      status: "ok",
      message: "the file structure is intact; lcm verify checks every hash",
      advice: null,
    });
  });

  it("is said to be repairable by verify and its plan, since a repair recovers what is readable", async () => {
    const [found, planned, json] = await Promise.all([
      lcm(["--data", data, "verify"]),
      lcm(["--data", data, "verify", "--plan"]),
      lcm(["--data", data, "verify", "--plan", "--json"]),
    ]);
    for (const { code, stdout } of [found, planned]) {
      expect(code).toBe(6);
      expect(stdout).toContain(`\nRepair with: lcm --data ${data} verify --repair\n`);
      expect(stdout).toContain(`\nFor the rest, restore a backup with: lcm --data ${data} restore <file>\n`);
      expect(stdout).not.toContain("[restore it from a backup]");
    }
    const rebuild = "create a new database from the readable part of the damaged one";
    expect(planned.stdout).toContain(`Planned repairs:\n  store: ${rebuild}\n`);
    const answer: Awaited<ReturnType<typeof verify.run>> = JSON.parse(json.stdout);
    expect(() => verify.output.parse(answer)).not.toThrow();
    expect(answer.plan?.[0]?.description).toBe(rebuild);
  });

  it("is exported but for the conversation that is damaged, which is named with its first unreadable message", async () => {
    const file = path.join(folder, "saved.jsonl.zst");
    const { code, stdout, stderr } = await lcm(["--data", data, "export", "--output", file, "--json"]);
    expect([code, stderr]).toEqual([6, ""]);
    const answer: Awaited<ReturnType<typeof exportStore.run>> = JSON.parse(stdout);
    expect(() => exportStore.output.parse(answer)).not.toThrow();
    expect(answer).toMatchObject({ conversations: 2, messages: 400 });
    const [left] = answer.leftOut;
    expect(answer.leftOut).toEqual([
      { conversation: torn, messages: 200, fromSeq: expect.any(Number), problem: expect.any(String) },
    ]);
    expect(left?.fromSeq).toBeLessThanOrEqual(101);

    const copy = path.join(folder, "copy");
    expect(await lcm(["--data", copy, "import", file])).toMatchObject({ code: 0 });
    const whole = (await contentOf(sound)).split("\n").filter((line) => !line.includes(torn));
    const saved = (await contentOf(copy)).split("\n");
    expect(saved.slice(0, -2)).toEqual(whole.slice(0, -2));
  });

  it("says so to people, with how to read what stands before the damage", async () => {
    const file = path.join(folder, "shown.jsonl");
    const { code, stdout } = await lcm(["--data", data, "export", "--output", file]);
    expect(code).toBe(6);
    expect(stdout).toMatch(
      new RegExp(
        `\\nThe store is damaged; these items are not in the export:\\n +${torn}, from message \\d+ of 200 on: `,
      ),
    );
    const [, last = ""] = new RegExp(`lcm read ${torn} --to (\\d+)`).exec(stdout) ?? [];
    const read = await lcm(["--data", data, "read", torn, "--to", last]);
    expect([read.code, read.stdout.includes("number 0 of b")]).toEqual([0, true]);
  });

  it("is backed up with what can be read; the backup names the rest, also when it is restored", async () => {
    const { code, stdout, stderr } = await lcm(["--data", data, "backup", "--json"]);
    expect({ code, stderr }).toEqual({ code: 6, stderr: "" });
    const made: Awaited<ReturnType<typeof backup.run>> = JSON.parse(stdout);
    expect(() => backup.output.parse(made)).not.toThrow();
    expect(made.conversations).toBe(3);
    expect(made.messages).toBeGreaterThan(580);
    expect(made.damages).toContainEqual({
      conversation: torn,
      seq: expect.any(Number),
      problem: expect.stringMatching(/^messages \d+ to \d+ are missing$/),
    });
    const copy = path.join(folder, "restored");
    const restored = await lcm(["--data", copy, "restore", made.file, "--yes"]);
    expect(restored.code).toBe(6);
    expect(restored.stdout).toContain(
      "The file was made from a damaged store; these items are damaged or missing:",
    );
    expect(restored.stdout).toContain(`${torn} #`);
    const { messages, problems }: Awaited<ReturnType<typeof verify.run>> = JSON.parse(
      (await lcm(["--data", copy, "verify", "--json"])).stdout,
    );
    expect(messages).toBe(made.messages);
    expect(problems.map(({ message }) => message)).toContainEqual(expect.stringMatching(/are missing$/));
    const checked = await lcm(["--data", data, "backup", made.file, "--verify"]);
    expect([checked.code, checked.stdout]).toEqual([
      6,
      expect.stringContaining("rows (0 memories): the checksum, the row count and the hashes of "),
    ]);
    const streamed = await lcm(["--data", data, "export", "--output", "-"]);
    expect(streamed.code).toBe(6);
  });

  it("is repaired: a new database holds what can be read, and the damaged one is kept", async () => {
    const place = path.join(folder, "repaired");
    cpSync(data, place, { recursive: true });
    const damaged = readFileSync(path.join(place, DATABASE_NAME));
    const { code, stdout } = await lcm(["--data", place, "verify", "--repair", "--yes", "--json"]);
    const answer: Awaited<ReturnType<typeof verify.run>> = JSON.parse(stdout);
    expect(() => verify.output.parse(answer)).not.toThrow();
    expect(code).toBe(6);
    expect(answer.messages).toBeGreaterThan(580);
    expect(readFileSync(answer.damagedFile ?? "").equals(damaged)).toBe(true);
    expect(answer.problems.every(({ check }) => check !== "engine")).toBe(true);
    await withEngine(place, ({ context }) =>
      context.commitTurn({
        conversation: "b",
        key: "later",
        messages: [{ role: "user", content: "goes on" }],
      }),
    );
  });
});
