/** A home in which `lcm setup` connects a host, and what tests of such hosts ask of it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { HOSTS, hostFolder } from "../../scripts/hosts/hosts.ts";
import { temporaryFolder } from "../temporary-store.ts";
import { installed } from "./installed-package.ts";

const LCM = installed("bin/lcm.mjs");
const HOOK = installed("bin/hook.mjs");

export interface SetUpHome {
  readonly folder: string;
  readonly data: string;
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
  project(name: string): string;
  lcm(...args: readonly string[]): string;
  /** Resolves when the daemon answers: a hook that starts it does not wait for it. */
  wakeDaemon(): Promise<void>;
}

export function setUpHome(host: string, environmentOf: (folder: string) => NodeJS.ProcessEnv): SetUpHome {
  const found = HOSTS.find(({ name }) => name.startsWith(`${host}-`));
  const program = found === undefined ? "" : path.join(hostFolder(found), found.program);
  if (!existsSync(program))
    throw new Error(`${host} is not installed. Install it with: npm run hosts:install ${host}`);
  const folder = path.join(temporaryFolder(), "a home");
  mkdirSync(folder);
  const data = path.join(folder, "data");
  const { XDG_CONFIG_HOME: _, XDG_DATA_HOME: __, ...own } = process.env;
  const environment = { ...own, HOME: folder, LCM_DATA_DIR: data, ...environmentOf(folder) };
  const lcm: SetUpHome["lcm"] = (...args) =>
    execFileSync(process.execPath, [LCM, ...args], { env: environment, encoding: "utf8" });
  return {
    ...{ folder, data, program, environment },
    project: (name) => {
      const made = path.join(folder, name);
      mkdirSync(made, { recursive: true });
      return made;
    },
    lcm,
    wakeDaemon: async () => {
      execFileSync(process.execPath, [HOOK, host], { env: environment, input: "{}" });
      while (JSON.parse(lcm("daemon", "--status", "--json")).daemon === null) await delay(100);
    },
  };
}
