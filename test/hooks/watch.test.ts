import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { open } from "../../src/index.ts";
import { addOpencodeSession, geminiLines, openOpencode, putOpencodeMessage } from "../session-documents.ts";
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

  it("ends with an error where the store cannot be used", async () => {
    const notFolder = path.join(folder, "data");
    writeFileSync(notFolder, "a file");
    const environment = { ...process.env, HOME: folder, LCM_DATA_DIR: notFolder };
    const child = spawn(process.execPath, [LCM, "watch"], { env: environment });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    const [code] = await once(child, "close");
    expect(code).not.toBe(0);
    expect(errors).toContain(notFolder);
    expect(errors).not.toContain("Watching");
  });

  it("follows the chats of Gemini CLI and the database of OpenCode", async () => {
    const chats = path.join(folder, ".gemini/tmp/abc/chats");
    mkdirSync(chats, { recursive: true });
    writeFileSync(path.join(chats, "session-1.jsonl"), geminiLines(false));
    writeFileSync(path.join(chats, "../logs.json"), "[]");
    const store = path.join(folder, "share/opencode");
    mkdirSync(store, { recursive: true });
    const environment = {
      ...process.env,
      ...{ HOME: folder, XDG_DATA_HOME: path.join(folder, "share"), LCM_DATA_DIR: path.join(folder, "data") },
    };
    const child = spawn(process.execPath, [LCM, "watch", "--json"], { env: environment });
    const reports = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await reports.next()).value ?? "{}");
    expect(await next()).toMatchObject({ format: "gemini-cli", imported: 3 });
    writeFileSync(path.join(chats, "session-1.jsonl"), geminiLines(true));
    expect(await next()).toMatchObject({ format: "gemini-cli", imported: 1, file: "grown" });
    const database = openOpencode(path.join(store, "opencode.db"));
    addOpencodeSession(database, "ses_1", "Live", "/home/ada");
    const said = (id: string, text: string) => ({
      info: { id, role: "user", time: { created: Date.now() } },
      parts: [{ id: `prt_${id}`, type: "text", text }],
    });
    putOpencodeMessage(database, "ses_1", said("msg_1", "Boil water."));
    expect(await next()).toMatchObject({ format: "opencode", sessionId: "ses_1", imported: 1 });
    // It is in the log beside the database, which is not closed.
    putOpencodeMessage(database, "ses_1", said("msg_2", "And pour it."));
    expect(await next()).toMatchObject({ format: "opencode", imported: 1, alreadyThere: 1 });
    child.kill("SIGINT");
    await once(child, "close");
    database.close();
  });
});
