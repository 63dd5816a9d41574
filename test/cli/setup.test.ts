import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { GROUPS } from "../../src/cli/commands/groups.ts";
import { showConfig } from "../../src/operations/config-show.ts";
import { doctor } from "../../src/operations/doctor.ts";
import { COMMAND_WORDS } from "../../src/operations/registry.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { importInto } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

const folder = temporaryFolder();
const data = path.join(folder, "data");
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

describe("lcm without a command", () => {
  it.each(["", ...COMMAND_WORDS, ...Object.keys(GROUPS), "top", "watch", "mcp"])(
    "has help within 80 columns: lcm %s",
    async (words) => {
      const { stdout } = await lcm([...words.split(" ").filter((word) => word !== ""), "--help"], {
        columns: 80,
      });
      expect(stdout).toContain("Usage: lcm");
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it("tells its version, explains itself with examples and exit codes, and refuses what it does not know", async () => {
    const [plain, json, help, nothing, unknown, option] = await Promise.all([
      lcm(["--version"]),
      lcm(["--version", "--json"]),
      lcm(["--help"]),
      lcm([]),
      lcm(["raed", "x"]),
      lcm(["read", "x", "--jsn", "--json"]),
    ]);
    expect(plain).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect(JSON.parse(json.stdout)).toEqual({ version });
    expect(help.stdout).toMatch(/Examples:\n[\s\S]*Exit codes:\n/);
    expect(help.stdout).toMatch(
      /\nui, serve, mcp, daemon, watch and top run until they are stopped, and then end\nwith 0\.\n/,
    );
    expect(nothing).toMatchObject({ code: 2, stdout: "" });
    expect(nothing.stderr).toContain("Usage: lcm");
    expect(unknown).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "error: unknown command 'raed'\nDid you mean read?\n",
    });
    expect(option).toMatchObject({ code: 2, stderr: "" });
    expect(JSON.parse(option.stdout)).toEqual({
      error: {
        code: "invalid-input",
        message: "unknown option '--jsn'",
        advice: "Did you mean --json?\nIf it is not an option, put -- before it: lcm read -- --jsn",
      },
    });
  });
});

describe("help for a command that does not exist", () => {
  it.each([
    ["nope --help", "unknown command 'nope'"],
    ["help nope", "unknown command 'nope'"],
    ["memory nope --help", "lcm memory has no command 'nope'"],
    ["memory help nope", "lcm memory has no command 'nope'"],
    ["help memory nope", "lcm memory has no command 'nope'"],
    ["conversations nope -h", "lcm conversations has no command 'nope'"],
    ["files ad --help", "lcm files has no command 'ad'\nDid you mean add?"],
  ])("is an error: lcm %s", async (words, problem) => {
    const { code, stdout, stderr } = await lcm(words.split(" "));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(`error: ${problem}\n`);
    expect(stderr).not.toContain("Usage");
  });

  it.each(["help memory recall", "memory recall --help", "memory help recall"])(
    "is not confused with help for one that does: lcm %s",
    async (words) => {
      const { code, stdout } = await lcm(words.split(" "));
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Usage: lcm memory recall/);
    },
  );
});

describe("lcm config", () => {
  it("shows every setting with where it came from, and makes no store", async () => {
    const file = path.join(folder, "settings.json");
    writeFileSync(file, JSON.stringify({ pruneHeartbeatOk: true }));
    const args = ["--data", data, "--config", file, "config"];
    const [shown, answer, checked] = await Promise.all([
      lcm(args),
      lcmJson<Awaited<ReturnType<typeof showConfig.run>>>([...args, "show"]),
      lcm([...args, "check"]),
    ]);
    expect(() => showConfig.output.parse(answer)).not.toThrow();
    const sourceOf = (key: string) => answer.settings.find((setting) => setting.key === key)?.source;
    expect([
      sourceOf("pruneHeartbeatOk"),
      sourceOf("timezone"),
      sourceOf("dataDir"),
      sourceOf("agent"),
    ]).toEqual(["file", "environment", "option", "default"]);
    expect(shown.stdout).toMatch(/^pruneHeartbeatOk +true +file +LCM_PRUNE_HEARTBEAT_OK$/m);
    expect(checked.stdout).toContain(`The configuration is valid (${file}).`);
    expect(existsSync(data)).toBe(false);
  });

  it("refuses by name what is not known or not valid", async () => {
    const [unknown, value] = await Promise.all([
      lcm(["config", "check"], { environment: { LCM_DATADIR: "x" } }),
      lcm(["config", "check", "--json"], { environment: { LCM_TIMEZONE: "Moon/Crater" } }),
    ]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/^error: unknown setting LCM_DATADIR\nDid you mean LCM_DATA_DIR\?/);
    expect(value).toMatchObject({ code: 2, stderr: "" });
    expect(JSON.parse(value.stdout).error.message).toContain("LCM_TIMEZONE");
    const both = await lcm(["config", "check"], { environment: { LCM_DATADIR: "x", LCM_ENABLED: "maybe" } });
    expect(both).toMatchObject({ code: 2, stdout: "" });
    expect(both.stderr).toMatch(
      /^error: 2 invalid settings:\n {2}unknown setting LCM_DATADIR\. .*\n {2}LCM_ENABLED must be/,
    );
  });
});

