import { type Command, Option } from "commander";
import type { DecisionAnswer, listDecisions } from "../../../operations/memory/memory-decisions.ts";
import { escapeControls } from "../../../text/escape-controls.ts";
import { counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import { quoted } from "../../global-options.ts";
import type { Look } from "../../look.ts";
import { repeated } from "../../look-in-options.ts";
import { names, numberUpTo, pointInTime } from "../../option-values.ts";
import type { OutputOf } from "../../output-of.ts";
import { indented } from "../../render/render-hit.ts";

const STAGES = ["extract", "admit", "dedup"] as const;

interface Options {
  readonly stage?: string;
  readonly verdict?: readonly string[];
  readonly conversation?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

const EXAMPLES = `
Examples:
  lcm memory decisions --verdict rejected      what was not kept, and why
  lcm memory decisions --conversation conv_0123456789abcdef --since 2026-11-01`;

export function addMemoryDecisions(memory: Command, cli: CommandLine): void {
  memory
    .command("decisions")
    .description("what capturing decided on each candidate, and why, newest first")
    .addOption(new Option("--stage <stage>", "only what was decided there").choices(STAGES))
    .option("--verdict <verdicts>", "only these, such as rejected (repeat or by comma)", names)
    .option("--conversation <id>", "only about this conversation")
    .option(
      "--since <time>",
      "from this time on: 2026-11-16, local, or how long ago: 12h, 3d, 2w",
      pointInTime,
    )
    .option("--limit <number>", "how many at a time, at most 1,000 (50)", numberUpTo(1_000))
    .option("--cursor <cursor>", "go on from there")
    .addHelpText("after", EXAMPLES)
    .action(async (options: Options) => {
      const { listDecisions } = await import("../../../operations/memory/memory-decisions.ts");
      const { stage, verdict: verdicts, conversation, since, limit, cursor } = options;
      const stages = stage === undefined ? undefined : [stage];
      const output = await cli.run(listDecisions, { stages, verdicts, conversation, since, limit, cursor });
      await cli.answer(output, (look) => render(output, options, look, cli));
    });
}

function render(
  { decisions, next }: OutputOf<typeof listDecisions>,
  options: Options,
  look: Look,
  cli: CommandLine,
): string {
  if (decisions.length === 0)
    return `Nothing was decided there and then. Captured is after turns, or with: ${cli.suggest("memory capture <conversation>")}`;
  const { stage, verdict, conversation, since, limit } = options;
  const given = repeated([
    ["--stage", stage],
    ["--verdict", verdict?.join(",")],
    ["--conversation", conversation],
    ["--since", since],
    ["--limit", limit?.toString()],
  ]);
  const more =
    next === null
      ? ""
      : `\nThere is more: ${cli.suggest(`memory decisions${given} --cursor ${quoted(next)}`)}`;
  return [
    ...decisions.map((one) => renderDecision(one, look)),
    `${counted(decisions.length, "decision")}.${more}`,
  ].join("\n\n");
}

function renderDecision(decision: DecisionAnswer, look: Look): string {
  const { verdict, stage, at, memory, firstMessage, reason, detail } = decision;
  const about = [stage, look.time(at), ...[memory, firstMessage].filter((id) => id !== null)];
  const head = `${look.style("bold", verdict)}${look.style("dim", about.map((text) => ` · ${text}`).join(""))}`;
  const numbers = Object.entries(detail).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [
    head,
    indented(escapeControls(reason)),
    ...numbers.map((line) => indented(look.style("dim", line))),
  ].join("\n");
}
