/** The hosts that can be set up, with their configuration. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { STORE_VARIABLES, type StoreVariables } from "../../config/daemon-address.ts";
import type { HostFolders } from "../../config/host-folders.ts";
import type { CommandHook } from "./edit-hooks.ts";
import { editJson, type JsonSyntax } from "./edit-json.ts";
import { editToml, tomlIn } from "./edit-toml.ts";
import { type HostSetup, mcpServer, type ProgramStart, type Programs, wholeFile } from "./host-setup.ts";
import { valueAt } from "./json-values.ts";
import { hasOurHook, startsLcm } from "./ours.ts";
import { readBytes } from "./setup-record.ts";
import { watchService } from "./watch-service.ts";

const SERVER = "palimpsest";
const PLUGIN = `${SERVER}@${SERVER}`;
const ANY_SYNTAX: JsonSyntax = { comments: true, trailingCommas: true, byteOrderMark: true };

const claudeCode: HostSetup = {
  name: "claude-code",
  label: "Claude Code",
  program: { command: "claude", tested: "2.1.325" },
  server: pluginServer,
  notes: ["Open sessions are not connected. Restart Claude Code to connect them."],
  edits: ({ claude }, { folder, node }, store) => [
    editJson(path.join(claude, "settings.json"), {
      syntax: { byteOrderMark: true },
      entries: [
        {
          at: ["extraKnownMarketplaces", SERVER],
          value: { source: { source: "directory", path: folder } },
        },
        { at: ["enabledPlugins", PLUGIN], value: true },
        // The plugin is identical for all users, so machine-specific values are here.
        { at: ["env", "LCM_NODE"], value: node },
        ...STORE_VARIABLES.map((name) => ({ at: ["env", name], value: new Map(store).get(name) })),
      ],
    }),
  ],
};

/** Codex waits at most three seconds at the end of a session. */
const CODEX_HOOKS: readonly CommandHook[] = [
  { event: "SessionStart", timeout: 20 },
  { event: "UserPromptSubmit", timeout: 5 },
  { event: "PostToolUse", timeout: 5 },
  { event: "PreCompact", timeout: 10 },
  { event: "Stop", timeout: 5 },
  { event: "SessionEnd", timeout: 3 },
];

const codex: HostSetup = {
  name: "codex",
  label: "Codex",
  program: { command: "codex", tested: "0.166.0" },
  server: mcpServer,
  hooksOff: codexHooksOff,
  notes: [
    "Codex runs only hooks that you trust: start codex, type /hooks, and trust the hooks of Palimpsest.",
  ],
  edits: ({ codex: folder }, programs, store) => [
    editJson(path.join(folder, "hooks.json"), {
      hooks: { list: CODEX_HOOKS, command: hookCommand(programs, "codex", store) },
    }),
    editToml(path.join(folder, "config.toml"), {
      // Codex waits one second for servers, and sends its first request without the tools of slower servers. With `required` it
      // would not start if a server fails.
      settings: { mcp_optional_startup_grace_ms: 5_000 },
      table: `mcp_servers.${SERVER}`,
      values: {
        command: JSON.stringify(mcpServer(programs).command),
        args: JSON.stringify(mcpServer(programs).args),
        // After the default of ten seconds, a busy machine would have no tools at all.
        startup_timeout_sec: "30",
        // Codex gives its own environment to hooks, and not to servers: both must mean the same store.
        env_vars: JSON.stringify(STORE_VARIABLES.filter((name) => !new Map(store).has(name))),
        env: store.length === 0 ? undefined : `{ ${store.map(tomlPair).join(", ")} }`,
      },
    }),
  ],
};

/** Hooks are on by default. A file that Codex cannot read is reported elsewhere. */
function codexHooksOff({ codex: folder }: HostFolders) {
  const file = path.join(folder, "config.toml");
  const text = readBytes(file)?.toString("utf8") ?? "";
  if (valueAt(tomlIn(file, text), ["features", "hooks"]) !== false) return null;
  return {
    problem: `Codex runs no hooks, because ${file} has hooks = false in [features]`,
    advice: "Remove that line, or change it to hooks = true.",
  };
}

function tomlPair([name, value]: readonly [string, string]): string {
  return `${name} = ${JSON.stringify(value)}`;
}

/** Gemini CLI uses milliseconds. */
const GEMINI_HOOKS: readonly CommandHook[] = [
  { event: "SessionStart", timeout: 20_000 },
  { event: "BeforeAgent", timeout: 5_000 },
  { event: "AfterAgent", timeout: 5_000 },
  { event: "SessionEnd", timeout: 3_000 },
];

