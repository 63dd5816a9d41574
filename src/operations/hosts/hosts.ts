/** The hosts that can be set up, and what each of them gets. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { STORE_VARIABLES } from "../../config/daemon-address.ts";
import { addHooks, type CommandHook, removeHooks } from "./edit-hooks.ts";
import { editJson, objectAt, removeAt } from "./edit-json.ts";
import { editToml } from "./edit-toml.ts";
import { type HostSetup, mcpServer, type ProgramStart, type Programs, wholeFile } from "./host-setup.ts";
import { watchService } from "./watch-service.ts";

const SERVER = "palimpsest";
const PLUGIN = `${SERVER}@${SERVER}`;

const claudeCode: HostSetup = {
  name: "claude-code",
  label: "Claude Code",
  program: { command: "claude", tested: "2.1.325" },
  server: pluginServer,
  notes: ["Open sessions are not connected. Restart Claude Code to connect them."],
  edits: ({ claude }, { folder }) => [
    editJson(path.join(claude, "settings.json"), {
      add: (root) => {
        objectAt(root, "extraKnownMarketplaces")[SERVER] = { source: { source: "directory", path: folder } };
        objectAt(root, "enabledPlugins")[PLUGIN] = true;
      },
      remove: (root) => {
        removeAt(root, "extraKnownMarketplaces", SERVER);
        removeAt(root, "enabledPlugins", PLUGIN);
      },
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
  notes: [
    "Codex runs only hooks that you trust: start codex, type /hooks, and trust the hooks of Palimpsest.",
  ],
  edits: ({ codex: folder }, programs) => [
    editJson(path.join(folder, "hooks.json"), {
      add: (root) => addHooks(root, CODEX_HOOKS, hookCommand(programs, "codex")),
      remove: removeHooks,
    }),
    editToml(path.join(folder, "config.toml"), `mcp_servers.${SERVER}`, [
      `command = ${JSON.stringify(mcpServer(programs).command)}`,
      `args = ${JSON.stringify(mcpServer(programs).args)}`,
      // A busy machine may need more than the default of ten seconds, after which Codex goes on without the tools.
      "startup_timeout_sec = 30",
      // Codex gives its own environment to hooks, and not to servers: both must mean the same store.
      `env_vars = ${JSON.stringify(STORE_VARIABLES)}`,
    ]),
  ],
};

/** Gemini CLI counts in milliseconds. */
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
  edits: ({ gemini: folder }, programs) => [
    editJson(path.join(folder, "settings.json"), {
      add: (root) => {
        objectAt(root, "mcpServers")[SERVER] = mcpServer(programs);
        addHooks(root, GEMINI_HOOKS, hookCommand(programs, "gemini"));
      },
      remove: (root) => {
        removeAt(root, "mcpServers", SERVER);
        removeHooks(root);
      },
    }),
  ],
};

const opencode: HostSetup = {
  name: "opencode",
  label: "OpenCode",
  program: { command: "opencode", tested: "1.18.33" },
  server: mcpServer,
  notes: ["Open sessions are not connected. Restart OpenCode to connect them."],
  edits: ({ opencode: folder }, programs) => [
    editJson(path.join(folder, "opencode.json"), {
      add: (root) => {
        // OpenCode adds this to a file without it, so that a new file would no longer be as it was written.
        if (Object.keys(root).length === 0) root.$schema = "https://opencode.ai/config.json";
        objectAt(root, "mcp")[SERVER] = {
          type: "local",
          command: [programs.node, ...mcpServer(programs).args],
          enabled: true,
        };
      },
      remove: (root) => removeAt(root, "mcp", SERVER),
    }),
    // OpenCode loads what is in this folder, and calls everything that a file there exports.
    wholeFile(
      path.join(folder, "plugin", `${SERVER}.js`),
      [
        "// Written by lcm setup.",
        `import { palimpsest } from ${JSON.stringify(pathToFileURL(programs.opencode).href)};`,
        `export const Palimpsest = palimpsest(${JSON.stringify([programs.node, programs.lcm])});\n`,
      ].join("\n"),
    ),
  ],
};

/** Under these names, events come with the fields of Claude Code. Seconds. */
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
  edits: ({ copilot: folder }, programs) => [
    serverIn(path.join(folder, "mcp-config.json"), "mcpServers", {
      ...{ type: "local", ...mcpServer(programs), tools: ["*"] },
    }),
    wholeFile(path.join(folder, "hooks", `${SERVER}.json`), copilotHooks(hookCommand(programs, "copilot"))),
  ],
};

export const HOST_SETUPS: readonly HostSetup[] = [claudeCode, codex, gemini, opencode, copilot, watchService];

function serverIn(file: string, at: string, server: object) {
  return editJson(file, {
    add: (root) => {
      objectAt(root, at)[SERVER] = server;
    },
    remove: (root) => removeAt(root, at, SERVER),
  });
}

/** Claude Code reads it from the plugin. */
function pluginServer({ folder }: Programs): ProgramStart {
  const plugin = path.join(folder, "plugins/claude-code");
  const text = readFileSync(path.join(plugin, ".mcp.json"), "utf8");
  const { command, args } = pluginSchema.parse(JSON.parse(text)).mcpServers.lcm;
  return { command, args: args.map((one) => one.replace(/\$\{CLAUDE_PLUGIN_ROOT\}/, () => plugin)) };
}

const pluginSchema = z.object({
  mcpServers: z.object({ lcm: z.object({ command: z.string(), args: z.array(z.string()) }) }),
});

/** In the quotes of a shell. */
function hookCommand({ node, hook }: Programs, host: string): string {
  return `"${node}" "${hook}" ${host}`;
}
