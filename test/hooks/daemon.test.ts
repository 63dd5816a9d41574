import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { daemonAddress } from "../../src/config/daemon-address.ts";
import { askDaemon, stopDaemon } from "../../src/hooks/index.ts";
import { open } from "../../src/index.ts";
import { temporaryFolder } from "../temporary-store.ts";

const HOOK = new URL("../../bin/hook.mjs", import.meta.url).pathname;
const LCM = new URL("../../bin/lcm.mjs", import.meta.url).pathname;

describe("the daemon", () => {
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  let address: string;
  let transcript: string;
  beforeEach(() => {
    folder = temporaryFolder();
    environment = { ...process.env, HOME: folder, LCM_DATA_DIR: path.join(folder, "data") };
    address = daemonAddress(environment);
    transcript = path.join(folder, "session-1.jsonl");
    const message = { role: "user", content: "The vault code is heron-4471." };
    const line = {
      type: "user",
      uuid: "u-1",
      sessionId: "session-1",
      parentUuid: null,
      isSidechain: false,
      message,
    };
    writeFileSync(transcript, `${JSON.stringify(line)}\n`);
  });
  afterEach(async () => {
    await ended();
    rmSync(folder, { recursive: true, force: true });
  });

  const ended = () => stopDaemon(address);

  async function hook(
    name: string,
    more: object = {},
  ): Promise<{ readonly code: number; readonly said: string }> {
    const child = spawn(process.execPath, [HOOK, "codex"], { env: environment });
    child.stdin.end(
      JSON.stringify({
        hook_event_name: name,
        session_id: "session-1",
        transcript_path: transcript,
        ...more,
      }),
    );
    return finished(child);
  }

  async function finished(child: ChildProcess): Promise<{ readonly code: number; readonly said: string }> {
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const [code] = await once(child, "close");
    return { code, said };
  }

  async function running(): Promise<number> {
    for (let i = 0; i < 200; i++) {
      const status = await askDaemon(address, "status");
      if (status !== null) return status.pid;
      await delay(50);
    }
    throw new Error("no daemon has started");
  }

  /** From the moment on in which the socket is there: before anything else has connected. */
  async function connected(): Promise<net.Socket> {
    for (let i = 0; i < 2_000; i++) {
      const socket = net.connect(address);
      const isOpen = await new Promise((resolve) => {
        socket.on("connect", () => resolve(true));
        socket.on("error", () => resolve(false));
      });
      if (isOpen === true) return socket;
      await delay(5);
    }
    throw new Error("no daemon has started");
  }

  async function stored(): Promise<number> {
    const engine = await open({
      store: path.join(folder, "data"),
      background: "off",
      config: { logLevel: "silent" },
    });
    const { messages } = await engine.context.read({ conversation: "session-1" });
    await engine.close();
    return messages.length;
  }

  it("is started by a hook that does not wait for it, takes the event in, and belongs to its user alone", async () => {
    expect(await hook("SessionStart", { source: "startup" })).toEqual({ code: 0, said: "" });
    await running();
    expect(statSync(address).mode & 0o777).toBe(0o600);
    await ended();
    expect(await stored()).toBe(1);
    expect(existsSync(address)).toBe(false);
  });

  it("answers a digest also when the hook that asks for it had to start it", async () => {
    const { said } = await hook("SessionStart", { source: "compact" });
    expect(JSON.parse(said).hookSpecificOutput.additionalContext).toContain("heron-4471");
  });

  it("is one for a store, and another takes over after a kill", async () => {
    await hook("SessionStart", { source: "startup" });
    const first = await running();
    const second = await finished(spawn(process.execPath, [LCM, "daemon"], { env: environment }));
    expect(second.code).toBe(0);
    expect(await running()).toBe(first);
    process.kill(first, "SIGKILL");
    await delay(100);
    expect((await hook("Stop")).code).toBe(0);
    expect(await running()).not.toBe(first);
    await ended();
    expect(await stored()).toBe(1);
  });

  it("ends when it is idle, also while somebody is connected and asks nothing", async () => {
    const child = spawn(process.execPath, [LCM, "daemon", "--idle", "1"], { env: environment });
    const waiting = await connected();
    waiting.on("error", () => {});
    expect((await finished(child)).code).toBe(0);
  });

  it("lets the host go on when nothing can be stored", async () => {
    const data = path.join(folder, "data");
    writeFileSync(data, "a file where the folder should be");
    chmodSync(data, 0o400);
    expect(await hook("UserPromptSubmit", { prompt: "what about the vault?" })).toEqual({
      code: 0,
      said: "",
    });
    expect(await hook("SessionEnd")).toEqual({ code: 0, said: "" });
  });
});
