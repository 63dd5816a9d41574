import type { Command } from "commander";
import type { verify } from "../../operations/store/verify.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { FOUND_PROBLEMS } from "../exit-codes.ts";
import { list } from "../list.ts";
import type { Look } from "../look.ts";
import type { OutputOf } from "../output-of.ts";

type Output = OutputOf<typeof verify>;

export function addVerify(program: Command, cli: CommandLine): void {
  program
    .command("verify [conversation]")
    .description("check every hash, order and link in the store")
    .option("--plan", "say which repairs would be made")
    .option("--repair", "make the repairs that lose nothing, after a backup")
    .option("--yes", "do not ask")
    .action(async (conversation: string | undefined, options: { plan?: true; repair?: true; yes?: true }) => {
      const { verify } = await import("../../operations/store/verify.ts");
      const { plan, repair } = options;
      if (repair === true) await cli.confirm(async () => "Repair the store, after a backup?", options);
      const output = await cli.run(verify, { conversation, plan, repair }, cli.steps("checking"));
      if (!output.ok) cli.exitCode = FOUND_PROBLEMS;
      await cli.answer(output, (look) => render(output, look, cli));
    });
}

function render(output: Output, look: Look, cli: CommandLine): string {
  const { ok, problems, backup, repaired } = output;
  const checked = `${whatWasChecked(output)} checked`;
  const verdict = ok
    ? `${look.style("green", "✓")} ${checked}: every hash, order and link is right.`
    : `${look.style("red", "✗")} ${checked}: ${counted(problems.length, "problem")} found.`;
  return [
    ...(repaired === null ? [] : [`${counted(repaired, "repair")} made.`]),
    ...(backup === null ? [] : [`Backup from before: ${escapeControls(backup)}`]),
    verdict,
    ...problems.map((problem) => `  ${describe(problem)}`),
    ...planLines(output),
    ...advice(output, cli),
  ].join("\n");
}

function whatWasChecked({ conversations, messages, summaries, memories }: Output): string {
  const said = `${counted(conversations, "conversation")}, ${counted(messages, "message")}`;
  const made = counted(summaries, "summary", "summaries");
  return memories === 0
    ? `${said} and ${made}`
    : `${said}, ${made} and ${counted(memories, "memory", "memories")}`;
}

function describe(problem: Output["problems"][number]): string {
  const { check, conversation, memory, seq, message, repairable } = problem;
  const place = [memory ?? conversation ?? "store", ...(seq === null ? [] : [`#${seq}`])].join(" ");
  return `${place} (${check}): ${escapeControls(message)}${repairable ? "" : " [only a backup helps]"}`;
}

function planLines({ plan, repaired }: Output): string[] {
  if (plan === null || repaired !== null) return [];
  if (plan.length === 0) return ["No repair is planned."];
  return list(
    "Planned repairs:",
    plan.map(
      ({ conversation, memory, description }) => `${memory ?? conversation ?? "store"}: ${description}`,
    ),
  );
}

function advice({ ok, problems, repaired }: Output, cli: CommandLine): string[] {
  if (ok) return [];
  const isRepairable = repaired === null && problems.some(({ repairable }) => repairable);
  const isBeyondRepair = !isRepairable || problems.some(({ repairable }) => !repairable);
  return [
    ...(isRepairable ? [`Repair what can be repaired with: ${cli.suggest("verify --repair")}`] : []),
    ...(isBeyondRepair ? [`Bring back a backup with: ${cli.suggest("restore <file>")}`] : []),
  ];
}
