/**
 * Reads the configuration: `LCM_*` environment first, then the file, then defaults. What is not known or not
 * valid is refused by name; nothing is ignored.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { z } from "zod";
import { PalimpsestError } from "../errors.ts";
import { atPlace, describeMisfits } from "../text/describe-misfit.ts";
import { jsonProblem } from "../text/json-problem.ts";
import { nearName } from "../text/near-name.ts";
import {
  CONFIG_KEYS,
  type Config,
  type ConfigKey,
  configSchema,
  DROPPED_KEYS,
  environmentName,
  SECRET_KEYS,
} from "./schema.ts";

export type ConfigSource = "option" | "environment" | "file" | "default";

export interface LoadedConfig {
  readonly config: Config;
  readonly sources: Readonly<Record<ConfigKey, ConfigSource>>;
  /** The file that was read, if there is one. */
  readonly file: string | null;
}

export interface LoadConfigOptions {
  /** Values that win over everything, such as command-line flags. */
  readonly options?: Partial<Config>;
  /** File to read. Default: `LCM_CONFIG`, or `config.json` in the data folder when it exists. */
  readonly file?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Variables of ours that are not settings. */
const OTHER_VARIABLES = new Set(["LCM_CONFIG", "LCM_TEST_DATABASE_URL"]);

export function loadConfig(input: LoadConfigOptions = {}): LoadedConfig {
  const environment = input.environment ?? process.env;
  const fromOptions = withoutUndefined(input.options ?? {});
  const fromEnvironment = readEnvironment(environment);
  const file = findFile(input, environment, { ...fromEnvironment, ...fromOptions });
  const fromFile = file === null ? {} : readFile(file);
  const parsed = configSchema.safeParse({ ...fromFile, ...fromEnvironment, ...fromOptions });
  if (!parsed.success) throw refusal(parsed.error, { fromFile, fromEnvironment, fromOptions, file });
  const source = (key: ConfigKey): ConfigSource => {
    if (key in fromOptions) return "option";
    if (key in fromEnvironment) return "environment";
    return key in fromFile ? "file" : "default";
  };
  const sources = Object.fromEntries(CONFIG_KEYS.map((key) => [key, source(key)])) as Record<
    ConfigKey,
    ConfigSource
  >;
  return { config: parsed.data, sources, file };
}

function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const byName = new Map(CONFIG_KEYS.map((key) => [environmentName(key), key]));
  const values: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith("LCM_") || text === undefined || OTHER_VARIABLES.has(name)) continue;
    const key = byName.get(name);
    if (key === undefined) throw unknown(name, [...byName.keys()]);
    values[key] = parseText(key, text);
  }
  return values;
}

/** Text becomes what the key's type wants; what does not fit is left for the schema to refuse. */
function parseText(key: ConfigKey, text: string): unknown {
  const fallback = configSchema.shape[key].safeParse(undefined).data;
  if (typeof fallback === "boolean") return { true: true, "1": true, false: false, "0": false }[text] ?? text;
  if (typeof fallback === "number" || takesNumbers(key)) return NUMBER.test(text) ? Number(text) : text;
  if (Array.isArray(fallback))
    return text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  return text;
}

const NUMBER = /^\d+(\.\d+)?$/;

/** Also of a key that has no value by default. */
function takesNumbers(key: ConfigKey): boolean {
  return configSchema.shape[key].safeParse(1).success;
}

function findFile(
  input: LoadConfigOptions,
  environment: Readonly<Record<string, string | undefined>>,
  known: Record<string, unknown>,
): string | null {
  const named = input.file ?? environment.LCM_CONFIG;
  if (named !== undefined) return path.resolve(named);
  const dataDir = configSchema.shape.dataDir.safeParse(known.dataDir);
  if (!dataDir.success) return null;
  const usual = path.join(dataDir.data, "config.json");
  return existsSync(usual) ? usual : null;
}

function readFile(file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new PalimpsestError("config-invalid", `${file} cannot be read: ${jsonProblem(error)}`, {
      advice: "The configuration file is a JSON object; see docs/reference/configuration.md.",
    });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new PalimpsestError("config-invalid", `${file} must hold a JSON object`);
  return { ...value };
}

function refusal(error: z.ZodError, given: Given): PalimpsestError {
  const issue = error.issues[0];
  if (issue?.code === "unrecognized_keys") return unknown(issue.keys[0] ?? "", CONFIG_KEYS);
  const { fromFile, fromEnvironment, fromOptions } = given;
  const key = String(issue?.path[0] ?? "");
  const isSecret = SECRET_KEYS.some((secret) => secret === key);
  const [misfit] = describeMisfits(error, { ...fromFile, ...fromEnvironment, ...fromOptions }, { isSecret });
  const place = placeOf(key, misfit?.place ?? "", given);
  return new PalimpsestError("config-invalid", atPlace(place, misfit?.problem ?? "is not valid"), {
    advice: "See docs/reference/configuration.md for what each setting takes.",
  });
}

interface Given {
  readonly fromFile: object;
  readonly fromEnvironment: object;
  readonly fromOptions: object;
  readonly file: string | null;
}

/** Where the person wrote it. */
function placeOf(
  key: string,
  place: string,
  { fromFile, fromEnvironment, fromOptions, file }: Given,
): string {
  if (key in fromOptions) return place;
  if (key in fromEnvironment) return environmentName(key);
  return key in fromFile ? `${place} in ${file}` : place;
}

function unknown(name: string, known: readonly string[]): PalimpsestError {
  const reason = DROPPED_KEYS[name] ?? DROPPED_KEYS[fromEnvironmentName(name)];
  if (reason !== undefined) return new PalimpsestError("config-invalid", `${name} is not used: ${reason}`);
  const near = nearName(name, known);
  return new PalimpsestError("config-invalid", `there is no setting ${name}`, {
    advice: near === undefined ? "List the settings with: lcm config show" : `Did you mean ${near}?`,
  });
}

function fromEnvironmentName(name: string): string {
  return name
    .slice("LCM_".length)
    .toLowerCase()
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function withoutUndefined(values: Partial<Config>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
