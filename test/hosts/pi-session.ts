/** Real pi, headless, in a home of its own with our extension, against the scripted model. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { HOSTS, hostFolder } from "../../scripts/hosts/hosts.ts";
import { temporaryFolder } from "../temporary-store.ts";
import type { ChatModel } from "./chat-model.ts";
import { printed } from "./run-host.ts";

export const WINDOW = 60_000;
const EXTENSION = new URL("../../dist/plugins/pi/index.js", import.meta.url).pathname;

export interface PiHome {
  readonly folder: string;
  readonly data: string;
  /** One prompt in a process of its own. Resolves to what pi printed. */
  say(prompt: string, options?: PiOptions): Promise<string>;
  start(prompt: string, options?: PiOptions): ChildProcess;
  /** Sends commands to pi in rpc mode, waits for each answer, and ends it. */
  rpc(commands: readonly object[], options?: PiOptions): Promise<readonly Record<string, unknown>[]>;
  sessionFile(session?: string): string;
}

export interface PiOptions {
  readonly session?: string;
  readonly extensions?: readonly string[];
  /** As after `pi remove`. Default false. */
  readonly withoutUs?: boolean;
}

export function piHome(version: string, { url }: ChatModel): PiHome {
  const host = HOSTS.find(({ name }) => name === `pi-${version}`);
  const program = host === undefined ? "" : path.join(hostFolder(host), host.program);
  if (!existsSync(program))
    throw new Error(`pi ${version} is not installed. Install it with: npm run hosts:install pi-${version}`);
  if (!existsSync(EXTENSION)) throw new Error("the extension is not built. Build it with: npm run build");
  const folder = temporaryFolder();
  const [project, agent, data] = ["project", ".pi/agent", "data"].map((name) => path.join(folder, name));
  if (project === undefined || agent === undefined || data === undefined) throw new Error("no folders");
  mkdirSync(project);
  mkdirSync(agent, { recursive: true });
  const model = { id: "scripted", contextWindow: WINDOW, maxTokens: 2_048, input: ["text"], cost: FREE };
  const provider = { baseUrl: url, api: "openai-completions", apiKey: "none", models: [model] };
  writeFileSync(path.join(agent, "models.json"), JSON.stringify({ providers: { local: provider } }));
  const environment = {
    ...process.env,
    ...{ HOME: folder, LCM_DATA_DIR: data, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
  };
  const started = (args: readonly string[], options: PiOptions) => {
    const { session = "s1", extensions = [], withoutUs = false } = options;
    const loaded = [...(withoutUs ? [] : [EXTENSION]), ...extensions].flatMap((file) => ["-e", file]);
    const common = ["--provider", "local", "--model", "scripted", "--session-id", session, ...loaded];
    return spawn(process.execPath, [program, ...args, ...common], { cwd: project, env: environment });
  };
  const start: PiHome["start"] = (prompt, options = {}) => {
    const child = started(["-p", prompt], options);
    child.stdin.end();
    return child;
  };
  return {
    folder,
    data,
    start,
    say: (prompt, options) => printed(start(prompt, options)),
    rpc: (commands, options = {}) => converse(started(["--mode", "rpc"], options), commands),
    sessionFile: (session = "s1") => {
      const sessions = path.join(agent, "sessions");
      const found = readdirSync(sessions, { recursive: true, encoding: "utf8" });
      const name = found.find((file) => file.endsWith(`_${session}.jsonl`));
      if (name === undefined) throw new Error(`pi has no session ${session}`);
      return path.join(sessions, name);
    },
  };
}

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

async function converse(
  child: ChildProcess,
  commands: readonly object[],
): Promise<readonly Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  let rest = "";
  let told = () => {};
  let hasEnded = false;
  child.on("close", () => {
    hasEnded = true;
    told();
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) if (line.startsWith("{")) lines.push(JSON.parse(line));
    told();
  });
  const until = async (isThere: () => boolean) => {
    while (!isThere()) {
      if (hasEnded) throw new Error(`pi ended; it had said ${JSON.stringify(lines).slice(-2_000)}`);
      await new Promise<void>((resolve) => {
        told = resolve;
      });
    }
  };
  for (const [index, command] of commands.entries()) {
    const id = `c${index}`;
    child.stdin?.write(`${JSON.stringify({ id, ...command })}\n`);
    await until(() => lines.some((line) => line.type === "response" && line.id === id));
    // A command of an extension starts no agent.
    const isAsked = "message" in command && !String(command.message).startsWith("/");
    if (isAsked) await until(() => lines.some(({ type }) => type === "agent_end"));
  }
  child.stdin?.end();
  if (!hasEnded) await new Promise((done) => child.on("close", done));
  return lines;
}

/** The entries of pi's session that are messages of the conversation. */
export function messageEntries(file: string): readonly { readonly id: string; readonly text: string }[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ type, message }) => type === "message" && message.role !== "system")
    .map(({ id, message }) => ({ id, text: JSON.stringify(message) }));
}
