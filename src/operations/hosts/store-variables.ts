/** The options that name a store, as the variables that hooks, daemon and servers read. Options from the environment are not included. */
import path from "node:path";
import type { StoreVariables } from "../../config/daemon-address.ts";
import type { Setup } from "../setup.ts";

export function storeVariables({ options, file }: Setup): StoreVariables {
  const { dataDir, databaseUrl, tenant, agent } = options;
  const absolute = (given: string | undefined) => (given === undefined ? undefined : path.resolve(given));
  const named = {
    LCM_DATA_DIR: absolute(dataDir),
    // An explicit folder overrides a database from the environment.
    LCM_DATABASE_URL: databaseUrl === null ? "" : databaseUrl,
    LCM_CONFIG: absolute(file),
    LCM_TENANT: tenant,
    LCM_AGENT: agent,
  };
  return Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}
