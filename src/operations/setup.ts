/**
 * The place where an engine could be opened. Operations that must work although the configuration is wrong
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
  /** Explicit options, such as command-line flags. */
  readonly options: Partial<Config>;
  /** The explicit configuration file. */
  readonly file: string | undefined;
  /** Throws `config-invalid`. */
  load(): LoadedConfig;
  /** The same, but accepts incomplete model settings: reading needs no model, and calling one fails with advice. */
  loadUsable(): LoadedConfig;
  /** Reads the configuration again after a change of a file. */
  reload(): LoadedConfig;
  /** The file that settings are written to, whether it exists or not. */
  configFile(): string;
  /** Throws if the store must exist and does not. Nothing runs in the background unless requested. */
  open(options?: OpenStoreOptions & Pick<OpenOptions, "background" | "observe">): Promise<Engine>;
  /** Renames a damaged SQLite store to make room for a new one, and returns the new name. */
  setAside(name: string): Promise<string>;
  /** The same, with a new store made from every row that can still be read. */
  salvage(name: string): Promise<SalvagedStore>;
}

export interface SetupInput {
  readonly options?: Partial<Config>;
  readonly file?: string;
  /** Whether logs would mix with output for people; they are then written only on request. */
  readonly isForPeople?: boolean;
}

export function setUp({ options = {}, file, isForPeople = false }: SetupInput): Setup {
  const given = { options, ...(file === undefined ? {} : { file }) };
  const load = once(() => loadConfig(given));
  const loadUsable = once(() => loadConfig({ ...given, checksModels: false }));
  const open: Setup["open"] = async ({ background = "off", observe, ...how } = {}) => {
    const loaded = loadUsable();
    const config = isForPeople ? withoutUnaskedLogs(loaded) : loaded.config;
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
