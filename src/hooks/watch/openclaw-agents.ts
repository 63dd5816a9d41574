/**
 * The agents of OpenClaw, each with its own database and its own scope in the store. While our plugin is installed
 * in OpenClaw, nothing is read here: the plugin stores the same entries with more metadata, such as which turns only
 * acknowledge a poll.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Engine } from "../../engine.ts";
import { importDatabase } from "../../host/openclaw/import-database.ts";
import { scopeOfAgent } from "../../host/openclaw/scope-of-agent.ts";
import type { Log } from "../../log.ts";
import { openOpenclawDatabase } from "../../store/open-store.ts";
import { type Captured, Captures } from "../captures.ts";

interface AgentsOptions {
  /** Where OpenClaw keeps its configuration and its agents. */
  readonly folder: string;
  /** The engine of a scope. */
  readonly open: (scope: { readonly agent?: string }) => Promise<Engine>;
  readonly log: Log;
  readonly tell: (report: Captured) => void;
  /** Called once if the plugin handles OpenClaw. */
  readonly leave: () => void;
}

export class OpenclawAgents {
  readonly captures: Captures;
  readonly #options: AgentsOptions;
  readonly #engines = new Map<string, Promise<Engine>>();
  /** The sessions of each agent when they were last read. */
  readonly #seen = new Map<string, Map<string, string>>();
  #isLeft = false;

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.captures = new Captures((file) => this.#takeIn(file), options.log, options.tell);
  }

  /** The databases to read now. */
  async databases(): Promise<readonly string[]> {
    const { folder, leave } = this.#options;
    const agents = await readdir(path.join(folder, "agents")).catch(() => []);
    if (agents.length === 0) return [];
    const isLeft = await hasPlugin(path.join(folder, "openclaw.json"));
    if (isLeft && !this.#isLeft) leave();
    this.#isLeft = isLeft;
    return isLeft ? [] : agents.map((agent) => path.join(folder, "agents", agent, DATABASE));
  }

  /** Called when everything is imported. The engine of the configured scope belongs to the caller. */
  async close(): Promise<void> {
    await this.captures.settle();
    for (const engine of this.#engines.values()) await (await engine).close();
  }

  async #takeIn(file: string): Promise<Captured[]> {
    const agent = path.relative(path.join(this.#options.folder, "agents"), file).split(path.sep)[0] ?? "";
    const engine = await this.#engineOf(agent);
    const seen = this.#seen.get(agent) ?? new Map<string, string>();
    this.#seen.set(agent, seen);
    const database = await openOpenclawDatabase(file);
    const reports: Captured[] = [];
    try {
      for await (const { imported, ...session } of importDatabase(engine, { database, agent, seen })) {
        if (imported === 0) continue;
        const { id } = await engine.context.conversations.get(session);
        const { sessionId } = session;
        reports.push({ path: file, formatLabel: "OpenClaw", sessionId, conversation: id, imported });
      }
    } finally {
      database.close();
    }
    return reports;
  }

  #engineOf(agent: string): Promise<Engine> {
    const scope = scopeOfAgent(agent);
    if (scope.agent === undefined) return this.#options.open(scope);
    const engine = this.#engines.get(agent) ?? this.#options.open(scope);
    this.#engines.set(agent, engine);
    engine.catch(() => this.#engines.delete(agent));
    return engine;
  }
}

const DATABASE = path.join("agent", "openclaw-agent.sqlite");

/** People may write comments into the configuration, so it is searched as text if it is not JSON. */
async function hasPlugin(file: string): Promise<boolean> {
  const text = await readFile(file, "utf8").catch(() => "");
  try {
    const plugins = Object(Object(JSON.parse(text)).plugins);
    const isEnabled = Object(Object(plugins.entries).palimpsest).enabled !== false;
    return Object(plugins.slots).contextEngine === "palimpsest" && isEnabled;
  } catch {
    return /\bcontextEngine["']?\s*:\s*["']palimpsest["']/.test(text);
  }
}
