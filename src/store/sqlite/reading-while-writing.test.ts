import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../engine.ts";
import { DATABASE_NAME } from "./index.ts";

const READS = 200;

describe("a store that was just opened", () => {
  let dataDir: string;
  let engine: Engine;
  const say = (key: string) =>
    engine.context.commitTurn({ conversation: "chat", key, messages: [{ role: "user", content: key }] });
  const read = async () => (await engine.context.read({ conversation: "chat" })).messages.length;

  beforeEach(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), "palimpsest-"));
    engine = await open({ store: dataDir, background: "off", config: { logLevel: "silent" } });
    await say("first");
  });
  afterEach(async () => {
    await engine.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("answers while a write waits for another process", async () => {
    const other = new DatabaseSync(path.join(dataDir, DATABASE_NAME));
    other.exec("BEGIN IMMEDIATE");
    let isWritten = false;
    const writing = say("second").then(() => {
      isWritten = true;
    });
    await wait(100);
    expect({ messages: await read(), isWritten }).toEqual({ messages: 1, isWritten: false });
    other.exec("ROLLBACK");
    other.close();
    await writing;
    expect(await read()).toBe(2);
  });

  it("tells the newest with every question, whichever thread answers it", async () => {
    for (let turn = 2; turn <= READS / 4; turn++) {
      await say(`turn ${turn}`);
      expect(await Promise.all([read(), read(), read(), read()])).toEqual(Array(4).fill(turn));
    }
  });
});
