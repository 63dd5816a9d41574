import type { LoadedConfig } from "../../config/load.ts";
import { type Config, configSchema } from "../../config/schema.ts";
import { isPalimpsestError, messageOf } from "../../errors.ts";
import type { Setup } from "../setup.ts";
import { type Finding, fail, ok } from "./finding.ts";

/** `config` is used by the other checks; null if the store cannot be located. */
export function checkConfiguration(setup: Setup): { finding: Finding; config: Config | null } {
  try {
    const loaded = setup.load();
    return { finding: ok("configuration", describe(loaded)), config: loaded.config };
  } catch (error) {
    const advice = isPalimpsestError(error) ? (error.advice ?? null) : null;
    return { finding: fail("configuration", messageOf(error), advice), config: fromOptionsAlone(setup) };
  }
}

function describe({ file, sources }: LoadedConfig): string {
  const from = (wanted: string) => Object.values(sources).filter((source) => source === wanted).length;
  const pieces = [
    file === null ? "no file" : file,
    `settings: ${from("environment")} from the environment`,
    `${from("option")} from options`,
  ];
  return `valid (${pieces.join(", ")})`;
}

/** If the caller names the store, a broken configuration file is not needed. */
function fromOptionsAlone({ options }: Setup): Config | null {
  if (options.dataDir === undefined && options.databaseUrl === undefined) return null;
  return configSchema.safeParse(options).data ?? null;
}