describe("lcm doctor", () => {
  const statusOf = (report: Awaited<ReturnType<typeof doctor.run>>) =>
    Object.fromEntries(report.findings.map(({ check, status }) => [check, status]));

  it("finds a fresh installation in order and makes nothing", async () => {
    const place = path.join(folder, "not", "there", "yet");
    const report = await lcmJson<Awaited<ReturnType<typeof doctor.run>>>(["--data", place, "doctor"]);
    expect(() => doctor.output.parse(report)).not.toThrow();
    expect(statusOf(report)).toMatchObject({
      node: "ok",
      configuration: "ok",
      "data folder": "ok",
      store: "ok",
    });
    expect(existsSync(path.join(folder, "not"))).toBe(false);
  });

  it("names open permissions, unreadable lines and a missing backup, and what to do", async () => {
    const place = path.join(folder, "open");
    const file = path.join(folder, "broken.jsonl");
    writeFileSync(file, `${neutral("broken", [said("user", "fine", "b1")])}{"oops\n`);
    await importInto(place, file);
    chmodSync(place, 0o755);
    const { code, stdout } = await lcm(["--data", place, "doctor"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^! permissions .*0755.*\n +Run: chmod 700 /m);
    expect(stdout).toMatch(/^! transcripts +1 lines? .*not readable\n +.*--unreadable$/m);
    expect(stdout).toMatch(/^! backup +there is no backup yet\n +Create one with: lcm backup$/m);
    expect(stdout).toMatch(/^✓ durability +journal_mode wal, synchronous full$/m);
    expect(stdout).toContain("No errors, 3 warnings.");
  });

  it("reports a broken configuration and looks at the named store all the same", async () => {
    const place = path.join(folder, "misconfigured");
    mkdirSync(place, { mode: 0o700 });
    writeFileSync(path.join(place, "config.json"), '{"timezon": "UTC"}');
    const [named, unnamed, other] = await Promise.all([
      lcm(["--data", place, "doctor"]),
      lcm(["doctor", "--json"], { environment: { LCM_DATA_DIR: place } }),
      lcm(["--data", place, "conversations"]),
    ]);
    expect(named.code).toBe(6);
    expect(named.stdout).toMatch(/^✗ configuration +unknown setting timezon\n +Did you mean timezone\?$/m);
    expect(named.stdout).toMatch(/^✓ data folder +/m);
    expect(unnamed.code).toBe(6);
    expect(statusOf(JSON.parse(unnamed.stdout))).toMatchObject({ configuration: "fail", store: "warn" });
    expect(other).toMatchObject({ code: 2, stdout: "" });
  });

  it("reports a folder that cannot be created and a database of somebody else", async () => {
    const inTheWay = path.join(folder, "file");
    writeFileSync(inTheWay, "");
    const foreign = path.join(folder, "foreign");
    mkdirSync(foreign, { mode: 0o700 });
    writeFileSync(
      path.join(foreign, "palimpsest.db"),
      "this is no database, and long enough to tell so".repeat(30),
    );
    const [unwritable, command, other] = await Promise.all([
      lcm(["--data", path.join(inTheWay, "data"), "doctor"]),
      lcm(["--data", path.join(inTheWay, "data"), "import", folder, "--json"]),
      lcm(["--data", foreign, "doctor"]),
    ]);
    expect(unwritable.code).toBe(6);
    expect(unwritable.stdout).toMatch(
      /^✗ data folder .*\n +Choose another folder with --data or LCM_DATA_DIR\.$/m,
    );
    expect(command).toMatchObject({ code: 5, stderr: "" });
    expect(JSON.parse(command.stdout).error.code).toBe("store-readonly");
    expect(other.code).toBe(6);
    expect(other.stdout).toMatch(/^✗ store +/m);
  });

  it("shows a stack only to those who ask for it", async () => {
    const [plain, debug] = await Promise.all([
      lcm(["--data", data, "read", "nobody"]),
      lcm(["--data", data, "read", "nobody", "--log-level", "debug"]),
    ]);
    expect(plain.stderr).not.toContain(" at ");
    expect(debug.stderr).toMatch(/\n +at /);
  });
});
