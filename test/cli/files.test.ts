import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lcm, temporaryFolder } from "./lcm.ts";

describe("lcm files explore", () => {
  const folder = temporaryFolder();
  const rows = Array.from({ length: 500 }, (_, i) => `${i + 1},site ${i % 7},${(i * 3) / 2}`);
  const table = path.join(folder, "observations.csv");
  writeFileSync(table, ["id,site,magnitude", ...rows, ""].join("\n"));

  it("tells what is in a file, without a store", async () => {
    const { stdout, code } = await lcm(["files", "explore", table]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^CSV, .*500 rows, 3 columns/);
    for (const column of ["id: integer 1 – 500", "site: text, 7 distinct", "magnitude: "])
      expect(stdout).toContain(column);
  });

  it("gives one JSON document", async () => {
    const { stdout } = await lcm(["files", "explore", table, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ path: table, kind: "csv", complete: true });
  });

  it("never obeys what stands in a file", async () => {
    const hostile = path.join(folder, "hostile.md");
    writeFileSync(hostile, "# Heading \u001b[2J\u0007 here\n\nSome words that say something.\n");
    const { stdout } = await lcm(["files", "explore", hostile]);
    expect(stdout).toContain("Heading");
    expect(stdout).not.toContain("\u001b[2J");
  });

  it.each([
    ["what is not there", "nowhere.txt", "there is no such file"],
    ["a folder", "folder", "it is not a file"],
  ])("refuses %s, and says so", async (_, name, problem) => {
    mkdirSync(path.join(folder, "folder"), { recursive: true });
    const { stderr, code } = await lcm(["files", "explore", path.join(folder, name)]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(problem);
  });
});
