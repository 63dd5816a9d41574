/** Real Codex, headless, in a home of its own that `lcm setup codex` has set up, against the scripted model. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { HOSTS, hostFolder } from "../../scripts/hosts/hosts.ts";
import { temporaryFolder } from "../temporary-store.ts";
import type { AgentModel } from "./agent-model.ts";
import { installed } from "./installed-package.ts";
import { printed } from "./run-host.ts";

const LCM = installed("bin/lcm.mjs");
/** How the scripted model calls our tools, which Codex has in a namespace. */
export const CODEX_TOOL = "mcp__palimpsest__SLASH__";

export interface CodexOptions {
  readonly thread?: string;
  /** Instead of going on with the thread. */
  readonly isFork?: boolean;
  readonly project?: string;
}

export interface CodexHome {
  readonly folder: string;
  readonly data: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Resolves to everything that Codex printed, as JSON lines. `thread`: goes on with that one. */
  say(prompt: string, options?: CodexOptions): Promise<string>;
  start(prompt: string, options?: CodexOptions): ChildProcess;
  rollout(thread: string): string;
  lcm(...args: readonly string[]): string;
}

export function codexHome({ url }: AgentModel, compactAt = 1_000_000): CodexHome {
  const host = HOSTS.find(({ name }) => name.startsWith("codex-"));
  const program = host === undefined ? "" : path.join(hostFolder(host), host.program);
  if (!existsSync(program))
    throw new Error("Codex is not installed. Install it with: npm run hosts:install codex");
  const folder = temporaryFolder();
  const own = path.join(folder, ".codex");
  mkdirSync(own);
  writeFileSync(path.join(own, "config.toml"), configuration(url, compactAt));
  const data = path.join(folder, "data");
  const environment = {
    ...process.env,
    HOME: folder,
    CODEX_HOME: own,
    LCM_DATA_DIR: data,
    MODEL_KEY: "none",
  };
  const lcm = (...args: readonly string[]) =>
    execFileSync(process.execPath, [LCM, ...args], { env: environment, encoding: "utf8" });
  const start: CodexHome["start"] = (prompt, { thread, isFork = false, project = "project" } = {}) => {
    const at = path.join(folder, project);
    mkdirSync(at, { recursive: true });
    const flags = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust", "--json"];
    const before = thread === undefined ? [] : [isFork ? "fork" : "resume", thread];
    const args = ["exec", ...flags, ...before, prompt];
    return spawn(program, args, { cwd: at, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  };
  const say: CodexHome["say"] = (prompt, options) => printed(start(prompt, options));
  const rollout = (thread: string) => {
    const sessions = path.join(own, "sessions");
    const found = readdirSync(sessions, { recursive: true, encoding: "utf8" });
    return path.join(sessions, found.find((name) => name.endsWith(`${thread}.jsonl`)) ?? "");
  };
  return { folder, data, environment, say, start, rollout, lcm };
}

function configuration(url: string, compactAt: number): string {
  return `model = "scripted"
model_provider = "local"
model_context_window = 200000
model_auto_compact_token_limit = ${compactAt}
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.local]
name = "Local"
base_url = "${url}/v1"
env_key = "MODEL_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;
}

export function threadIn(output: string): string {
  return /"thread_id":"([^"]+)"/.exec(output)?.[1] ?? "";
}

/** The lines of the rollout that are messages, calls and results, without what our hooks gave. */
export function itemsIn(rollout: string): readonly object[] {
  return readFileSync(rollout, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ type, payload }) => type === "response_item" && payload.type !== "ghost_snapshot")
    .filter(
      ({ payload }) => payload.role !== "developer" || !JSON.stringify(payload).includes("<palimpsest "),
    );
}
