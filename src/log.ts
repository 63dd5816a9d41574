/** Structured logs: one JSON object a line, with the field names of the specification. */
import { destination, type Logger, pino } from "pino";
import type { Config } from "./config/schema.ts";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

const METHODS: readonly (keyof Log)[] = ["debug", "info", "warn", "error"];

export function isLog(value: unknown): value is Log {
  const log = Object(value) as Partial<Record<keyof Log, unknown>>;
  return METHODS.every((method) => typeof log[method] === "function");
}

export const SILENT: Log = pino({ level: "silent" });

export function createLog(config: Pick<Config, "logLevel" | "logFile">): Log {
  if (config.logLevel === "silent") return SILENT;
  // Standard output belongs to results and protocols.
  const stream = destination({ dest: config.logFile ?? 2, sync: true, mkdir: true });
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}
