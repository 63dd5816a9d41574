/** The hosts that can be set up, and what each of them gets. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { STORE_VARIABLES } from "../../config/daemon-address.ts";
import { addHooks, type CommandHook, removeHooks } from "./edit-hooks.ts";
import { editJson, objectAt, removeAt } from "./edit-json.ts";
import { editToml } from "./edit-toml.ts";
import { type HostSetup, type Programs, wholeFile } from "./host-setup.ts";
import { watchService } from "./watch-service.ts";

const SERVER = "palimpsest";
const PLUGIN = `${SERVER}@${SERVER}`;

const claudeCode: HostSetup = {
  name: "claude-code",
  label: "Claude Code",
  notes: ["Open sessions are not affected; it takes effect when you restart Claude Code."],
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
  notes: [
    "Codex runs hooks only after you have trusted them: start codex, type /hooks, and trust those of Palimpsest.",
  ],
  edits: ({ codex: folder }, programs) => [
    editJson(path.join(folder, "hooks.json"), {
      add: (root) => addHooks(root, CODEX_HOOKS, hookCommand(programs, "codex")),
      remove: removeHooks,
    }),
    editToml(path.join(folder, "config.toml"), `mcp_servers.${SERVER}`, [
      `command = ${JSON.stringify(programs.node)}`,
      `args = ${JSON.stringify([programs.lcm, "mcp"])}`,
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
  notes: ["Open sessions are captured after their next restart."],
  edits: ({ gemini: folder }, programs) => [
    editJson(path.join(folder, "settings.json"), {
      add: (root) => {
        objectAt(root, "mcpServers")[SERVER] = { command: programs.node, args: [programs.lcm, "mcp"] };
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
  notes: ["Open sessions are not affected; it takes effect when you restart OpenCode."],
  edits: ({ opencode: folder }, { node, lcm, opencode: plugin }) => [
    editJson(path.join(folder, "opencode.json"), {
      add: (root) => {
        // OpenCode adds this to a file without it, so that a new file would no longer be as it was written.
        if (Object.keys(root).length === 0) root.$schema = "https://opencode.ai/config.json";
        objectAt(root, "mcp")[SERVER] = { type: "local", command: [node, lcm, "mcp"], enabled: true };
      },
      remove: (root) => removeAt(root, "mcp", SERVER),
    }),
    // OpenCode loads what is in this folder, and calls everything that a file there exports.
    wholeFile(
      path.join(folder, "plugin", `${SERVER}.js`),
      [
        "// Written by lcm setup.",
        `import { palimpsest } from ${JSON.stringify(pathToFileURL(plugin).href)};`,
        `export const Palimpsest = palimpsest(${JSON.stringify([node, lcm])});\n`,
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
  notes: ["Open sessions are not affected; it takes effect when you restart Copilot CLI."],
  edits: ({ copilot: folder }, programs) => [
    serverIn(path.join(folder, "mcp-config.json"), "mcpServers", {
      ...{ type: "local", command: programs.node, args: [programs.lcm, "mcp"], tools: ["*"] },
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

/** In the quotes of a shell. */
function hookCommand({ node, hook }: Programs, host: string): string {
  return `"${node}" "${hook}" ${host}`;
}
