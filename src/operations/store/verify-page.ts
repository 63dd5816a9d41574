/** The report of a verification, for people. */
import { counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { list } from "../../text/terminal/table.ts";
import type { View } from "../command.ts";
import type { VerifyOutput } from "./verify.ts";

export function renderFindings(
  output: VerifyOutput,
  { look, suggest }: Pick<View<object, unknown>, "look" | "suggest">,
): string {
  const { ok, problems, backup, repaired, damagedFile, recovered, lost } = output;
  const checked = `${whatWasChecked(output)} checked`;
  const verdict =
    output.certificates !== null
      ? verdictOnErasures(output, look)
      : ok
        ? `${look.style("green", "✓")} ${checked}: all hashes, orders and links are correct.`
        : problems.length === 0
          ? `${look.style("red", "✗")} ${checked}: everything that could be read is correct; the rest is lost.`
          : `${look.style("red", "✗")} ${checked}: ${counted(problems.length, "problem")} found.`;
  return [
    ...(repaired === null ? [] : [`${counted(repaired, "repair")} made.`]),
    ...(backup === null ? [] : [`Backup before the repair: ${escapeControls(backup)}`]),
    ...(damagedFile === null ? [] : [`The damaged database is kept as: ${escapeControls(damagedFile)}`]),
    ...list("These parts were damaged, but no row of them is missing:", recovered.map(escapeControls)),
    ...list("This could not be read or repaired:", lost.map(escapeControls)),
    verdict,
    ...problems.map((problem) => `  ${describe(problem)}`),
    ...planLines(output),
    ...advice(output, suggest),
  ].join("\n");
}

function verdictOnErasures(
  { ok, certificates, problems }: VerifyOutput,
  look: View<object, unknown>["look"],
): string {
  const checked = `${counted(certificates ?? 0, "erasure certificate")} checked`;
  return ok
    ? `${look.style("green", "✓")} ${checked}: erased content is gone, and the files are clean.`
    : `${look.style("red", "✗")} ${checked}: ${counted(problems.length, "problem")} found.`;
}

function whatWasChecked({ conversations, messages, summaries, memories }: VerifyOutput): string {
  const said = `${counted(conversations, "conversation")}, ${counted(messages, "message")}`;
  const made = counted(summaries, "summary", "summaries");
  return memories === 0
    ? `${said} and ${made}`
    : `${said}, ${made} and ${counted(memories, "memory", "memories")}`;
}

function describe(problem: VerifyOutput["problems"][number]): string {
  const { check, conversation, memory, seq, message, repairable } = problem;
  const place = [memory ?? conversation ?? "store", ...(seq === null ? [] : [`#${seq}`])].join(" ");
  return `${place} (${check}): ${escapeControls(message)}${repairable || check === "erasure" ? "" : " [restore it from a backup]"}`;
}

function planLines({ plan, repaired }: VerifyOutput): string[] {
  if (plan === null || repaired !== null) return [];
  if (plan.length === 0) return ["No repair is planned."];
  return list(
    "Planned repairs:",
    plan.map(
      ({ conversation, memory, description }) => `${memory ?? conversation ?? "store"}: ${description}`,
    ),
  );
}

function advice(
  { ok, problems, repaired, certificates }: VerifyOutput,
  suggest: (words: string) => string,
): string[] {
  if (ok) return [];
  if (certificates !== null) return adviceOnErasures(problems, suggest);
  const isRepairable = repaired === null && problems.some(({ repairable }) => repairable);
  // A damaged file is repaired as far as it is readable.
  const isBeyondRepair =
    !isRepairable || problems.some(({ check, repairable }) => check === "engine" || !repairable);
  return [
    ...(isRepairable ? [`Repair with: ${suggest("verify --repair")}`] : []),
    ...(isBeyondRepair
      ? [`${isRepairable ? "For the rest, restore" : "Restore"} a backup with: ${suggest("restore <file>")}`]
      : []),
  ];
}

function adviceOnErasures(problems: VerifyOutput["problems"], suggest: (words: string) => string): string[] {
  const isUncleaned = problems.some(({ repairable }) => repairable);
  const readable = problems.find(({ seq, conversation }) => seq !== null && conversation !== null);
  return [
    ...(isUncleaned ? [`Clean the files with: ${suggest("verify --erasure --repair")}`] : []),
    ...(readable === undefined
      ? []
      : [`Erase what can be read with: ${suggest(`erase ${readable.conversation} --from ${readable.seq}`)}`]),
  ];
}
