import { z } from "zod";
import type { Config } from "../config/schema.ts";
import { checkConfiguration } from "./doctor/check-configuration.ts";
import { checkFolder } from "./doctor/check-folder.ts";
import { checkStore } from "./doctor/check-store.ts";
import { checkVersions } from "./doctor/check-versions.ts";
import { type Finding, findingSchema, warn } from "./doctor/finding.ts";
import { defineOperation } from "./operation.ts";
import type { Setup } from "./setup.ts";

const outputSchema = z.strictObject({
  ok: z.boolean().describe("Whether nothing is broken."),
  findings: z.array(findingSchema).describe("Everything that was looked at."),
});

/** Looks and reports, whatever is broken. Makes no store where there is none. */
export const doctor = defineOperation({
  name: "doctor",
  summary: "Look for what is wrong with this installation, and say what to do about it.",
  input: z.strictObject({}),
  output: outputSchema,
  run: async (setup: Setup) => {
    const { finding, config } = checkConfiguration(setup);
    const findings = [...checkVersions(), finding, ...(await checkPlace(config))];
    return { ok: findings.every(({ status }) => status !== "fail"), findings };
  },
});

async function checkPlace(config: Config | null): Promise<Finding[]> {
  if (config === null) return [warn("store", "not looked at: only the configuration says where it is", null)];
  if (config.databaseUrl !== null) return checkStore(config);
  return [...(await checkFolder(config.dataDir)), ...(await checkStore(config))];
}
