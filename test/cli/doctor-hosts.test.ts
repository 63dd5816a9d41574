import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { checkServer } from "../../src/operations/doctor/check-server.ts";
import { lcm, temporaryFolder } from "./lcm.ts";

/** A home with programs of its own: nothing else is on the PATH. */
function home() {
  const folder = temporaryFolder();
  const file = (name: string) => path.join(folder, name);
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };
  const program = (name: string, script: string) => {
    put(`bin/${name}`, `#!/bin/sh\n${script}\n`);
    chmodSync(file(`bin/${name}`), 0o755);
  };
  const environment = { HOME: folder, PATH: file("bin"), LCM_DATA_DIR: file("data") };
  const run = (...args: readonly string[]) => lcm([...args], { environment });
  const doctor = async (checks: RegExp) => {
    const { code, stdout } = await run("doctor", "--json");
    const all: { check: string; status: string; message: string; advice: string | null }[] =
      JSON.parse(stdout).findings;
    const chosen = all.filter(({ check }) => checks.test(check));
    return {
      code,
      advice: chosen.flatMap(({ advice }) => advice ?? []),
      findings: chosen.map(({ check, status, message }) => `${status} ${check}: ${message}`),
    };
  };
  return { put, program, run, doctor, file, read: (name: string) => readFileSync(file(name), "utf8") };
}

const TRUSTED = (file: string, place: string) =>
  `\n[hooks.state."${file}:${place}"]\ntrusted_hash = "sha256:0"\n`;

