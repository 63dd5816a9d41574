/**
 * The address of the daemon of a store. A client must know it without reading a configuration, so it depends only on
 * the environment: everything that may lead to another store gives another address.
 */
import { createHash } from "node:crypto";
import os from "node:os";
import path from "node:path";

/** A longer path does not fit into the address of a socket on every system. */
const LONGEST_PATH = 100;
const BESIDE_FOLDER = ["LCM_DATABASE_URL", "LCM_TENANT", "LCM_AGENT", "LCM_CONFIG"];

/** Variables that select the store. */
export const STORE_VARIABLES: readonly string[] = ["LCM_DATA_DIR", ...BESIDE_FOLDER];

/** Variables that are written into a configuration: not a database URL, which may contain a password. */
export type StoreVariables = readonly (readonly [name: string, value: string])[];

export function setStoreVariables(environment: Environment = process.env): StoreVariables {
  return STORE_VARIABLES.filter((name) => name !== "LCM_DATABASE_URL").flatMap((name) => {
    const value = environment[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
}

/** Sets the store for this process and its child processes. */
export function setStore(variables: StoreVariables): void {
  Object.assign(process.env, Object.fromEntries(variables));
}

type Environment = Readonly<Record<string, string | undefined>>;

export function daemonAddress(environment: Environment = process.env, platform = process.platform): string {
  const folder = path.resolve(environment.LCM_DATA_DIR || path.join(os.homedir(), ".palimpsest"));
  const others = BESIDE_FOLDER.map((name) => environment[name] ?? "").join("\n");
  const mark = createHash("sha256").update(`${folder}\n${others}`).digest("hex").slice(0, 16);
  if (platform === "win32") return `\\\\.\\pipe\\palimpsest-${mark}`;
  const beside = path.join(folder, others.trim() === "" ? "daemon.sock" : `daemon-${mark}.sock`);
  if (beside.length <= LONGEST_PATH) return beside;
  const runtime = environment.XDG_RUNTIME_DIR || path.join(os.tmpdir(), `palimpsest-${os.userInfo().uid}`);
  return path.join(runtime, `palimpsest-${mark}.sock`);
}
