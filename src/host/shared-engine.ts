/**
 * One engine for a process and store, even if a host loads a plugin several times. Two versions or copies of this package in one
 * process have separate engines on the same store.
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
/** Two copies of one version do not share an engine, since each has its own classes. */
const COPY = `${packageVersion()} ${import.meta.url}`;

/** Models and budgets are not part of the engine: hosts pass them with each call. */
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

/** A key of all settings that decide where data goes. A store that the caller opened is not shared. */
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
