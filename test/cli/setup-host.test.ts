import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { lcm, temporaryFolder } from "./lcm.ts";

const HOSTS = [
  { host: "claude-code", files: [".claude/settings.json"] },
  { host: "codex", files: [".codex/hooks.json", ".codex/config.toml"] },
  { host: "gemini", files: [".gemini/settings.json"] },
  { host: "opencode", files: [".config/opencode/opencode.json"] },
  { host: "copilot", files: [".copilot/mcp-config.json"] },
] as const;
/** As people write it: their own order, indentation and hooks. */
const JSON_BEFORE =
  '{\n    "theme":"dark",\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "notify"}]}]}, "mcpServers": {"mine": {"command": "x"}}}';
const TOML_BEFORE =
  'model = "o" # a comment with [brackets\n[a."b.c"]\nlist = [\n  "x]", # inner\n  { k = 1 },\n]\ntext = """\n[not a table\n"""';

function home() {
  const folder = temporaryFolder();
  const environment = { HOME: folder, LCM_DATA_DIR: path.join(folder, "data") };
  const file = (name: string) => path.join(folder, name);
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };
  const run = (...args: readonly string[]) => lcm(["setup", ...args], { environment });
  return { environment, file, put, run, read: (name: string) => readFileSync(file(name), "utf8") };
}

describe.each(HOSTS)("lcm setup $host", ({ host, files }) => {
  const before = (name: string) => (name.endsWith(".toml") ? TOML_BEFORE : JSON_BEFORE);

  it("shows the change, writes it, and gives the files back byte for byte", async () => {
    const { put, run, read } = home();
    for (const name of files) put(name, before(name));
    const shown = await run(host, "--dry-run");
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toContain("palimpsest");
    for (const name of files) expect(read(name)).toBe(before(name));
    expect(await run(host)).toMatchObject({ code: 2 });
    for (const name of files) expect(read(name)).toBe(before(name));
    expect(await run(host, "--yes")).toMatchObject({ code: 0 });
    for (const name of files) expect(read(name)).toMatch(/palimpsest|hook\.mjs/);
    expect((await run(host, "--yes")).stdout).toContain("Nothing to change");
    expect(await run(host, "--undo", "--yes")).toMatchObject({ code: 0 });
    for (const name of files) expect(read(name)).toBe(before(name));
    expect((await run(host, "--undo", "--yes")).stdout).toContain("Nothing to change");
  });

  it("makes files that are not there, and removes them again", async () => {
    const { run, file } = home();
    await run(host, "--yes");
    for (const name of files) expect(existsSync(file(name))).toBe(true);
    await run(host, "--undo", "--yes");
    for (const name of files) expect(existsSync(file(name))).toBe(false);
  });

  it("takes out only its own part of a file that was changed since", async () => {
    const { put, run, read } = home();
    for (const name of files) put(name, before(name));
    await run(host, "--yes");
    for (const name of files)
      put(name, name.endsWith(".toml") ? `${read(name)}later = 1\n` : read(name).replace("dark", "light"));
    await run(host, "--undo", "--yes");
    for (const name of files) {
      expect(read(name)).not.toMatch(/palimpsest|hook\.mjs/);
      expect(read(name)).toContain(name.endsWith(".toml") ? "later = 1" : "light");
      if (!name.endsWith(".toml"))
        expect(JSON.parse(read(name))).toEqual({ ...JSON.parse(JSON_BEFORE), theme: "light" });
    }
  });

  it("refuses a configuration that cannot be read, and changes none of the files", async () => {
    for (const broken of files) {
      const { put, run, read } = home();
      for (const name of files) put(name, before(name));
      const text = broken.endsWith(".toml") ? "[a\nb = = 1\n" : '{ "theme": "dark"';
      put(broken, text);
      const refused = await run(host, "--yes");
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(path.basename(broken));
      for (const name of files) expect(read(name)).toBe(name === broken ? text : before(name));
    }
  });
});

