import { z } from "zod";
import {
  CONFIG_KEYS,
  type Config,
  type ConfigKey,
  configSchema,
  environmentName,
  SECRET_KEYS,
} from "../config/schema.ts";
import { escapeControls } from "../text/escape-controls.ts";
import type { Look } from "../text/terminal/look.ts";
import { table } from "../text/terminal/table.ts";
import { defineOperation } from "./operation.ts";
import type { Setup } from "./setup.ts";

const value = z.union([
  z.string(),
  z.boolean(),
  z.number(),
  z.null(),
  z.array(z.string()).readonly(),
  z.record(z.string(), z.array(z.string()).readonly()).readonly(),
]);

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  file: z.string().nullable().describe("The configuration file that was read, if there is one."),
  settings: z
    .array(
      z.strictObject({
        key: z.string().describe("Name of the setting."),
        value: value.describe("Its value now; passwords and keys are hidden."),
        source: z.enum(["option", "environment", "file", "default"]).describe("Where the value came from."),
        environment: z.string().describe("The variable that sets it."),
        description: z.string().describe("What it does."),
      }),
    )
    .describe("Every setting."),
});

export const showConfig = defineOperation({
  name: "config-show",
  summary: "Show every setting with its value, its source and its environment variable.",
  input: z.strictObject({}),
  output: outputSchema,
  command: {
    examples: [["lcm config show --json", "with a description of each setting"]],
    paged: true,
    text: (output, { look }) => render(output, look),
  },
  runsOn: "setup",
  run: async (setup: Setup) => {
    const { config, sources, file } = setup.load();
    const settings = CONFIG_KEYS.map((key) => ({
      key,
      value: shown(config, key),
      source: sources[key],
      environment: environmentName(key),
      description: configSchema.shape[key].description ?? "",
    }));
    return { file, settings };
  },
});

/** One setting as text. */
export function shownSetting(config: Config, key: ConfigKey): string {
  return inWords(shown(config, key));
}

function shown(config: Config, key: ConfigKey): Config[ConfigKey] {
  if (SECRET_KEYS.includes(key)) return config[key] === null ? null : "(hidden)";
  if (key === "databaseUrl" && config.databaseUrl !== null) return hidePassword(config.databaseUrl);
  return config[key];
}

/** A database URL that can be shown. In doubt, hides more. */
export function hidePassword(url: string): string {
  return url
    .replace(/^(\w+:\/\/[^:/@?]*):.*@/, "$1:***@")
    .replaceAll(/([?&][^=&]*password=)[^&]*/gi, "$1***");
}

function render({ file, settings }: Output, look: Look): string {
  const rows = settings.map((one) => [one.key, inWords(one.value), one.source, one.environment]);
  const columns = [
    { title: "setting" },
    { title: "value", flexible: true },
    { title: "from" },
    { title: "environment", optional: true },
  ] as const;
  const from = file === null ? "No configuration file." : `File: ${escapeControls(file)}`;
  return `${table(columns, rows, look)}\n${from}`;
}

function inWords(value: Output["settings"][number]["value"]): string {
  if (Array.isArray(value)) return value.join(",") || "(none)";
  if (typeof value !== "object") return String(value) || "(none)";
  return value === null || Object.keys(value).length === 0 ? "(none)" : JSON.stringify(value);
}
