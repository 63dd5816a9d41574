import { z } from "zod";
import { changeSetting } from "../config/change-file.ts";
import { environmentName } from "../config/schema.ts";
import { escapeControls } from "../text/escape-controls.ts";
import type { View } from "./command.ts";
import { shownSetting } from "./config-show.ts";
import { defineOperation } from "./operation.ts";
import type { Setup } from "./setup.ts";

const outputSchema = z.strictObject({
  file: z.string().describe("The configuration file that was changed."),
  key: z.string().describe("The setting."),
  value: z.string().describe("Its value now, as `config show` prints it; keys are hidden."),
  overriddenBy: z
    .string()
    .nullable()
    .describe("The environment variable that overrides the file; null when the file is in effect."),
});

export const setConfig = defineOperation({
  name: "config-set",
  summary: "Change a setting in the configuration file, or remove it so that its default applies.",
  input: z.strictObject({
    key: z.string().min(1).describe("Name of the setting, such as summaryModel."),
    value: z
      .string()
      .exactOptional()
      .describe("New value; separate list items with commas. Default: remove the setting."),
  }),
  output: outputSchema,
  command: {
    positional: ["key", "value"],
    examples: [
      ["lcm config set summaryModel anthropic/claude-haiku-4-5", "write summaries with this model"],
      ["lcm config set contextBudget 32k"],
      ["lcm config set contextBudget", "remove it, so that the default applies"],
    ],
    text: (
      { file, key, value, overriddenBy },
      { input }: View<{ readonly key: string; readonly value?: string }, Setup>,
    ) =>
      [
        `${key} ${input.value === undefined && overriddenBy === null ? "reset to its default," : "is now"} ${value} (${escapeControls(file)}).`,
        ...(overriddenBy === null
          ? []
          : [`It has no effect while ${overriddenBy} is set in the environment.`]),
      ].join("\n"),
  },
  runsOn: "setup",
  run: async (setup: Setup, { key: name, value }) => {
    const file = setup.configFile();
    const key = changeSetting(file, name, value);
    const { config, sources } = setup.reload();
    const overriddenBy = sources[key] === "environment" ? environmentName(key) : null;
    return { file, key, value: shownSetting(config, key), overriddenBy };
  },
});
