/**
 * The place where an engine could be opened. Operations that must answer although the configuration is wrong
 * or the store cannot be reached run on this instead of an engine.
 */
import { configFileOf, type LoadedConfig, loadConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { Engine, type OpenOptions } from "../engine.ts";
import {
  type OpenStoreOptions,
  openStore,
  type SalvagedStore,
  salvageStore,
  setStoreAside,
} from "../store/open-store.ts";

export interface Setup {
  /** What was given explicitly, such as command-line flags. */
  readonly options: Partial<Config>;
  /** The configuration file that was given explicitly. */
  readonly file: string | undefined;
  /** Throws `config-invalid`. */
  load(): LoadedConfig;
  /** The same, but incomplete settings of models are let through: reading needs none, and whoever asks one is told. */
  loadUsable(): LoadedConfig;
  /** The same, read again: a file was changed. */
  reload(): LoadedConfig;
  /** The file that settings are written to, whether it exists or not. */
  configFile(): string;
  /** Refuses a place without a store when it must exist. Nothing runs in the background, unless that is asked for. */
  open(options?: OpenStoreOptions & Pick<OpenOptions, "background" | "observe">): Promise<Engine>;
  /** Keeps a damaged SQLite store under another name, which it gives, and makes room for a new one. */
  setAside(name: string): Promise<string>;
  /** The same, with a new store made from every row that can still be read. */
  salvage(name: string): Promise<SalvagedStore>;
}

export interface SetupInput {
  readonly options?: Partial<Config>;
  readonly file?: string;
  /** Whether logs would stand between the lines that a person reads: then they are written only if asked for. */
  readonly isOnTerminal?: boolean;
}

export function setUp({ options = {}, file, isOnTerminal = false }: SetupInput): Setup {
  const given = { options, ...(file === undefined ? {} : { file }) };
  const load = once(() => loadConfig(given));
  const loadUsable = once(() => loadConfig({ ...given, checksModels: false }));
  const open: Setup["open"] = async ({ background = "off", observe, ...how } = {}) => {
    const loaded = loadUsable();
    const config = isOnTerminal ? withoutUnaskedLogs(loaded) : loaded.config;
    return new Engine(await openStore(config, how), config, {
      background,
      ...(observe === undefined ? {} : { observe }),
    });
  };
  const setAside = async (name: string) => setStoreAside(loadUsable().config, name);
  const salvage = async (name: string) => salvageStore(loadUsable().config, name);
  const reload = () => loadConfig({ ...given, checksModels: false });
  const configFile = () => configFileOf(given);
  return { options, file, reload, configFile, load, loadUsable, open, setAside, salvage };
}

function withoutUnaskedLogs({ config, sources }: LoadedConfig): Config {
  const isAskedFor = sources.logLevel !== "default" || config.logFile !== null;
  return isAskedFor ? config : { ...config, logLevel: "silent" };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
