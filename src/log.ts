/** Structured logs: one JSON object a line, with the field names of the specification, and without credentials. */
import { createRequire } from "node:module";
import type { Logger } from "pino";
import { type Config, LOG_LEVELS } from "./config/schema.ts";
import { hideCredentials } from "./text/credentials/hide-credentials.ts";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

const METHODS = ["debug", "info", "warn", "error"] as const satisfies readonly (keyof Log)[];

export function isLog(value: unknown): value is Log {
  const log = Object(value) as Partial<Record<keyof Log, unknown>>;
  return METHODS.every((method) => typeof log[method] === "function");
}

const nothing = () => {};
export const SILENT: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

export function createLog({ logLevel, logFile }: Pick<Config, "logLevel" | "logFile">): Log {
  let logger: Logger | undefined;
  const written = () => {
    logger ??= openLogger(logLevel, logFile);
    return logger;
  };
  // A log file that cannot be written is reported immediately. Otherwise the logger is loaded with the first line that is logged.
  if (logFile !== null && logLevel !== "silent") written();
  const isWanted = (level: keyof Log) => LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(logLevel);
  const line = (level: keyof Log) =>
    isWanted(level) ? (...given: Parameters<Logger["info"]>) => written()[level](...given) : nothing;
  return { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
}

/**
 * The same log for every caller, without credentials that a provider's message or broken input may repeat. Lines below the
 * log level are not scanned, because that would cost more than most of what is logged.
 */
export function withoutCredentials(log: Log): Log {
  const line = (level: keyof Log) => {
    if (log[level] === nothing) return nothing;
    return (given: unknown, message?: string) => {
      const said = typeof given === "string" ? given : (message ?? "");
      const fields = typeof given === "object" && given !== null ? hideInFields(given) : {};
      log[level](fields, hideCredentials(said));
    };
  };
  return { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
}

function hideInFields(fields: object): object {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, hideInField(field)]));
}

function hideInField(value: unknown): unknown {
  if (typeof value === "string") return hideCredentials(value);
  if (!(value instanceof Error)) return value;
  // The field names by which loggers recognise an error.
  return hideInFields({ ...value, type: value.name, message: value.message, stack: value.stack });
}

function openLogger(level: Config["logLevel"], logFile: string | null): Logger {
  const { pino, destination }: typeof import("pino") = createRequire(import.meta.url)("pino");
  // Standard output belongs to results and protocols.
  const stream = destination({ dest: logFile ?? 2, sync: true, mkdir: true });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}
