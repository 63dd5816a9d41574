import { z } from "zod";
import { CONFIG_KEYS } from "../config/schema.ts";
import { defineOperation } from "./operation.ts";
import type { Setup } from "./setup.ts";

const outputSchema = z.strictObject({
  file: z.string().nullable().describe("The configuration file that was read, if there is one."),
  changed: z.array(z.string()).describe("Settings that are not at their default."),
});

export const checkConfig = defineOperation({
  name: "config-check",
  summary: "Say whether environment and configuration file are valid; what is not is refused by name.",
  input: z.strictObject({}),
  output: outputSchema,
  run: async (setup: Setup) => {
    const { sources, file } = setup.load();
    return { file, changed: CONFIG_KEYS.filter((key) => sources[key] !== "default") };
  },
});
