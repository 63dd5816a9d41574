import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "../index.ts";
import { endIdleWorkers } from "./idle-workers.ts";

describe("a worker that an engine no longer needs", () => {
  it("serves the next engine, which sees nothing of the one before", async () => {
    await endIdleWorkers();
    const started: Worker[] = [];
    const add = (worker: Worker) => started.push(worker);
    process.on("worker", add);
    const folders = ["one", "two", "three"].map((name) =>
      mkdtempSync(path.join(os.tmpdir(), `palimpsest-${name}-`)),
    );
    try {
      for (const folder of folders) {
        const engine = await open({ store: folder, background: "off", config: { logLevel: "silent" } });
        expect((await engine.context.conversations.list()).conversations).toEqual([]);
        const messages = [{ role: "user", content: `This is ${folder}.` }];
        await engine.context.commitTurn({ conversation: "s", key: "1", messages });
        expect((await engine.context.read({ conversation: "s" })).messages).toHaveLength(1);
        await engine.close();
      }
      expect(started).toHaveLength(1);
    } finally {
      process.off("worker", add);
      for (const folder of folders) rmSync(folder, { recursive: true });
    }
  });
});

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
