import type { Command } from "commander";
import type { doctor } from "../../operations/doctor.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { adviceForTerminals } from "../../text/hints/advice-for-terminals.ts";
import type { CommandLine } from "../command-line.ts";
import { padWidth } from "../display-width.ts";
import { FOUND_PROBLEMS } from "../exit-codes.ts";
import type { Look, Style } from "../look.ts";
import type { OutputOf } from "../output-of.ts";

type Findings = OutputOf<typeof doctor>["findings"];

export function addDoctor(program: Command, cli: CommandLine): void {
  program
    .command("doctor")
    .description("look for what is wrong with this installation")
    .action(async () => {
      const { doctor } = await import("../../operations/doctor.ts");
      const output = await cli.runOnSetup(doctor, {});
      if (!output.ok) cli.exitCode = FOUND_PROBLEMS;
      await cli.answer(output, (look) => render(output.findings, look));
    });
}

const MARKS: Readonly<Record<Findings[number]["status"], { mark: string; style: Style }>> = {
  ok: { mark: "✓", style: "green" },
  warn: { mark: "!", style: "yellow" },
  fail: { mark: "✗", style: "red" },
};

function render(findings: Findings, look: Look): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, status, message, advice }) => {
    const { mark, style } = MARKS[status];
    const line = `${look.style(style, mark)} ${padWidth(check, width)}  ${escapeControls(message)}`;
    const below = " ".repeat(width + 4);
    return advice === null ? [line] : [line, `${below}${look.style("dim", adviceForTerminals(advice))}`];
  });
  return [...lines, "", summary(findings)].join("\n");
}

function summary(findings: Findings): string {
  const failed = findings.filter(({ status }) => status === "fail").length;
  const warned = findings.filter(({ status }) => status === "warn").length;
  if (failed > 0) return `${failed} broken, ${warned} worth a look.`;
  return warned > 0 ? `Nothing is broken, ${warned} worth a look.` : "Everything is in order.";
}
