import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { importPath } from "../../src/operations/store/import.ts";
import { lcm, lcmJson, outcomeOf, startLcm, temporaryFolder } from "./lcm.ts";
import { contentOf, withEngine } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

type Report = Awaited<ReturnType<typeof importPath.run>>;

const folder = temporaryFolder();
/** Somewhere in the second that loading takes. */
const LOADING_MS = 300;
const MESSAGES = 20_000;

describe("Ctrl-C during an import", () => {
  const data = path.join(folder, "data");
  const file = path.join(folder, "big.jsonl");
  beforeAll(() => {
    const messages = Array.from({ length: MESSAGES }, (_, index) =>
      said("user", `line ${index} 🙂`, `k${index}`),
    );
    writeFileSync(file, neutral("big", messages));
  });

  it("finishes the running batch, says how to go on, and going on loses and doubles nothing", async () => {
    const child = startLcm(["--data", data, "import", file]);
    const outcome = outcomeOf(child);
    await waitForBytes(path.join(data, "palimpsest.db-wal"), 500_000);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain("everything read so far is stored");
    expect(stderr).toContain(`lcm --data ${data} import ${file}`);

    const half = await withEngine(data, ({ store }) => store.info());
    expect(half.messages).toBeGreaterThan(0);
    expect(half.messages).toBeLessThan(MESSAGES);
    const report = await lcmJson<Report>(["--data", data, "import", file]);
    expect(report.totals.imported).toBe(MESSAGES - half.messages);
    expect(report.files).toMatchObject([{ file: "resumed", alreadyThere: half.messages }]);
    const [written, verified] = await Promise.all([
      lcm(["--data", data, "transcript", "big"]),
      lcm(["--data", data, "verify"]),
    ]);
    expect(written.bytes.equals(readFileSync(file))).toBe(true);
    expect(verified.stdout).toContain(
      "20,000 messages and 0 summaries checked: all hashes, orders and links are correct",
    );
  });

  it("stores nothing of a whole store that was not loaded to its end, and says so", async () => {
    const store = path.join(folder, "store.jsonl");
    const copy = path.join(folder, "copy");
    writeFileSync(store, await contentOf(data));
    const child = startLcm(["--data", copy, "import", store]);
    const outcome = outcomeOf(child);
    // The tables are made. What is loaded into them is written when it ends, so nothing else shows how far it is.
    await waitForBytes(path.join(copy, "palimpsest.db-wal"), 300_000);
    await sleep(LOADING_MS);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    // On a busy machine loading has not begun by then.
    expect(stderr).toMatch(/nothing of store\.jsonl is stored|the import was stopped/);
    expect(stderr).toContain(`: lcm --data ${copy} import ${store}`);
    expect(await contentOf(copy)).not.toContain("conversation");
    const report = await lcmJson<Report>(["--data", copy, "import", store]);
    expect(report.totals.imported).toBe(MESSAGES);
  });

  it("stops a restore as a restore, and leaves the store as it was", async () => {
    const before = await contentOf(data);
    const child = startLcm(["--data", data, "restore", path.join(folder, "store.jsonl"), "--yes"]);
    const outcome = outcomeOf(child);
    // The backup that comes first is being written.
    await waitForEntry(path.join(data, "backups"));
    child.kill("SIGINT");
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toBe("error: the restore was cancelled\nThe store was not changed.\n");
    expect(await contentOf(data)).toBe(before);
  });

  it("is told from SIGTERM by the exit code", async () => {
    const place = path.join(folder, "terminated");
    const child = startLcm(["--data", place, "import", file]);
    const outcome = outcomeOf(child);
    await waitForBytes(path.join(place, "palimpsest.db-wal"), 500_000);
    child.kill("SIGTERM");
    const { code, stderr } = await outcome;
    expect(code).toBe(143);
    expect(stderr).toContain("everything read so far is stored");
  });

  it("ends the process at once when it comes a second time", async () => {
    const place = path.join(folder, "locked");
    await withEngine(place, ({ store }) => store.info());
    // Somebody else holds the lock, so that the command cannot come to an end by itself.
    const lock = new DatabaseSync(path.join(place, "palimpsest.db"));
    lock.exec("BEGIN IMMEDIATE");
    try {
      const child = startLcm(["--data", place, "import", file]);
      const ended = once(child, "exit");
      await sleep(3000);
      child.kill("SIGINT");
      await sleep(500);
      expect(child.exitCode ?? child.signalCode).toBeNull();
      child.kill("SIGINT");
      expect(await ended).toEqual([null, "SIGINT"]);
    } finally {
      lock.close();
    }
  });
});

async function waitForEntry(place: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!existsSync(place) || readdirSync(place).length === 0) {
    if (Date.now() > deadline) throw new Error(`nothing came into ${place}`);
    await sleep(5);
  }
}

async function waitForBytes(file: string, size: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!existsSync(file) || statSync(file).size < size) {
    if (Date.now() > deadline) throw new Error(`${file} did not grow`);
    await sleep(5);
  }
}
