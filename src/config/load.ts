/**
 * Reads the configuration: `LCM_*` environment first, then the file, then defaults. Unknown or
 * invalid settings are rejected by name, all at once; nothing is ignored.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileProblem } from "../text/file-problem.ts";
import { jsonProblem } from "../text/json-problem.ts";
import { withoutByteOrderMark } from "../text/utf8.ts";
import { misfits, refuseSettings, type SettingProblem, unknownSetting } from "./refuse-settings.ts";
import {
  CONFIG_KEYS,
  type Config,
  type ConfigKey,
  configSchema,
  environmentName,
  uncheckedModelsSchema,
} from "./schema.ts";

type ConfigSource = "option" | "environment" | "file" | "default";

export interface LoadedConfig {
  readonly config: Config;
  readonly sources: Readonly<Record<ConfigKey, ConfigSource>>;
  /** The file that was read, if there is one. */
  readonly file: string | null;
}

interface LoadConfigOptions {
  /** Values that override everything, such as command-line flags. */
  readonly options?: Partial<Config>;
  /** File to read. Default: `LCM_CONFIG`, or `config.json` in the data folder when it exists. */
  readonly file?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Whether model settings must be complete, including addresses. False: only calling the model fails. Default true. */
  readonly checksModels?: boolean;
}

/** Variables of ours that are not settings. */
const OTHER_VARIABLES = new Set(["LCM_CONFIG", "LCM_NODE", "LCM_PAGER", "LCM_TEST_DATABASE_URL"]);

export function loadConfig(input: LoadConfigOptions = {}): LoadedConfig {
  const environment = input.environment ?? process.env;
  const fromOptions = withoutUndefined(input.options ?? {});
  const { values: fromEnvironment, problems: unknown } = readEnvironment(environment);
  const file = findFile(input, environment, { ...fromEnvironment, ...fromOptions });
  const { values: fromFile, problems: unreadable } =
    file === null ? { values: {}, problems: [] } : readFile(file);
  const schema = input.checksModels === false ? uncheckedModelsSchema : configSchema;
  const parsed = schema.safeParse({ ...fromFile, ...fromEnvironment, ...fromOptions });
  const misfit = parsed.success
    ? []
    : misfits(parsed.error, { fromFile, fromEnvironment, fromOptions, file });
  if (!parsed.success || unknown.length + unreadable.length > 0)
    throw refuseSettings([...unknown, ...unreadable, ...misfit]);
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

interface Read {
  readonly values: Record<string, unknown>;
  readonly problems: readonly SettingProblem[];
}

function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Read {
  const byName = new Map(CONFIG_KEYS.map((key) => [environmentName(key), key]));
  const values: Record<string, unknown> = {};
  const problems: SettingProblem[] = [];
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith("LCM_") || text === undefined || OTHER_VARIABLES.has(name)) continue;
    const key = byName.get(name);
    if (key === undefined) problems.push(unknownSetting(name, [...byName.keys()]));
    else values[key] = parseText(key, text);
  }
  return { values, problems };
}

/** Converts text to the type of the key, and empty text to null if allowed; the schema rejects invalid values. */
export function parseText(key: ConfigKey, text: string): unknown {
  if (text === "" && configSchema.shape[key].safeParse(null).success) return null;
  const fallback = configSchema.shape[key].safeParse(undefined).data;
  if (typeof fallback === "boolean") return { true: true, "1": true, false: false, "0": false }[text] ?? text;
  if (typeof fallback === "number" || takesNumbers(key)) return NUMBER.test(text) ? Number(text) : text;
  if (Array.isArray(fallback))
    return text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  return typeof fallback === "object" && fallback !== null ? parseJson(text) : text;
}

/** Invalid JSON is returned as text, which the schema rejects. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const NUMBER = /^\d+(\.\d+)?$/;

/** Also for a key without a default. */
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
  const usual = usualFile(known);
  return usual !== null && existsSync(usual) ? usual : null;
}

function usualFile(known: Record<string, unknown>): string | null {
  const dataDir = configSchema.shape.dataDir.safeParse(known.dataDir);
  return dataDir.success ? path.join(dataDir.data, "config.json") : null;
}

/** The file that settings are written to, whether it exists or not. */
export function configFileOf(input: LoadConfigOptions = {}): string {
  const environment = input.environment ?? process.env;
  const known = { ...readEnvironment(environment).values, ...withoutUndefined(input.options ?? {}) };
  return findFile(input, environment, known) ?? usualFile(known) ?? path.resolve("config.json");
}

function readFile(file: string): Read {
  const refused = (message: string) => ({ values: {}, problems: [{ message, advice: JSON_OBJECT }] });
  let value: unknown;
  try {
    value = JSON.parse(withoutByteOrderMark(readFileSync(file, "utf8")));
  } catch (error) {
    const problem = error instanceof SyntaxError ? jsonProblem(error) : fileProblem(error);
    return refused(`${file} cannot be read: ${problem}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refused(`${file} must contain a JSON object`);
  return { values: { ...value }, problems: [] };
}

const JSON_OBJECT = "The configuration file is a JSON object; see docs/reference/configuration.md.";

function withoutUndefined(values: Partial<Config>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
