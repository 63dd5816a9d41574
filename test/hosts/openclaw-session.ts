/** Real OpenClaw, headless, in a home of its own, with the packed plugin installed, against the scripted model. */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { zstdDecompressSync } from "node:zlib";
import { HOSTS, hostFolder } from "../../scripts/hosts/hosts.ts";
import { temporaryFolder } from "../temporary-store.ts";
import type { ChatModel } from "./chat-model.ts";

export const WINDOW = 64_000;
const TOKEN = "test-token";
const START_MS = 180_000;
const run = promisify(execFile);

export interface HostEntry {
  readonly id: string;
  readonly role: string;
  readonly text: string;
}

export class OpenClawHome {
  readonly folder = temporaryFolder();
  readonly data = path.join(this.folder, ".palimpsest");
  readonly #state = path.join(this.folder, ".openclaw");
  readonly #logFile = path.join(this.folder, "gateway.log");
  readonly #program: string;
  #gateway: ChildProcess | null = null;
  #port = 0;

  constructor({ url }: ChatModel) {
    const host = HOSTS.find(({ name }) => name.startsWith("openclaw-"));
    this.#program = host === undefined ? "" : path.join(hostFolder(host), host.program);
    if (!existsSync(this.#program))
      throw new Error("OpenClaw is not installed. Install it with: npm run hosts:install openclaw");
    for (const folder of [this.#state, path.join(this.folder, "workspace")])
      mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(this.#state, "openclaw.json"), JSON.stringify(this.#config(url)));
    writeFileSync(this.#logFile, "");
  }

  /** What the gateway has logged, in all its runs. */
  get log(): string {
    return readFileSync(this.#logFile, "utf8");
  }

  /** Installs a packed plugin. */
  async install(archive: string): Promise<void> {
    await this.command("plugins", "install", archive, "--force", "--accept-capabilities");
  }

  async command(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [this.#program, ...args], {
      env: this.#environment(),
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  }

  async start(environment: NodeJS.ProcessEnv = {}): Promise<void> {
    this.#port = await freePort();
    const from = this.log.length;
    const log = openSync(this.#logFile, "a");
    const where = ["--port", String(this.#port), "--bind", "loopback", "--token", TOKEN];
    this.#gateway = spawn(process.execPath, [this.#program, "gateway", "run", ...where], {
      env: { ...this.#environment(), OPENCLAW_SKIP_CHANNELS: "1", ...environment },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    const end = Date.now() + START_MS;
    while (!this.log.slice(from).includes("[gateway] ready")) {
      if (Date.now() > end || this.#gateway.exitCode !== null)
        throw new Error(`the gateway does not start: ${this.log.slice(-3_000)}`);
      await pause(200);
    }
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const gateway = this.#gateway;
    this.#gateway = null;
    if (gateway === null || gateway.exitCode !== null) return;
    const ended = once(gateway, "close");
    gateway.kill(signal);
    await ended;
  }

  /** One turn through the gateway. Resolves to what the model answered. */
  async say(text: string, session = "s1", timeoutMs = 240_000): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        "x-openclaw-session-key": keyOf(session),
      },
      body: JSON.stringify({ model: "openclaw/main", messages: [{ role: "user", content: text }] }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = await response.text();
    if (!response.ok) throw new Error(`the gateway answered ${response.status}: ${body}`);
    return String(JSON.parse(body).choices?.[0]?.message?.content);
  }

  /** A method of the gateway. */
  async call(method: string, params: object): Promise<Record<string, unknown>> {
    const given = ["--params", JSON.stringify(params), "--token", TOKEN, "--json", "--timeout", "120000"];
    const port = ["--port", String(this.#port)];
    return JSON.parse(await this.command("gateway", "call", method, ...given, ...port));
  }

  /** The messages that the host has of a session, oldest first, also those of turns that failed. */
  entries(session = "s1"): readonly HostEntry[] {
    return this.#rows(
      `SELECT e.event_json AS json, e.event_zstd AS packed FROM transcript_events e JOIN session_windows w ON w.session_id = e.session_id
        WHERE w.session_key = ? ORDER BY e.seq`,
      keyOf(session),
    )
      .map(({ json, packed }) =>
        // Long events are compressed.
        JSON.parse(packed instanceof Uint8Array ? zstdDecompressSync(packed).toString() : String(json)),
      )
      .filter(({ type, message }) => type === "message" && message.excludeFromContext !== true)
      .map(({ id, message }) => ({ id, role: message.role, text: JSON.stringify(message.content) }));
  }

  /** Turns that the host has not been able to hand over yet. */
  pendingTurns(): number {
    return this.#rows("SELECT 1 FROM context_engine_turn_outbox").length;
  }

  sessionKeys(): readonly string[] {
    return this.#rows("SELECT DISTINCT session_key AS key FROM session_windows").map(({ key }) =>
      String(key),
    );
  }

  #rows(sql: string, ...values: readonly string[]): readonly Record<string, unknown>[] {
    const file = path.join(this.#state, "agents/main/agent/openclaw-agent.sqlite");
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return database.prepare(sql).all(...values);
    } finally {
      database.close();
    }
  }

  #environment(): NodeJS.ProcessEnv {
    // OpenClaw logs nothing when it believes that it is being tested.
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(VITEST|NODE_ENV|TEST|PROD|DEV|MODE)/.test(name),
    );
    return {
      ...Object.fromEntries(inherited),
      ...{ HOME: this.folder, OPENCLAW_STATE_DIR: this.#state, NO_COLOR: "1", OPENCLAW_HIDE_BANNER: "1" },
      LCM_DATA_DIR: this.data,
    };
  }

  #config(url: string): object {
    const model = { id: "scripted", name: "scripted", reasoning: false, input: ["text"] };
    const size = { contextWindow: WINDOW, maxTokens: 2_048, cost: FREE };
    const local = {
      baseUrl: url,
      apiKey: "none",
      api: "openai-completions",
      models: [{ ...model, ...size }],
    };
    return {
      agents: {
        defaults: {
          model: { primary: "local/scripted" },
          workspace: path.join(this.folder, "workspace"),
          skipBootstrap: true,
        },
      },
      models: { mode: "replace", providers: { local } },
      gateway: {
        ...{ mode: "local", bind: "loopback", auth: { mode: "token", token: TOKEN } },
        http: { endpoints: { chatCompletions: { enabled: true } } },
      },
      // The bundled plugin has tools with the names of ours, and is loaded first.
      plugins: { entries: { "memory-core": { enabled: false } } },
    };
  }
}

export function keyOf(session: string): string {
  return `agent:main:${session}`;
}

/** Packs the plugin from `dist/`. */
export function packPlugin(folder: string): string {
  const script = new URL("../../scripts/hosts/pack-openclaw.ts", import.meta.url).pathname;
  const root = new URL("../..", import.meta.url).pathname;
  const printed = execFileSync(process.execPath, [script, folder], { cwd: root, encoding: "utf8" });
  return printed.trim().split("\n").at(-1) ?? "";
}

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
