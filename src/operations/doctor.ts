import { z } from "zod";
import type { Config } from "../config/schema.ts";
import { counted } from "../text/counted.ts";
import { escapeControls } from "../text/escape-controls.ts";
import { adviceForTerminals } from "../text/hints/advice-for-terminals.ts";
import type { Look, Style } from "../text/terminal/look.ts";
import { padWidth } from "../text/terminal/table.ts";
import { checkConfiguration } from "./doctor/check-configuration.ts";
import { checkHosts } from "./doctor/check-hosts.ts";
import { checkVersions } from "./doctor/check-versions.ts";
import { type Finding, findingSchema, warn } from "./doctor/finding.ts";
import { defineOperation } from "./operation.ts";
import type { Setup } from "./setup.ts";

const outputSchema = z.strictObject({
  ok: z.boolean().describe("Whether no check failed."),
  findings: z.array(findingSchema).describe("Everything that was checked."),
});

/** Checks and reports, even if parts are broken. Does not create a store. */
export const doctor = defineOperation({
  name: "doctor",
  summary: "Check this installation for problems, and say how to fix them.",
  input: z.strictObject({}),
  output: outputSchema,
  command: {
    outcome: ({ ok }) => (ok ? undefined : "found-problems"),
    text: ({ findings }, { look }) => render(findings, look),
  },
  runsOn: "setup",
  run: async (setup: Setup) => {
    const { finding, config } = checkConfiguration(setup);
    const hosts = await checkHosts();
    const findings = [...checkVersions(), finding, ...(await checkPlace(config)), ...hosts];
    return { ok: findings.every(({ status }) => status !== "fail"), findings };
  },
});

async function checkPlace(config: Config | null): Promise<Finding[]> {
  if (config === null) return [warn("store", "not checked: the configuration says where the store is", null)];
  // It opens an engine, which the definition does not need.
  const { checkStore } = await import("./doctor/check-store.ts");
  if (config.databaseUrl !== null) return checkStore(config);
  const { checkFolder } = await import("./doctor/check-folder.ts");
  return [...(await checkFolder(config.dataDir)), ...(await checkStore(config))];
}

const MARKS: Readonly<Record<Finding["status"], { mark: string; style: Style }>> = {
  ok: { mark: "✓", style: "green" },
  note: { mark: "·", style: "dim" },
  warn: { mark: "!", style: "yellow" },
  fail: { mark: "✗", style: "red" },
};

function render(findings: readonly Finding[], look: Look): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, status, message, advice }) => {
    const { mark, style } = MARKS[status];
    const line = `${look.style(style, mark)} ${padWidth(check, width)}  ${escapeControls(message)}`;
    const below = " ".repeat(width + 4);
    const shown = look.wrap(line, below.length);
    if (advice === null) return [shown];
    const steps = adviceForTerminals(advice).split("\n");
    return [shown, ...steps.map((step) => look.wrap(below + look.style("dim", step)))];
  });
  return [...lines, "", summaryOf(findings)].join("\n");
}

function summaryOf(findings: readonly Finding[]): string {
  const failed = findings.filter(({ status }) => status === "fail").length;
  const warned = findings.filter(({ status }) => status === "warn").length;
  if (failed > 0) return `${counted(failed, "error")}, ${counted(warned, "warning")}.`;
  return warned > 0 ? `No errors, ${counted(warned, "warning")}.` : "No problems found.";
}
