/** The store that `lcm setup` is told to use, asked for by running what it has written, as the host would. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { parse } from "smol-toml";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { daemonAddress } from "../../src/config/daemon-address.ts";
import { stopDaemon } from "../../src/hooks/index.ts";
import { open } from "../../src/index.ts";
import { builtCode } from "../built-code-options.ts";
import { callText, createClient } from "../mcp/clients.ts";
import { lcm, temporaryFolder } from "./lcm.ts";

const PLUGIN = new URL("../../plugins/claude-code", import.meta.url).pathname;

interface Server {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Written {
  readonly server: Server;
  /** As a shell runs it; empty where hooks are not commands. */
  readonly hook: string;
  readonly hookEnv?: Readonly<Record<string, string>>;
}

const firstHook = (settings: { hooks: Record<string, { hooks: { command: string }[] }[]> }) =>
  settings.hooks.SessionEnd?.[0]?.hooks[0]?.command ?? "";

const HOSTS: Readonly<Record<string, (read: (name: string) => string) => Written>> = {
  "claude-code": (read) => {
    const { env } = JSON.parse(read(".claude/settings.json"));
    const filled = (text: string) =>
      text
        .replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}/g, PLUGIN)
        .replace(/\$\{LCM_NODE:-node\}/, () => env.LCM_NODE);
    const { lcm: server } = JSON.parse(
      filled(readFileSync(path.join(PLUGIN, ".mcp.json"), "utf8")),
    ).mcpServers;
    const hooks = JSON.parse(readFileSync(path.join(PLUGIN, "hooks/hooks.json"), "utf8"));
    return { server: { ...server, env }, hook: filled(firstHook(hooks)), hookEnv: env };
  },
  codex: (read) => {
    const servers = Object(parse(read(".codex/config.toml"))).mcp_servers;
    return { server: servers.palimpsest, hook: firstHook(JSON.parse(read(".codex/hooks.json"))) };
  },
  gemini: (read) => {
    const settings = JSON.parse(read(".gemini/settings.json"));
    return { server: settings.mcpServers.palimpsest, hook: firstHook(settings) };
  },
  copilot: (read) => {
    const { mcpServers } = JSON.parse(read(".copilot/mcp-config.json"));
    const { hooks } = JSON.parse(read(".copilot/hooks/palimpsest.json"));
    return { server: mcpServers.palimpsest, hook: hooks.SessionEnd[0].command };
  },
  opencode: (read) => {
    const { command, environment } = JSON.parse(read(".config/opencode/opencode.json")).mcp.palimpsest;
    const [program, ...args] = command;
    return { server: { command: program, args, env: environment }, hook: "" };
  },
};

describe.each(Object.keys(HOSTS))("what lcm setup --data writes for %s", (host) => {
  let folder: string;
  let data: string;
  let written: Written;
  const inherited = () => ({
    ...{ PATH: process.env.PATH ?? "", HOME: folder, ...builtCode() },
    LCM_DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    data = path.join(folder, "it's mine");
    const environment = { HOME: folder };
    const { code, stdout } = await lcm(["--data", data, "setup", host, "--yes"], { environment });
    expect(code).toBe(0);
    expect(stdout).toContain(`uses the store in ${data}.`);
    const find = HOSTS[host] ?? expect.fail();
    written = find((name) => readFileSync(path.join(folder, name), "utf8"));
  });
  afterEach(() => stopDaemon(daemonAddress({ LCM_DATA_DIR: data })));

  it("reaches that store with the MCP server", async () => {
    const engine = await open({ store: data, config: { logLevel: "silent" } });
    const message = { role: "user", content: "The vault code is heron-4471." };
    await engine.context.commitTurn({ conversation: { sessionId: "s" }, key: "t", messages: [{ message }] });
    await engine.close();
    const { command, args, env } = written.server;
    const client = createClient("2025-11-25");
    await client.connect(
      new StdioClientTransport({ command, args: [...args], env: { ...inherited(), ...env } }),
    );
    expect((await callText(client, "lcm_grep", { pattern: "vault" })).text).toContain("heron-4471");
  });

  // The plugin of OpenCode is not a command, and reads OpenCode's own database.
  if (host === "opencode")
    it("names that store to the plugin", () => {
      const plugin = readFileSync(path.join(folder, ".config/opencode/plugin/palimpsest.js"), "utf8");
      expect(plugin).toContain(JSON.stringify(["LCM_DATA_DIR", data]));
    });
  else
    it("takes a session into that store with a hook", async () => {
      const { hook, hookEnv } = written;
      const transcript = path.join(folder, "s.jsonl");
      writeFileSync(transcript, `${JSON.stringify(LINE)}\n`);
      const event = { hook_event_name: "SessionEnd", session_id: "s", transcript_path: transcript };
      execFileSync("sh", ["-c", hook], {
        env: { ...inherited(), ...hookEnv },
        input: JSON.stringify(event),
      });
      const address = daemonAddress({ LCM_DATA_DIR: data });
      while (!existsSync(address)) await delay(50);
      await stopDaemon(address);
      await expectFound(data);
      expect(existsSync(path.join(folder, ".palimpsest/palimpsest.db"))).toBe(false);
    });
});

describe("lcm daemon --data", () => {
  it("means the daemon that hooks of that store ask", async () => {
    const folder = temporaryFolder();
    const data = path.join(folder, "named");
    const { stdout } = await lcm(["--data", data, "daemon", "--status", "--json"], {
      environment: { HOME: folder, LCM_DATA_DIR: path.join(folder, "another") },
    });
    expect(JSON.parse(stdout)).toEqual({ address: path.join(data, "daemon.sock"), daemon: null });
  });
});

describe.runIf(process.platform === "linux")("what lcm setup watch --data writes", () => {
  it("takes sessions into that store", async () => {
    const folder = temporaryFolder();
    const data = path.join(folder, "it's mine");
    const environment = { HOME: folder, LCM_DATA_DIR: path.join(folder, "another") };
    await lcm(["--data", data, "setup", "watch", "--yes"], { environment });
    const unit = readFileSync(path.join(folder, ".config/systemd/user/palimpsest-watch.service"), "utf8");
    const [program = "", ...args] = [
      ...(/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? "").matchAll(/"([^"]*)"|(\S+)/g),
    ].map(([, inQuotes, bare]) => inQuotes ?? bare ?? "");
    const own = Object.fromEntries(
      [...unit.matchAll(/^Environment="(\w+)=(.*)"$/gm)].map(([, name, value]) => [name, value]),
    );
    const project = path.join(folder, ".claude/projects/p");
    mkdirSync(project, { recursive: true });
    writeFileSync(path.join(project, "s.jsonl"), `${JSON.stringify(LINE)}\n`);
    const env = { PATH: process.env.PATH ?? "", HOME: folder, ...builtCode(), ...own };
    const child = spawn(program, [...args, "--json"], { env, stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    child.kill("SIGINT");
    await once(child, "close");
    await expectFound(data);
  });
});

const LINE = {
  ...{ type: "user", uuid: "u-1", sessionId: "s", parentUuid: null, isSidechain: false },
  message: { role: "user", content: "The vault code is heron-4471." },
};

async function expectFound(data: string): Promise<void> {
  const { stdout } = await lcm(["--data", data, "grep", "vault"], {
    environment: { HOME: path.dirname(data) },
  });
  expect(stdout).toContain("heron-4471");
}