describe("lcm setup", () => {
  it.each([
    'mcp_servers = { other = { command = "true" } }\n',
    '[ mcp_servers.palimpsest ]\ncommand = "old"\n',
    '[mcp_servers."palimpsest"]\ncommand = "old"\n',
    'mcp_servers.palimpsest.command = "old"\n',
    '[mcp_servers]\npalimpsest = { command = "old" }\n',
    'model = "unclosed\n',
    "a = 1\na = 1\n",
  ])("refuses to make a configuration that Codex could not read of %j", async (text) => {
    const { put, run, read, file } = home();
    put(".codex/config.toml", text);
    const refused = await run("codex", "--yes");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("The file was not changed");
    expect(read(".codex/config.toml")).toBe(text);
    expect(existsSync(file(".codex/hooks.json"))).toBe(false);
  });

  it("lets Codex wait for the tools, unless a person has said how long", async () => {
    const { put, run, read } = home();
    put(".codex/config.toml", `\ufeff${TOML_BEFORE}`);
    await run("codex", "--yes");
    expect(parse(read(".codex/config.toml").slice(1))).toMatchObject({
      ...{ mcp_optional_startup_grace_ms: 5_000, model: "o" },
      mcp_servers: { palimpsest: { startup_timeout_sec: 30 } },
    });
    put(".codex/config.toml", `${read(".codex/config.toml")}later = 1\n`);
    await run("codex", "--undo", "--yes");
    expect(read(".codex/config.toml")).toBe(`\ufeff${TOML_BEFORE}\nlater = 1\n`);
    put(".codex/config.toml", "mcp_optional_startup_grace_ms = 7\n");
    await run("codex", "--yes");
    expect(parse(read(".codex/config.toml"))).toMatchObject({ mcp_optional_startup_grace_ms: 7 });
    expect((await run("codex", "--yes")).stdout).toContain("Nothing to change");
  });

  describe("in a configuration that Codex also writes", () => {
    const NAME = ".codex/config.toml";
    const OTHER = '[mcp_servers.other]\ncommand = "foo"\n';
    const BEGIN = "# palimpsest: begin, written by lcm setup\n";
    const END = "# palimpsest: end\n";
    const setUp = async (text = 'model = "o1"\n') => {
      const { put, run, read } = home();
      put(NAME, text);
      await run("codex", "--yes");
      const change = (edit: (text: string) => string) => put(NAME, edit(read(NAME)));
      return { run, change, read: () => read(NAME) };
    };
    const beforeLast = (added: string) => (text: string) =>
      `${text.slice(0, text.lastIndexOf(END))}${added}${END}`;
    /** As Codex writes a server again: without the comment before it, and with numbers of its own. */
    const rewritten = (text: string) =>
      text
        .replace(`${BEGIN}[mcp_servers`, `${text.includes(OTHER) ? "" : OTHER}\n[mcp_servers`)
        .replace("startup_timeout_sec = 30", "startup_timeout_sec = 30.0");

    it("keeps the tables and keys that Codex added between our comments", async () => {
      const { run, change, read } = await setUp();
      const [features, policy] = ["\n# mine\n[features]\nhooks = true\n", 'approval_policy = "never"\n'];
      change(beforeLast(features));
      change((text) => text.replace(END, policy + END));
      expect((await run("codex", "--yes")).stdout).toContain("Nothing to change");
      const moved = (text: string) => text.replace("lcm.mjs", "moved/lcm.mjs");
      change(moved);
      await run("codex", "--yes");
      expect(read()).not.toContain("moved");
      expect(parse(read())).toMatchObject({ features: { hooks: true }, approval_policy: "never" });
      change((text) => text.replace("hooks = true", "hooks = false"));
      await run("codex", "--undo", "--yes");
      expect(read()).toBe(`${policy}model = "o1"\n${features.replace("true", "false")}`);
    });

    it("recognises its table and setting without the comments", async () => {
      for (const edit of [rewritten, (text: string) => text.replaceAll(BEGIN, "").replaceAll(END, "")]) {
        const { run, change, read } = await setUp();
        change(edit);
        expect((await run("codex", "--yes")).stdout).toContain("Nothing to change");
        await run("codex", "--data", "/elsewhere", "--yes");
        expect(parse(read())).toMatchObject({
          mcp_servers: { palimpsest: { env: { LCM_DATA_DIR: "/elsewhere" } } },
        });
        change(edit);
        // Codex writes an inline table as one with a heading.
        change((text) =>
          text.replace(/env = \{ (.*), (.*) \}\n/, "\n[mcp_servers.palimpsest.env]\n$1\n$2\n"),
        );
        const table = read();
        await run("codex", "--data", "/elsewhere", "--yes");
        expect(read()).toBe(table);
        expect(table).toContain("palimpsest.env]");
        await run("codex", "--yes");
        expect(read()).not.toContain("/elsewhere");
        change(edit);
        await run("codex", "--undo", "--yes");
        expect(read()).not.toContain("palimpsest");
        const { mcp_servers: servers = {}, ...root } = parse(read());
        expect(root).toEqual({ model: "o1" });
        expect(servers).toEqual(read().includes(OTHER) ? parse(OTHER).mcp_servers : {});
      }
    });

    it("leaves a setting of the same value that a person wrote", async () => {
      const { run, change, read } = await setUp("mcp_optional_startup_grace_ms = 5000\n");
      change((text) => `${text}\n${OTHER}`);
      await run("codex", "--undo", "--yes");
      expect(read()).toBe(`mcp_optional_startup_grace_ms = 5000\n\n${OTHER}`);
    });

    it("keeps what a person added to its table while it is set up, and removes it with the table", async () => {
      const { run, change, read } = await setUp();
      change((text) => `${beforeLast("enabled = false\n")(text)}\n[mcp_servers.palimpsest.env]\nFOO = "1"\n`);
      expect((await run("codex", "--yes")).stdout).toContain("Nothing to change");
      change((text) => text.replace("lcm.mjs", "moved/lcm.mjs"));
      expect(await run("codex", "--yes")).toMatchObject({ code: 0 });
      expect(read()).not.toContain("moved");
      expect(parse(read())).toMatchObject({
        mcp_servers: { palimpsest: { enabled: false, startup_timeout_sec: 30, env: { FOO: "1" } } },
      });
      await run("codex", "--undo", "--yes");
      expect(parse(read())).toEqual({ model: "o1" });
    });

    it("refuses to undo what it cannot remove, and names the table", async () => {
      const { run, change, read } = await setUp();
      change((text) =>
        text.replace(/\[mcp_servers\.palimpsest\]\n([^#]*)/, (_, keys: string) =>
          keys.replace(/^(?=\w)/gm, "mcp_servers.palimpsest."),
        ),
      );
      change((text) => text.replace(/^model.*\n/m, ""));
      const before = read();
      const refused = await run("codex", "--undo", "--yes");
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stderr).toContain("[mcp_servers.palimpsest] cannot be removed");
      expect(read()).toBe(before);
    });

    it("shows the changed lines with two lines around each", async () => {
      const { put, run } = home();
      const own = Array.from({ length: 9 }, (_, at) => `key_${at} = ${at}`);
      put(NAME, `${own.join("\n")}\n`);
      const { stdout } = await run("codex", "--dry-run");
      const shown = stdout.slice(stdout.indexOf("config.toml"));
      expect(shown).not.toMatch(/^-/m);
      expect(shown.match(/^ {2}.*$/gm)).toEqual(
        [...own.slice(0, 2), "…", ...own.slice(-2)].map((line) => `  ${line}`),
      );
    });
  });

  it("is not confused by a comment, and finds its part again after line ends were changed", async () => {
    const { put, run, read } = home();
    const text = "# see [mcp_servers.palimpsest]\nport = 8\n";
    put(".codex/config.toml", text);
    expect(await run("codex", "--yes")).toMatchObject({ code: 0 });
    put(".codex/config.toml", read(".codex/config.toml").replaceAll("\n", "\r\n"));
    expect((await run("codex", "--yes")).code).toBe(0);
    await run("codex", "--undo", "--yes");
    expect(read(".codex/config.toml").replaceAll("\r", "")).toBe(text);
  });

  it.each(HOSTS.slice(0, 4))("undoes also what an earlier set-up of $host wrote", async ({ host, files }) => {
    const { put, run, read } = home();
    await run(host, "--yes");
    // An update moved the program, and a person changed the file meanwhile.
    for (const name of files) {
      const moved = read(name)
        .replaceAll("hook.mjs", "moved/../bin/hook.mjs")
        .replaceAll("lcm.mjs", "moved/lcm.mjs");
      put(name, name.endsWith(".toml") ? `later = 1\n${moved}` : moved.replace("{", '{ "later": 1,'));
    }
    await run(host, "--yes");
    expect(await run(host, "--undo", "--yes")).toMatchObject({ code: 0 });
    for (const name of files) {
      expect(read(name)).not.toMatch(/palimpsest|hook\.mjs/);
      expect(read(name)).toContain("later");
    }
  });

  it("says what to do where its record cannot be used, and changes nothing", async () => {
    const { put, run, read } = home();
    put(".palimpsest", "not a folder");
    put(".codex/config.toml", "port = 8\n");
    const refused = await run("codex", "--yes");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("cannot be read");
    expect(read(".codex/config.toml")).toBe("port = 8\n");
  });

  it("names a damaged record", async () => {
    const { put, run } = home();
    await run("gemini", "--yes");
    put(".palimpsest/setup/gemini.json", "{broken");
    const refused = await run("gemini", "--undo", "--yes");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("gemini.json is damaged");
  });

  it.each(["codex", "gemini"])(
    "leaves hooks of other programs alone, also in its own groups of %s",
    async (host) => {
      const { put, run, read } = home();
      const name = host === "codex" ? ".codex/hooks.json" : ".gemini/settings.json";
      const other = { hooks: [{ type: "command", command: "/opt/acme/bin/hook.mjs run" }] };
      const event = host === "codex" ? "Stop" : "AfterAgent";
      put(name, JSON.stringify({ hooks: { [event]: [other] } }));
      await run(host, "--yes");
      const settings = JSON.parse(read(name));
      const own = settings.hooks[event][1];
      own.hooks.push({ type: "command", command: "echo mine" });
      put(name, JSON.stringify(settings));
      await run(host, "--undo", "--yes");
      const mine = { ...own, hooks: [{ type: "command", command: "echo mine" }] };
      expect(JSON.parse(read(name)).hooks).toEqual({ [event]: [other, mine] });
    },
  );

  /** What each host was seen to read, at the version that was tested. */
  it.each([
    { host: "claude-code", file: ".claude/settings.json", reads: ["mark"] },
    { host: "codex", file: ".codex/hooks.json", reads: [] },
    { host: "gemini", file: ".gemini/settings.json", reads: ["comment"] },
    { host: "opencode", file: ".config/opencode/opencode.json", reads: ["mark", "comment", "comma"] },
    { host: "copilot", file: ".copilot/mcp-config.json", reads: ["mark", "comment", "comma"] },
  ])("accepts what $host reads beside plain JSON, and nothing else", async ({ host, file: name, reads }) => {
    const texts = {
      mark: '\ufeff{ "a": 1 }',
      comment: '{\n  // mine\n  "a": 1 /* one */\n}\n',
      comma: '{\n  "a": 1,\n}\n',
    };
    for (const [kind, text] of Object.entries(texts)) {
      const { put, run, read } = home();
      put(name, text);
      const { code, stderr } = await run(host, "--yes");
      if (reads.includes(kind)) {
        expect({ kind, code }).toEqual({ kind, code: 0 });
        for (const part of text.match(/\ufeff|\/\/ mine|\/\* one \*\/|"a": 1/g) ?? [])
          expect(read(name)).toContain(part);
        put(name, read(name).replace('"a": 1', '"a": 2'));
        await run(host, "--undo", "--yes");
        expect(read(name)).toBe(text.replace('"a": 1', '"a": 2'));
      } else {
        expect({ kind, code }).toEqual({ kind, code: 2 });
        expect(stderr).toContain("The file was not changed");
        expect(read(name)).toBe(text);
      }
    }
  });

  it("changes nothing else in a file, as it is written", async () => {
    const { put, run, read } = home();
    const name = ".copilot/mcp-config.json";
    const text = [
      "{",
      '\t"limit": 1.0, "most": 1e3,   // both',
      '\t"mcpServers": {',
      '\t\t"zoo": { "command": "x", "args": [ 1.50 ] } // the last one',
      "\t},",
      '\t"\\u0061": "\\u00e9", "deep": {}',
      "}",
      "",
    ].join("\r\n");
    put(name, text);
    const { stdout } = await run("copilot", "--dry-run");
    expect(stdout.match(/^- .*$/gm)).toEqual([
      '- \t\t"zoo": { "command": "x", "args": [ 1.50 ] } // the last one',
    ]);
    await run("copilot", "--yes");
    const lines = read(name).split("\r\n");
    for (const line of text.split("\r\n")) if (!line.includes("zoo")) expect(lines).toContain(line);
    expect(lines).toContain('\t\t"zoo": { "command": "x", "args": [ 1.50 ] }, // the last one');
    expect(lines).toContain('\t\t"palimpsest": {');
    expect(read(name).replaceAll("\r\n", "")).not.toContain("\n");
    put(name, read(name).replace("1e3", "2e3"));
    await run("copilot", "--undo", "--yes");
    expect(read(name)).toBe(text.replace("1e3", "2e3"));
  });

  it.each([
    "{}",
    '{"a":1}',
    '{ "a": 1.0 }\n',
    '{\n "mcpServers": {}\n}',
    '{"mcpServers":{"zoo":{"command":"x"}},"b":[]}',
    " \n",
  ])("writes what a host can read into %j", async (text) => {
    const { put, run, read } = home();
    put(".gemini/settings.json", text);
    await run("gemini", "--yes");
    const settings = JSON.parse(read(".gemini/settings.json"));
    expect(settings).toMatchObject(text.trim() === "" ? {} : JSON.parse(text));
    expect(settings.mcpServers.palimpsest.args.at(-1)).toBe("mcp");
    expect(Object.keys(settings.hooks)).toContain("SessionEnd");
  });

  it.each([
    { host: "gemini", name: ".gemini/settings.json", entry: "mcpServers.palimpsest" },
    { host: "copilot", name: ".copilot/mcp-config.json", entry: "mcpServers.palimpsest" },
    { host: "opencode", name: ".config/opencode/opencode.json", entry: "mcp.palimpsest" },
    { host: "claude-code", name: ".claude/settings.json", entry: "extraKnownMarketplaces.palimpsest" },
    { host: "codex", name: ".codex/config.toml", entry: "mcp_servers.palimpsest" },
  ])("replaces an entry of $host that it did not write only if asked to", async ({ host, name, entry }) => {
    const { put, run, read } = home();
    const at = entry.split(".")[0];
    const text = name.endsWith(".toml")
      ? `[${entry}]\ncommand = "mine" # 1\n\n[${entry}.env]\nA = "1"\n\n[later]\nb = 1\n`
      : `{"${at}": {"palimpsest": {"command": "mine", "size": 1.0}}, "theme": "dark"}`;
    put(name, text);
    const refused = await run(host, "--yes");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(`an entry ${entry} that lcm setup did not write`);
    expect(refused.stderr).toContain("--replace");
    expect(read(name)).toBe(text);
    expect((await run(host, "--dry-run")).stdout).toContain(`${entry} in `);
    const asked = await run(host, "--replace");
    expect(asked.stderr).toContain("was not written by lcm setup, and is replaced");
    expect(await run(host, "--yes", "--replace")).toMatchObject({ code: 0 });
    expect(read(name)).toMatch(/palimpsest/);
    expect((await run(host, "--yes")).stdout).toContain("Nothing to change");
    const written = read(name);
    await run(host, "--undo", "--yes");
    expect(read(name)).toBe(text);
    // Also where the host has written to the file since.
    await run(host, "--yes", "--replace");
    const changed = (one: string) => one.replace("dark", "light").replace("b = 1", "b = 2");
    put(name, changed(written));
    await run(host, "--undo", "--yes");
    expect(read(name).replace(/\s|(?<=1)\.0/g, "")).toBe(changed(text).replace(/\s|(?<=1)\.0/g, ""));
  });

  it.each([
    {
      ...{ host: "opencode", name: ".config/opencode/plugin/palimpsest.js", shown: "palimpsest.js was not" },
      text: "// user's own",
    },
    {
      ...{ host: "copilot", name: ".copilot/hooks/palimpsest.json", shown: "palimpsest.json was not" },
      text: '{"version":1,"hooks":{"stop":[]}}',
    },
    {
      ...{ host: "claude-code", name: ".claude/settings.json", shown: "env.LCM_NODE" },
      text: '{"env":{"LCM_NODE":"/x","B":"1"},"a":1}',
    },
    {
      ...{
        host: "claude-code",
        name: ".claude/settings.json",
        shown: "enabledPlugins.palimpsest@palimpsest",
      },
      text: '{"enabledPlugins":{"palimpsest@palimpsest":false},"a":1}',
    },
  ])("replaces $text of $host only if asked to, and puts it back", async ({ host, name, text, shown }) => {
    const { put, run, read } = home();
    put(name, text);
    expect((await run(host, "--undo", "--yes")).stdout).toContain("Nothing to change");
    const refused = await run(host, "--yes");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(shown);
    expect(refused.stderr).toContain("--replace");
    expect(read(name)).toBe(text);
    const replace = async () => {
      expect(await run(host, "--yes", "--replace")).toMatchObject({ code: 0 });
      expect(read(name)).not.toBe(text);
      // It is ours from then on, also with another store.
      expect(await run(host, "--yes", "--data", "named")).toMatchObject({ code: 0 });
      expect(await run(host, "--yes")).toMatchObject({ code: 0 });
    };
    await replace();
    await run(host, "--undo", "--yes");
    expect(read(name)).toBe(text);
    await replace();
    put(name, read(name).replace('"a":1', '"a":2').replace(/$/, "\n"));
    await run(host, "--undo", "--yes");
    expect(read(name).trimEnd()).toBe(text.replace('"a":1', '"a":2'));
  });

  it.each([
    { host: "codex", name: ".codex/hooks.json" },
    { host: "gemini", name: ".gemini/settings.json" },
  ])("has one hook for an event of $host, whatever store it names", async ({ host, name }) => {
    const { put, run, read, file } = home();
    const own = '{"a": 1, "hooks": {"Mine": []}}';
    put(name, own);
    const hooks = () => JSON.parse(read(name)).hooks;
    await run(host, "--yes");
    const events = Object.keys(hooks()).length;
    for (const store of ["a", "it's b"]) {
      await run(host, "--yes", "--data", file(store));
      expect(read(name).match(/hook\.mjs/g)).toHaveLength(events - 1);
      expect(hooks().SessionEnd[0].hooks[0].command).toContain(store.slice(-1));
    }
    put(name, read(name).replace('"a": 1', '"a": 2'));
    await run(host, "--undo", "--yes");
    expect(read(name)).toBe(own.replace("1", "2"));
  });

  it.each(['{\n  "hooks": {}\n}\n', '{"hooks":{"SessionEnd":[]},"a":1}'])(
    "keeps %j, which was empty before",
    async (text) => {
      for (const [host, name] of [
        ["codex", ".codex/hooks.json"],
        ["gemini", ".gemini/settings.json"],
      ] as const) {
        const { put, run, read } = home();
        put(name, text);
        await run(host, "--yes");
        await run(host, "--undo", "--yes");
        expect(read(name)).toBe(text);
        await run(host, "--yes");
        put(name, `${read(name)}\n`);
        await run(host, "--undo", "--yes");
        expect(read(name)).toBe(`${text}\n`);
      }
    },
  );

  it("leaves an entry of somebody else when it is undone without a set-up", async () => {
    const { put, run, read } = home();
    const text = '{"mcpServers": {"palimpsest": {"command": "mine"}}}';
    put(".gemini/settings.json", text);
    expect((await run("gemini", "--undo", "--yes")).stdout).toContain("Nothing to change");
    expect(read(".gemini/settings.json")).toBe(text);
  });

  it("writes the named store for Claude Code, takes it out again, and leaves one that a person wrote", async () => {
    const { put, run, read, file } = home();
    const name = ".claude/settings.json";
    const own = '{"env": {}, "model": "opus"}';
    put(name, own);
    const env = () => JSON.parse(read(name)).env;
    await run("claude-code", "--data", file("named"), "--yes");
    expect(env()).toMatchObject({ LCM_DATA_DIR: file("named"), LCM_DATABASE_URL: "" });
    await run("claude-code", "--yes");
    expect(Object.keys(env())).toEqual(["LCM_NODE"]);
    put(name, read(name).replace("opus", "sonnet"));
    await run("claude-code", "--undo", "--yes");
    expect(read(name)).toBe(own.replace("opus", "sonnet"));
    put(name, '{"env": {"LCM_DATA_DIR": "/mine"}}');
    await run("claude-code", "--yes");
    expect(env()).toMatchObject({ LCM_DATA_DIR: "/mine" });
    expect((await run("claude-code", "--data", file("named"), "--yes")).stderr).toContain("env.LCM_DATA_DIR");
    await run("claude-code", "--undo", "--yes");
    expect(read(name)).toBe('{"env": {"LCM_DATA_DIR": "/mine"}}');
  });

  it("says which store the host will use", async () => {
    const { run, environment, file } = home();
    expect((await run("gemini", "--yes")).stdout).toContain(
      `Gemini CLI will use ${environment.LCM_DATA_DIR} only if it is started with LCM_DATA_DIR=${environment.LCM_DATA_DIR}.`,
    );
    expect((await run("codex", "--data", file("named"), "--yes")).stdout).toContain(
      `Codex uses the store in ${file("named")}.`,
    );
    const refused = await run("codex", "--database-url", "postgres://me:secret@127.0.0.1/x", "--yes");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("LCM_DATABASE_URL");
    expect(refused.stderr).not.toContain("secret");
  });

  it("edits the configuration that OpenCode has", async () => {
    const { put, run, read, file } = home();
    const name = ".config/opencode/opencode.jsonc";
    put(name, '{\n  // mine\n  "theme": "x",\n}\n');
    await run("opencode", "--yes");
    expect(read(name)).toMatch(/\/\/ mine[\s\S]*"palimpsest"/);
    expect(existsSync(file(".config/opencode/opencode.json"))).toBe(false);
    await run("opencode", "--undo", "--yes");
    expect(read(name)).toBe('{\n  // mine\n  "theme": "x",\n}\n');
  });

  it("says what undoing did to each file", async () => {
    const { put, run, read, file } = home();
    put(".codex/hooks.json", JSON_BEFORE);
    put(".codex/config.toml", TOML_BEFORE);
    await run("codex", "--yes");
    put(".codex/config.toml", `${read(".codex/config.toml")}later = 1\n`);
    const { stdout } = await run("codex", "--undo", "--yes");
    expect(stdout).toContain(`Restored to its content before setup: ${file(".codex/hooks.json")}`);
    expect(stdout).toContain(
      `Removed the part of Palimpsest; the rest of the file stays: ${file(".codex/config.toml")}`,
    );
    await run("gemini", "--yes");
    const undone = await run("gemini", "--undo", "--yes");
    expect(undone.stdout).toContain(`Removed: ${file(".gemini/settings.json")}`);
    expect(undone.stdout).not.toContain("Written");
  });

  it("says that the configuration of Codex switches its hooks off", async () => {
    const { put, run } = home();
    put(".codex/config.toml", "[features]\nhooks = false\n");
    const { stdout } = await run("codex", "--yes");
    expect(stdout).toContain("hooks = false in [features]. Remove that line, or change it to hooks = true.");
  });

  it("names the line of a malformed file in plain words", async () => {
    const { put, run } = home();
    put(".codex/config.toml", "a = 1\n[b\n");
    put(".claude/settings.json", '{\n  "hooks": ]\n');
    const [toml, json] = [await run("codex", "--dry-run"), await run("claude-code", "--dry-run")];
    expect(toml.stderr).toMatch(/config\.toml is not valid TOML \(line 2: [a-z ]+/);
    expect(json.stderr).toContain("(line 2: value expected)");
  });

  it("refuses a host that it does not know, and names those that it knows", async () => {
    const refused = await home().run("emacs", "--yes");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("claude-code, codex");
  });

  it("writes to the file that a link leads to, and leaves the link", async () => {
    const { put, run, read, file } = home();
    put("dotfiles/claude.json", JSON_BEFORE);
    mkdirSync(file(".claude"));
    symlinkSync(file("dotfiles/claude.json"), file(".claude/settings.json"));
    await run("claude-code", "--yes");
    expect(read("dotfiles/claude.json")).toContain("palimpsest");
    await run("claude-code", "--undo", "--yes");
    expect(read("dotfiles/claude.json")).toBe(JSON_BEFORE);
    expect(lstatSync(file(".claude/settings.json")).isSymbolicLink()).toBe(true);
  });

  it("changes no file when one of them cannot be written or read", async () => {
    const { put, run, read, file } = home();
    put(".codex/hooks.json", JSON_BEFORE);
    // Under this name the file is written before it takes its place.
    mkdirSync(file(`.codex/config.toml.palimpsest-${process.pid}`));
    const refused = await run("codex", "--yes");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("config.toml cannot be written: it is a folder (EISDIR)");
    expect(read(".codex/hooks.json")).toBe(JSON_BEFORE);
    put(".copilot/hooks", "a file where a folder is needed");
    const unread = await run("copilot", "--yes");
    expect(unread.stderr).toContain("part of the path is not a folder (ENOTDIR)");
    expect(existsSync(file(".copilot/mcp-config.json"))).toBe(false);
  });

  it("keeps what was there before the first of two set-ups", async () => {
    const { put, run, read } = home();
    put(".codex/hooks.json", JSON_BEFORE);
    await run("codex", "--yes");
    put(".codex/hooks.json", read(".codex/hooks.json"));
    put(".codex/config.toml", read(".codex/config.toml").replace('"mcp"', '"old"'));
    await run("codex", "--yes");
    await run("codex", "--undo", "--yes");
    expect(read(".codex/hooks.json")).toBe(JSON_BEFORE);
  });
});

describe("lcm setup watch", () => {
  const FILE = ".config/systemd/user/palimpsest-watch.service";

  it.runIf(process.platform === "linux")(
    "writes a service that starts lcm watch on the same store",
    async () => {
      const { run, read, file, environment } = home();
      const { stdout } = await run("watch", "--yes");
      expect(stdout).toContain("systemctl --user enable --now palimpsest-watch.service");
      expect(stdout).toContain(`lcm watch uses the store in ${environment.LCM_DATA_DIR}.`);
      expect(read(FILE)).toMatch(/^ExecStart="[^"]+" "[^"]+lcm\.mjs" watch$/m);
      expect(read(FILE)).toContain(`Environment="LCM_DATA_DIR=${environment.LCM_DATA_DIR}"`);
      await run("watch", "--undo", "--yes");
      expect(existsSync(file(FILE))).toBe(false);
    },
  );

  it.runIf(process.platform === "linux")(
    "writes no password, and removes a service that was edited",
    async () => {
      const { environment, file, put, read } = home();
      const url = "postgres://me:secret@127.0.0.1/x";
      const { stdout } = await lcm(["setup", "watch", "--yes"], {
        environment: { ...environment, LCM_DATABASE_URL: url },
      });
      expect(stdout).toContain("LCM_DATABASE_URL may contain a password and is not written.");
      expect(read(FILE)).not.toContain("secret");
      put(FILE, `${read(FILE)}# edited\n`);
      await lcm(["setup", "watch", "--undo", "--yes"], { environment });
      expect(existsSync(file(FILE))).toBe(false);
    },
  );
});
