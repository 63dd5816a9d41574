/**
 * Every setting, once: type, default, validation, environment variable and reference page come from here.
 * A key that changes nothing does not belong here.
 */
import os from "node:os";
import path from "node:path";
import { z } from "zod";

const patterns = z.array(z.string().min(1)).readonly();

export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;

export const configSchema = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe("Take in what agents say. When false, commits are skipped and reading still works."),
  dataDir: z
    .string()
    .min(1)
    .default(() => path.join(os.homedir(), ".palimpsest"))
    .describe("Folder of the embedded store. Used when databaseUrl is not set."),
  databaseUrl: z
    .string()
    .refine((url) => /^postgres(ql)?:\/\//.test(url), "must start with postgres:// or postgresql://")
    .nullable()
    .default(null)
    .describe(
      "PostgreSQL to use instead of the embedded store: postgres://user:password@host:port/database.",
    ),
  tenant: z.string().min(1).default("default").describe("Tenant whose conversations are read and written."),
  agent: z.string().min(1).default("default").describe("Agent whose conversations are read and written."),
  ignoreSessionPatterns: patterns
    .default([])
    .describe("Sessions that are never stored. `*` matches within a `:` segment, `**` across segments."),
  statelessSessionPatterns: patterns
    .default([])
    .describe("Sessions that may read but do not write, while skipStatelessSessions is on."),
  skipStatelessSessions: z
    .boolean()
    .default(true)
    .describe("Whether stateless sessions are kept from writing."),
  pruneHeartbeatOk: z
    .boolean()
    .default(false)
    .describe(
      "Leave heartbeat turns that were only acknowledged (HEARTBEAT_OK) out of the context. They stay on record.",
    ),
  timezone: z
    .string()
    .refine(isTimezone, "must be an IANA time zone such as Europe/Berlin or UTC")
    .default(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
    .describe("Time zone in which times are shown to people. Stored times are always UTC."),
  logLevel: z.enum(LOG_LEVELS).default("warn").describe("Least severe level that is logged."),
  logFile: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe("File for structured logs (JSON lines). Default: standard error."),
});

export type Config = z.infer<typeof configSchema>;
export type ConfigKey = keyof Config;

export const CONFIG_KEYS = Object.keys(configSchema.shape) as readonly ConfigKey[];

/** Keys that other systems of this kind have and this one leaves out on purpose, with what to do instead. */
export const DROPPED_KEYS: Readonly<Record<string, string>> = {
  bootstrapMaxTokens: "everything is imported, whatever its size; remove this key",
  databasePath: "the embedded store is a folder; set dataDir instead",
  dbPath: "the embedded store is a folder; set dataDir instead",
};

/** `pruneHeartbeatOk` → `LCM_PRUNE_HEARTBEAT_OK`. */
export function environmentName(key: string): string {
  return `LCM_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
