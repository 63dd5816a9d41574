import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { internalsOf } from "../engine.ts";
import { type SetupInput, setUp } from "./setup.ts";

describe("a place where an engine is opened", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "setup-"));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  async function logLevelOf({ options, ...more }: SetupInput): Promise<string> {
    const engine = await setUp({ options: { dataDir, ...options }, ...more }).open();
    await engine.close();
    return engine.config.logLevel;
  }

  it("writes logs between the lines for people only for those who ask", async () => {
    expect(await logLevelOf({})).toBe("warn");
    expect(await logLevelOf({ isForPeople: true })).toBe("silent");
    expect(await logLevelOf({ isForPeople: true, options: { logLevel: "info" } })).toBe("info");
    const logFile = path.join(dataDir, "log.jsonl");
    expect(await logLevelOf({ isForPeople: true, options: { logFile } })).toBe("warn");
  });

  it("opens with a model that has no address, and refuses it when that is what is asked", async () => {
    const setup = setUp({ options: { dataDir, logLevel: "silent", summaryModel: "openai-compatible/x" } });
    const engine = await setup.open();
    const request = { purpose: "summary", system: "", prompt: "", maxTokens: 10 } as const;
    await expect(internalsOf(engine).complete?.(request)).rejects.toMatchObject({ code: "config-invalid" });
    await engine.close();
    expect(() => setup.load()).toThrow(/modelBaseUrl must be set/);
  });
});
