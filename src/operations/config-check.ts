import { z } from "zod";
import { CONFIG_KEYS } from "../config/schema.ts";
import { escapeControls } from "../text/escape-controls.ts";
import { defineOperation } from "./operation.ts";
import type { Setup } from "./setup.ts";

const outputSchema = z.strictObject({
  file: z.string().nullable().describe("The configuration file that was read, if there is one."),
  changed: z.array(z.string()).describe("Settings that differ from their default."),
});

export const checkConfig = defineOperation({
  name: "config-check",
  summary: "Validate the environment and the configuration file, and name what is invalid.",
  input: z.strictObject({}),
  output: outputSchema,
  command: {
    text: ({ file, changed }) => {
      const from = file === null ? "no configuration file" : escapeControls(file);
      const names = changed.length === 0 ? "none" : changed.join(", ");
      return `The configuration is valid (${from}).\nSettings that differ from their default: ${names}`;
    },
  },
  runsOn: "setup",
  run: async (setup: Setup) => {
    const { sources, file } = setup.load();
    return { file, changed: CONFIG_KEYS.filter((key) => sources[key] !== "default") };
  },
});
