/**
 * The place where an engine could be opened. Operations that must answer although the configuration is wrong
 * or the store cannot be reached run on this instead of an engine.
 */
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { Engine } from "../engine.ts";
import { type OpenStoreOptions, openStore, setStoreAside } from "../store/open-store.ts";

export interface Setup {
  /** What was given explicitly, such as command-line flags. */
  readonly options: Partial<Config>;
  /** Throws `config-invalid`. */
  load(): LoadedConfig;
  /** Refuses a place without a store when it must exist. */
  open(options?: OpenStoreOptions): Promise<Engine>;
  /** Keeps a damaged SQLite store under another name, which it gives, and makes room for a new one. */
  setAside(name: string): Promise<string>;
}

export function setUp(given: { readonly options?: Partial<Config>; readonly file?: string }): Setup {
  const options = given.options ?? {};
  let loaded: LoadedConfig | undefined;
  const load = () => {
    loaded ??= loadConfig({ options, ...(given.file === undefined ? {} : { file: given.file }) });
    return loaded;
  };
  const open = async (how?: OpenStoreOptions) => {
    const { config } = load();
    return new Engine(await openStore(config, how), config, { background: "off" });
  };
  const setAside = async (name: string) => setStoreAside(load().config, name);
  return { options, load, open, setAside };
}
