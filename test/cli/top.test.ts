import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { importInto } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

it("draws the store once for a program, with its conversations", async () => {
  const folder = temporaryFolder();
  const store = path.join(folder, "store");
  writeFileSync(path.join(folder, "t.jsonl"), neutral("tea", [said("user", "the teapot is blue", "1")]));
  await importInto(store, path.join(folder, "t.jsonl"));
  const { stdout } = await lcm(["--data", store, "top"]);
  expect(stdout).toContain("1 message, 0.0/s · 1 conversation");
  expect(stdout).toMatch(/░ \d+ .*The tea session/);
  expect(stdout).not.toContain("\u001b");
  const narrow = await lcm(["--data", store, "top"], { columns: 80 });
  for (const line of narrow.stdout.split("\n").slice(2)) expect(line.length).toBeLessThanOrEqual(80);
  expect(narrow.stdout).toMatch(/░ \d+ .*The tea session/);
  expect(await lcmJson(["--data", store, "top"])).toMatchObject({ status: { messages: 1 } });
  expect((await lcm(["--data", store, "top", "--every", "0"])).stderr).toContain("invalid --every value '0'");
});
