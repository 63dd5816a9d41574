import type { Command } from "commander";
import type { captureMemories } from "../../operations/memory-capture.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { quoted } from "../global-options.ts";
import type { Look } from "../look.ts";
import type { OutputOf } from "../output-of.ts";
import { renderMemory } from "../render-memory.ts";
import { table } from "../table.ts";

type Output = OutputOf<typeof captureMemories>;

const EXAMPLES = `
Examples:
  lcm memory capture my-session
  lcm memory capture my-session --flush      also when only little was said since`;

export function addMemoryCapture(memory: Command, cli: CommandLine): void {
  memory
    .command("capture <conversation>")
    .description("take what is worth keeping out of a conversation now, from where the last time ended")
    .option("--flush", "also when there is little to read yet")
    .addHelpText("after", EXAMPLES)
    .action(async (conversation: string, { flush }: { flush?: true }) => {
      const { captureMemories } = await import("../../operations/memory-capture.ts");
      cli.progress.show("reading what was said …");
      const output = await cli.run(captureMemories, { conversation, flush });
      await cli.answer(output, (look) => render(output, look, cli));
    });
}

function render(output: Output, look: Look, cli: CommandLine): string {
  const { stored, decisions } = output;
  return [
    statusLine(output, cli),
    ...stored.map((memory) => renderMemory(memory, look)),
    ...(decisions.length === 0 ? [] : [decisionTable(decisions, look)]),
  ].join("\n\n");
}

function statusLine({ status, from, to, how, conversation, stored }: Output, cli: CommandLine): string {
  if (status === "nothing") return `Nothing was said in ${conversation} since message ${from}.`;
  if (status === "throttled")
    return "Too many readings within the hour; what is left waits (captureMaxPerHour).";
  if (status === "waiting")
    return `Too little was said since message ${from} to be read. Read it all the same with: ${cli.suggest(`memory capture ${quoted(conversation)} --flush`)}`;
  const by = how === "model" ? "a model" : "rules";
  return `Messages ${from + 1} to ${to} of ${conversation} were read by ${by}: ${counted(stored.length, "memory", "memories")} stored.`;
}

function decisionTable(decisions: Output["decisions"], look: Look): string {
  const rows = decisions.map(({ verdict, reason, abstract, memory }) => [
    verdict,
    memory ?? "",
    reason,
    oneLine(abstract),
  ]);
  const columns = [
    { title: "verdict" },
    { title: "memory" },
    { title: "why" },
    { title: "about", flexible: true as const },
  ];
  return `decided:\n${table(columns, rows, look)}`;
}