describe("lcm doctor, about hosts", () => {
  it("says whether a host is connected, and to this place", async () => {
    const { put, run, doctor, read } = home();
    expect((await doctor(/^codex/)).findings).toEqual([]);
    put(".codex/config.toml", 'model = "o"\n');
    expect((await doctor(/^codex/)).findings).toEqual(["ok codex: Codex is not connected"]);
    await run("setup", "codex", "--yes");
    expect((await doctor(/^codex$/)).findings).toEqual(["ok codex: Codex is connected"]);
    put(".codex/hooks.json", read(".codex/hooks.json").replaceAll("bin/hook.mjs", "old/bin/hook.mjs"));
    expect((await doctor(/^codex/)).findings).toEqual([expect.stringContaining("another version or copy")]);
    put(".codex/hooks.json", "{");
    expect((await doctor(/^codex/)).findings).toEqual([expect.stringContaining("is not a JSON object")]);
  });

  it.each(["codex", "gemini"])("knows a connection of %s to a store of its own", async (host) => {
    const { put, run, doctor, file } = home();
    put(`.${host}/later`, "");
    await run("--data", file("named"), "setup", host, "--yes");
    expect((await doctor(new RegExp(`^${host}( server)?$`))).findings).toEqual([
      expect.stringContaining(`is connected, with LCM_DATA_DIR=${file("named")}`),
      expect.stringContaining("the MCP server starts"),
    ]);
  });

  it("starts the MCP server as the host does, and makes no store by it", async () => {
    const { run, doctor, file, put } = home();
    put(".claude/settings.json", "{}");
    await run("setup", "claude-code", "--yes");
    const { findings } = await doctor(/^claude-code server/);
    expect(findings).toEqual([
      expect.stringMatching(/^ok claude-code server: the MCP server starts and offers \d+ tools$/),
    ]);
    expect(existsSync(file("data/palimpsest.db"))).toBe(false);
  });

  it("checks the Node that was written, and not its own", async () => {
    const { run, doctor, program, put, read, file } = home();
    await run("setup", "claude-code", "--yes");
    // As after an update that removed the Node of the set-up.
    for (const name of [".claude/settings.json", ".palimpsest/setup/claude-code.json"])
      put(name, read(name).replace(/"([^"]*[\\/]node(?:\.exe)?)"/, JSON.stringify(file("bin/node"))));
    const missing = await doctor(/^claude-code/);
    expect(missing.code).not.toBe(0);
    expect(missing.findings).toEqual([
      "ok claude-code: Claude Code is connected",
      `fail claude-code node: Claude Code cannot start Palimpsest: ${file("bin/node")} cannot be run: there is no such file or folder (ENOENT)`,
    ]);
    expect(missing.advice).toEqual(["Run: lcm setup claude-code"]);
    program("node", "echo v20.19.0");
    expect((await doctor(/^claude-code node/)).findings).toEqual([
      expect.stringContaining("is Node 20.19.0, and 22.16 is needed"),
    ]);
    const version = 'test "$1" = --version && echo v24.0.0 && exit 0';
    program(
      "node",
      `${version}; echo "Error: the disk is gone" >&2; echo "    at open (f.js:1)" >&2; exit 3`,
    );
    const failed = await doctor(/^claude-code server/);
    expect(failed.findings).toEqual([
      "fail claude-code server: the MCP server does not start: it exited with code 3: Error: the disk is gone",
    ]);
    expect(failed.advice).toEqual([expect.stringMatching(/Try it with: \S+node \S.*lcm\.mjs mcp$/)]);
    program(
      "node",
      `${version}; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"not today"}}'; read line`,
    );
    expect((await doctor(/^claude-code server/)).findings).toEqual([
      expect.stringContaining("it answered with an error: not today"),
    ]);
  });

  it("does not wait longer for a server than the deadline", async () => {
    const silent = { command: process.execPath, args: ["-e", "setTimeout(() => {}, 600_000)"] };
    expect(await checkServer(silent, 200)).toEqual({ problem: "it did not answer within 0.2 s" });
  });

  it("says that a host is older or newer than the version that was tested", async () => {
    const { run, doctor, program } = home();
    await run("setup", "claude-code", "--yes");
    expect((await doctor(/version$/)).findings).toEqual([]);
    program("claude", 'test "$1" = --version && echo "2.1.99 (Claude Code)"');
    const old = await doctor(/version$/);
    expect(old.findings).toEqual([
      "warn claude-code version: 2.1.99 is older than 2.1.325, the version that was tested: hooks may not run",
    ]);
    expect(old.advice).toEqual(["Update Claude Code."]);
    program("claude", 'echo "2.10.0 (Claude Code)"');
    expect((await doctor(/version$/)).findings).toEqual([
      "note claude-code version: 2.10.0 is newer than 2.1.325, the version that was tested",
    ]);
    program("claude", "exit 1");
    expect((await doctor(/version$/)).findings).toEqual([
      "warn claude-code version: claude --version prints no version",
    ]);
  });

  it.runIf(process.platform === "linux")("says whether the service of lcm watch runs", async () => {
    const { run, doctor, program } = home();
    await run("setup", "watch", "--yes");
    const states = {
      active: "ok watch: lcm watch is installed as a service, and runs",
      inactive: "warn watch: lcm watch is installed as a service, and does not run",
      "": "ok watch: lcm watch is installed as a service",
    };
    expect((await doctor(/^watch/)).findings).toEqual([states[""]]);
    for (const [state, finding] of Object.entries(states)) {
      program("systemctl", `test "$2" = is-active && echo ${state}; exit 3`);
      expect((await doctor(/^watch/)).findings).toEqual([finding]);
    }
    program("systemctl", "echo inactive; exit 3");
    expect((await doctor(/^watch/)).advice).toEqual([
      expect.stringContaining("enable --now palimpsest-watch"),
    ]);
    const { stdout } = await run("setup", "watch", "--undo", "--yes");
    expect(stdout).toContain("systemctl --user stop palimpsest-watch.service");
  });

  it("names the hooks that Codex does not trust", async () => {
    const { put, run, doctor, read, file } = home();
    put(".codex/hooks.json", '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"notify"}]}]}}');
    await run("setup", "codex", "--yes");
    const trust = async () => (await doctor(/^codex hooks/)).findings;
    expect(await trust()).toEqual(["warn codex hooks: Codex trusts none of the hooks and does not run them"]);
    const hooks = file(".codex/hooks.json");
    const connected = read(".codex/config.toml");
    const places = ["session_start", "user_prompt_submit", "post_tool_use", "pre_compact", "session_end"];
    const most = places.map((event) => TRUSTED(hooks, `${event}:0:0`)).join("");
    // The hook of Stop that the person has trusted is not ours, which comes after it.
    put(".codex/config.toml", connected + most + TRUSTED(hooks, "stop:0:0"));
    expect(await trust()).toEqual([
      "warn codex hooks: Codex does not trust the hooks for Stop, and does not run them",
    ]);
    put(".codex/config.toml", connected + most + TRUSTED(hooks, "stop:1:0"));
    expect(await trust()).toEqual(["ok codex hooks: Codex trusts the hooks"]);
    put(".codex/config.toml", `${read(".codex/config.toml")}\n[features]\nhooks = false\n`);
    expect(await trust()).toEqual([
      expect.stringMatching(/^warn codex hooks: Codex runs no hooks, because .* hooks = false/),
    ]);
  });
});
