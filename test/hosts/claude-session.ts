/** Real Claude Code, headless, in a home of its own with our plugin, against the scripted model. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { HOSTS, hostFolder } from "../../scripts/hosts/hosts.ts";
import { temporaryFolder } from "../temporary-store.ts";
import type { AgentModel } from "./agent-model.ts";
import { installed } from "./installed-package.ts";
import { printed } from "./run-host.ts";

const PLUGIN = installed("plugins/claude-code");
export const TOOL = "mcp__plugin_palimpsest_lcm__";

export interface ClaudeOptions {
  readonly session?: string;
  readonly resume?: string;
  readonly project?: string;
  readonly args?: readonly string[];
  /** Default: from the plugin's folder. */
  readonly plugin?: string | null;
}

export interface ClaudeHome {
  readonly folder: string;
  readonly data: string;
  readonly log: string;
  readonly environment: NodeJS.ProcessEnv;
  project(name: string): string;
  start(prompt: string, options?: ClaudeOptions): ChildProcess;
  /** One prompt in a process of its own. Resolves to what Claude Code answered. */
  say(prompt: string, options?: ClaudeOptions): Promise<string>;
  /** Several prompts in one process. */
  talk(prompts: readonly string[], options?: ClaudeOptions): Promise<void>;
  transcript(session: string): string;
  /** Files of the session's sub-agents. */
  agents(session: string): readonly string[];
}

export function claudeProgram(): string {
  const host = HOSTS.find(({ name }) => name.startsWith("claude-code-"));
  const program = host === undefined ? "" : path.join(hostFolder(host), host.program);
  if (existsSync(program)) return program;
  throw new Error("Claude Code is not installed. Install it with: npm run hosts:install claude-code");
}

export function claudeHome({ url }: AgentModel, { data }: { readonly data?: string } = {}): ClaudeHome {
  const program = claudeProgram();
  const folder = temporaryFolder();
  const log = path.join(folder, "debug.log");
  const dataFolder = data ?? path.join(folder, "data");
  const environment = {
    ...process.env,
    ...{ HOME: folder, LCM_DATA_DIR: dataFolder, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none" },
    ...{ DISABLE_TELEMETRY: "1", DISABLE_AUTOUPDATER: "1", DISABLE_ERROR_REPORTING: "1" },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  };
  const project = (name: string) => {
    const made = path.join(folder, name);
    mkdirSync(made, { recursive: true });
    return made;
  };
  const spawned = (args: readonly string[], options: ClaudeOptions) => {
    const { session = randomUUID(), resume, plugin = PLUGIN } = options;
    const which = resume === undefined ? ["--session-id", session] : ["--resume", resume];
    const loaded = plugin === null ? [] : ["--plugin-dir", plugin];
    const allowed = ["--allowedTools", `Bash,Agent,${TOOL}lcm_grep,${TOOL}lcm_describe,${TOOL}lcm_read`];
    const all = [
      "-p",
      ...args,
      ...which,
      ...loaded,
      ...allowed,
      "--debug-file",
      log,
      ...(options.args ?? []),
    ];
    return spawn(program, all, { cwd: project(options.project ?? "project"), env: environment });
  };
  const start: ClaudeHome["start"] = (prompt, options = {}) => {
    const child = spawned(["--output-format", "json"], options);
    child.stdin.end(prompt);
    return child;
  };
  const files = () => {
    const root = path.join(folder, ".claude/projects");
    return existsSync(root)
      ? readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => path.join(root, name))
      : [];
  };
  return {
    folder,
    data: dataFolder,
    log,
    environment,
    project,
    start,
    say: async (prompt, options) => JSON.parse(await printed(start(prompt, options))).result,
    talk: async (prompts, options = {}) => {
      const format = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
      const child = spawned(format, options);
      await converse(child, prompts);
    },
    transcript: (session) => files().find((file) => file.endsWith(`/${session}.jsonl`)) ?? "",
    agents: (session) =>
      files().filter((file) => file.includes(`/${session}/subagents/`) && file.endsWith(".jsonl")),
  };
}

/** Each prompt is sent when the one before has its result. */
function converse(child: ChildProcess, prompts: readonly string[]): Promise<void> {
  const left = [...prompts];
  const send = () => {
    const prompt = left.shift();
    if (prompt === undefined) child.stdin?.end();
    else
      child.stdin?.write(`${JSON.stringify({ type: "user", message: { role: "user", content: prompt } })}\n`);
  };
  let [rest, output] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("{") && JSON.parse(line).type === "result") send();
  });
  send();
  return new Promise((resolve, reject) => {
    child.on("close", (code) =>
      code === 0 && left.length === 0
        ? resolve()
        : reject(new Error(`claude ended with ${code}: ${output.slice(-2_000)}`)),
    );
  });
}

/** Ids of the lines that are messages of the conversation: what a person, the model or a tool said, and not our hooks. */
export function messageLines(transcript: string): readonly string[] {
  return readFileSync(transcript, "utf8")
    .trimEnd()
    .split("\n")
    .filter((line) => !line.includes("PreCompact [plugin:palimpsest"))
    .map((line) => JSON.parse(line))
    .filter(
      ({ type, message, isCompactSummary }) =>
        /^(user|assistant)$/.test(type) && message && !isCompactSummary,
    )
    .map(({ uuid }) => uuid);
}
