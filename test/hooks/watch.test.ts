import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { open } from "../../src/index.ts";
import { temporaryFolder } from "../temporary-store.ts";

const LCM = new URL("../../bin/lcm.mjs", import.meta.url).pathname;

function line(session: string, uuid: string, content: string): string {
  const message = { role: "user", content };
  return `${JSON.stringify({ type: "user", uuid, sessionId: session, parentUuid: null, isSidechain: false, message })}\n`;
}

describe("lcm watch", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("imports what is there, what is added and folders that appear later, and ends with everything on record", async () => {
    const projects = path.join(folder, ".claude/projects/shop");
    mkdirSync(projects, { recursive: true });
    const first = path.join(projects, "session-1.jsonl");
    writeFileSync(first, line("session-1", "u-1", "The basket is empty."));
    writeFileSync(path.join(projects, "notes.txt"), "not a transcript");
    writeFileSync(path.join(projects, "other.jsonl"), "{}\n");
    const environment = { ...process.env, HOME: folder, LCM_DATA_DIR: path.join(folder, "data") };
    const child = spawn(process.execPath, [LCM, "watch", "--json"], { env: environment });
    const reports = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await reports.next()).value ?? "{}");
    expect(await next()).toMatchObject({ sessionId: "session-1", imported: 1 });
    appendFileSync(first, line("session-1", "u-2", "And now it is full."));
    expect(await next()).toMatchObject({ sessionId: "session-1", imported: 1, file: "grown" });
    const codex = path.join(folder, ".codex/sessions/2026/11/18");
    mkdirSync(codex, { recursive: true });
    const payload = { type: "message", role: "user", content: [{ type: "input_text", text: "From Codex." }] };
    writeFileSync(
      path.join(codex, "rollout-1.jsonl"),
      `${JSON.stringify({ timestamp: "2026-11-18T10:00:00Z", type: "response_item", payload })}\n`,
    );
    expect(await next()).toMatchObject({ formatLabel: "Codex", imported: 1 });
    appendFileSync(first, line("session-1", "u-3", "The last words."));
    child.kill("SIGINT");
    await once(child, "close");
    const engine = await open({
      store: environment.LCM_DATA_DIR,
      background: "off",
      config: { logLevel: "silent" },
    });
    const { messages } = await engine.context.read({ conversation: "session-1" });
    expect(messages.map(({ value }) => Object(value).message.content)).toEqual([
      "The basket is empty.",
      "And now it is full.",
      "The last words.",
    ]);
    await engine.close();
  });
});
