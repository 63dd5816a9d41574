/** The options of all commands, and the settings that they set. */
import type { Command } from "commander";
import type { Config } from "../config/schema.ts";
import { PalimpsestError } from "../errors.ts";
import { quoted } from "../text/terminal/quoted.ts";

export interface GlobalOptions {
  readonly data?: string;
  readonly databaseUrl?: string;
  readonly config?: string;
  readonly tenant?: string;
  readonly agent?: string;
  readonly json?: true;
  readonly color?: boolean;
  readonly pager?: boolean;
  readonly logLevel?: string;
}

/** Listed here, so that starting does not load the schema, which rejects other values. */
const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;

export function addGlobalOptions(program: Command): void {
  program
    .option("--data <folder>", "Folder of the embedded store (LCM_DATA_DIR).")
    .option("--database-url <url>", "PostgreSQL database to use instead: postgres://… (LCM_DATABASE_URL).")
    .option("--config <file>", "Configuration file (LCM_CONFIG).")
    .option("--tenant <name>", "Tenant to use (LCM_TENANT).")
    .option("--agent <name>", "Agent to use (LCM_AGENT).")
    .option("--json", "Print one JSON document and nothing else.")
    .option("--no-color", "Disable colours (NO_COLOR).")
    .option("--no-pager", "Print long output without a pager (LCM_PAGER, PAGER).")
    .option("--log-level <level>", `${LOG_LEVELS.join(", ")} (LCM_LOG_LEVEL).`);
}

export function settingsOf(options: GlobalOptions): Partial<Config> {
  return {
    ...(options.data === undefined ? {} : { dataDir: options.data, databaseUrl: null }),
    ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
    ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
    ...(options.agent === undefined ? {} : { agent: options.agent }),
    ...(options.logLevel === undefined ? {} : { logLevel: logLevel(options.logLevel) }),
  };
}

function logLevel(given: string): Config["logLevel"] {
  const level = LOG_LEVELS.find((known) => known === given);
  if (level !== undefined) return level;
  throw new PalimpsestError("invalid-input", `--log-level must be one of ${LOG_LEVELS.join(", ")}`);
}

/** The options that select the same store, for suggested commands. */
export function repeatOptions(options: GlobalOptions): string {
  const pieces: string[] = [];
  if (options.data !== undefined) pieces.push(`--data ${quoted(options.data)}`);
  // The URL may contain a password, which must not be shown.
  if (options.databaseUrl !== undefined) pieces.push("--database-url …");
  if (options.config !== undefined) pieces.push(`--config ${quoted(options.config)}`);
  if (options.tenant !== undefined) pieces.push(`--tenant ${quoted(options.tenant)}`);
  if (options.agent !== undefined) pieces.push(`--agent ${quoted(options.agent)}`);
  return pieces.map((piece) => `${piece} `).join("");
}
