import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe("the threads of a process that was started with options", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "palimpsest-threads-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const program = () => `
    const { open } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
    const engine = await open({ store: ${JSON.stringify(path.join(folder, "store"))} });
    console.log((await engine.context.conversations.list()).conversations.length);
    await engine.close();`;
  const printed = (args: readonly string[]) => execFileSync(process.execPath, args, { encoding: "utf8" });

  it.each(["--max-old-space-size=300", "--expose-gc", "--no-warnings"])("start with %s", (option) => {
    const file = path.join(folder, "program.mjs");
    writeFileSync(file, program());
    expect(printed([option, file])).toBe("0\n");
    expect(printed([option, "--input-type=module", "-e", program()])).toBe("0\n");
  });
});
