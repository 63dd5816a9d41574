import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "./temporary-store.ts";

const DEMO = fileURLToPath(new URL("../examples/demo.ts", import.meta.url));

it("the demo runs to its end and proves what it says", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [DEMO], { cwd: temporaryFolder() });
  for (const claim of [
    "shown again, the same bytes",
    "byte for byte",
    "all unchanged",
    "message 3: its content has changed (hash mismatch)",
    "npx lcm import",
  ])
    expect(stdout).toContain(claim);
  expect(stdout).not.toMatch(/DIFFERENT|PROBLEMS/);
  // The path of the transcript is long, because the command runs elsewhere.
  const lines = stripVTControlCharacters(stdout.replace(/ [./]*\S*observatory\.jsonl/, "")).split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