const gemini: HostSetup = {
  name: "gemini",
  label: "Gemini CLI",
  program: { command: "gemini", tested: "0.61.0" },
  server: mcpServer,
  notes: ["Open sessions are not connected. Restart Gemini CLI to connect them."],
  edits: ({ gemini: folder }, programs, store) => [
    editJson(path.join(folder, "settings.json"), {
      syntax: { comments: true },
      entries: [
        {
          at: ["mcpServers", SERVER],
          value: { ...mcpServer(programs), ...inEnv("env", store) },
          looksOurs: startsLcm,
        },
      ],
      hooks: { list: GEMINI_HOOKS, command: hookCommand(programs, "gemini", store) },
    }),
  ],
};

const opencode: HostSetup = {
  name: "opencode",
  label: "OpenCode",
  program: { command: "opencode", tested: "1.18.33" },
  server: mcpServer,
  notes: ["Open sessions are not connected. Restart OpenCode to connect them."],
  edits: ({ opencode: folder }, programs, store) => [
    editJson(opencodeFile(folder), {
      syntax: ANY_SYNTAX,
      entries: [
        {
          at: ["mcp", SERVER],
          value: {
            type: "local",
            command: [programs.node, ...mcpServer(programs).args],
            enabled: true,
            ...inEnv("environment", store),
          },
          looksOurs: startsLcm,
        },
      ],
      // OpenCode adds this to a file without it, which would change the new file.
      inNewFile: { $schema: "https://opencode.ai/config.json" },
    }),
    // OpenCode loads all files of this folder, and calls all their exports.
    wholeFile(
      path.join(folder, "plugin", `${SERVER}.js`),
      [
        "// Written by lcm setup.",
        `import { palimpsest } from ${JSON.stringify(pathToFileURL(programs.opencode).href)};`,
        `export const Palimpsest = palimpsest(${[[programs.node, programs.lcm], ...(store.length === 0 ? [] : [store])].map((one) => JSON.stringify(one)).join(", ")});\n`,
      ].join("\n"),
      startsLcm,
    ),
  ],
};

/** OpenCode reads both names: uses the file with our part, or the existing one. */
function opencodeFile(folder: string): string {
  const files = ["opencode.json", "opencode.jsonc"].map((name) => path.join(folder, name));
  const there = files.filter((file) => existsSync(file));
  const ours = there.find((file) => startsLcm(readFileSync(file, "utf8")));
  return ours ?? there.at(-1) ?? path.join(folder, "opencode.json");
}

/** With these names, events have the fields of Claude Code. Timeouts are in seconds. */
const COPILOT_HOOKS: Readonly<Record<string, number>> = {
  ...{ SessionStart: 20, UserPromptSubmit: 5, PostToolUse: 5, PreCompact: 10, Stop: 5, SessionEnd: 3 },
};

function copilotHooks(command: string): string {
  const events = Object.entries(COPILOT_HOOKS).map(([event, timeout]) => [
    event,
    [{ type: "command", command, timeout }],
  ]);
  return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(events) }, null, 2)}\n`;
}

const copilot: HostSetup = {
  name: "copilot",
  label: "Copilot CLI",
  program: { command: "copilot", tested: "1.0.102" },
  server: mcpServer,
  notes: ["Open sessions are not connected. Restart Copilot CLI to connect them."],
  edits: ({ copilot: folder }, programs, store) => [
    editJson(path.join(folder, "mcp-config.json"), {
      syntax: ANY_SYNTAX,
      entries: [
        {
          at: ["mcpServers", SERVER],
          value: { type: "local", ...mcpServer(programs), tools: ["*"], ...inEnv("env", store) },
          looksOurs: startsLcm,
        },
      ],
    }),
    wholeFile(
      path.join(folder, "hooks", `${SERVER}.json`),
      copilotHooks(hookCommand(programs, "copilot", store)),
      hasOurHook,
    ),
  ],
};

export const HOST_SETUPS: readonly HostSetup[] = [claudeCode, codex, gemini, opencode, copilot, watchService];

function inEnv(name: string, store: StoreVariables): object {
  return store.length === 0 ? {} : { [name]: Object.fromEntries(store) };
}

/** The server that Claude Code reads from the plugin. */
function pluginServer({ folder, node }: Programs): ProgramStart {
  const plugin = path.join(folder, "plugins/claude-code");
  const text = readFileSync(path.join(plugin, ".mcp.json"), "utf8");
  const { args } = pluginSchema.parse(JSON.parse(text)).mcpServers.lcm;
  return { command: node, args: args.map((one) => one.replace(/\$\{CLAUDE_PLUGIN_ROOT\}/, () => plugin)) };
}

const pluginSchema = z.object({
  mcpServers: z.object({ lcm: z.object({ args: z.array(z.string()) }) }),
});

/** The hook command, quoted for a shell. */
function hookCommand({ node, hook }: Programs, host: string, store: StoreVariables): string {
  const words = store.map(([name, value]) => ` ${inQuotes(`${name}=${value}`)}`);
  return `"${node}" "${hook}" ${host}${words.join("")}`;
}

function inQuotes(word: string): string {
  return process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
