import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { importPath } from "../../src/operations/import.ts";
import { lcm, lcmJson, outcomeOf, startLcm, temporaryFolder } from "./lcm.ts";
import { contentOf, withEngine } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

type Report = Awaited<ReturnType<typeof importPath.run>>;

const folder = temporaryFolder();
const MESSAGES = 20_000;

describe("Ctrl-C during an import", () => {
  it("finishes the running batch, says how to go on, and going on loses and doubles nothing", async () => {
    const data = path.join(folder, "data");
    const file = path.join(folder, "big.jsonl");
    const messages = Array.from({ length: MESSAGES }, (_, index) =>
      said("user", `line ${index} 🙂`, `k${index}`),
    );
    writeFileSync(file, neutral("big", messages));

    const child = startLcm(["--data", data, "import", file]);
    const outcome = outcomeOf(child);
    await waitForBytes(path.join(data, "palimpsest.db-wal"), 500_000);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain("what was read is stored");
    expect(stderr).toContain(`lcm --data ${data} import ${file}`);

    const half = await withEngine(data, ({ store }) => store.info());
    expect(half.messages).toBeGreaterThan(0);
    expect(half.messages).toBeLessThan(MESSAGES);
    const report = await lcmJson<Report>(["--data", data, "import", file]);
    expect(report.totals.imported).toBe(MESSAGES - half.messages);
    expect(report.files).toMatchObject([{ file: "resumed" }]);
    const [written, verified] = await Promise.all([
      lcm(["--data", data, "transcript", "big"]),
      lcm(["--data", data, "verify"]),
    ]);
    expect(written.bytes.equals(readFileSync(file))).toBe(true);
    expect(verified.stdout).toContain("20,000 messages checked: every hash, order and link is right");
  });

  it("stores nothing of a whole store that was not loaded to its end, and says so", async () => {
    const data = path.join(folder, "data");
    const file = path.join(folder, "store.jsonl");
    const copy = path.join(folder, "copy");
    writeFileSync(file, await contentOf(data));
    const child = startLcm(["--data", copy, "import", file]);
    const outcome = outcomeOf(child);
    await waitForBytes(path.join(copy, "palimpsest.db-wal"), 500_000);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain("nothing of store.jsonl is stored");
    expect(stderr).toContain(`Start again with: lcm --data ${copy} import ${file}`);
    expect(await contentOf(copy)).not.toContain("conversation");
    const report = await lcmJson<Report>(["--data", copy, "import", file]);
    expect(report.totals.imported).toBe(MESSAGES);
  });
});

async function waitForBytes(file: string, size: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!existsSync(file) || statSync(file).size < size) {
    if (Date.now() > deadline) throw new Error(`${file} did not grow`);
    await sleep(5);
  }
}
