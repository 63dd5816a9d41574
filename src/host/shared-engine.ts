/**
 * One engine for a process and store, however often a host loads a plugin. Two versions or copies of this package in one
 * process have an engine each, on the same store.
 */
import { loadConfig } from "../config/load.ts";
import { type Engine, type OpenOptions, open } from "../engine.ts";
import { packageVersion } from "../package-version.ts";

interface Shared {
  readonly engine: Promise<Engine>;
  users: number;
}

export interface EngineLease {
  readonly engine: Engine;
  /** The last one that releases it closes it. */
  release(): Promise<void>;
}

export type SharedEngineOptions = Pick<OpenOptions, "store" | "config" | "background">;

const REGISTRY = Symbol.for("palimpsest.engines");
/** Two copies of one version do not share either: what an engine is, each knows only of its own. */
const COPY = `${packageVersion()} ${import.meta.url}`;

/** Models and budgets are not the engine's: hosts name them with each call. */
export async function shareEngine(given: SharedEngineOptions = {}): Promise<EngineLease> {
  const engines = registry();
  const { store, config, background } = given;
  const options = {
    ...(store === undefined ? {} : { store }),
    ...(config === undefined ? {} : { config }),
    ...(background === undefined ? {} : { background }),
  };
  const name = nameOf(options);
  const known = engines.get(name);
  const shared = known ?? { engine: open(options), users: 0 };
  engines.set(name, shared);
  shared.users++;
  const leave = () => {
    if (--shared.users === 0) engines.delete(name);
    return shared.users;
  };
  const engine = await shared.engine.catch((error: unknown) => {
    leave();
    throw error;
  });
  let isReleased = false;
  return {
    engine,
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      if (leave() === 0) await engine.close();
    },
  };
}

/** By what decides where words go. A store that was opened by somebody else is shared by nobody. */
function nameOf({ store, config, background = "auto" }: SharedEngineOptions): string {
  if (typeof store === "object") return `${COPY} ${Math.random()}`;
  const place = store === undefined ? {} : storePlace(store);
  const { databaseUrl, dataDir, tenant, agent } = loadConfig({ options: { ...config, ...place } }).config;
  return JSON.stringify([COPY, databaseUrl ?? dataDir, tenant, agent, background, config ?? {}]);
}

function storePlace(store: string) {
  return /^postgres(ql)?:\/\//.test(store) ? { databaseUrl: store } : { dataDir: store, databaseUrl: null };
}

function registry(): Map<string, Shared> {
  const held: object & { [REGISTRY]?: Map<string, Shared> } = Object(globalThis);
  held[REGISTRY] ??= new Map();
  return held[REGISTRY];
}
