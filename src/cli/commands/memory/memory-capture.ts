import type { Command } from "commander";
import type { captureMemories } from "../../../operations/memory/memory-capture.ts";
import { oneLine } from "../../../text/escape-controls.ts";
import { counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import type { Look } from "../../look.ts";
import type { OutputOf } from "../../output-of.ts";
import { renderMemory } from "../../render/render-memory.ts";
import { table } from "../../table.ts";

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
      const { captureMemories } = await import("../../../operations/memory/memory-capture.ts");
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
  if (status === "nothing") return `Everything that was said in ${conversation} has been read.`;
  if (status === "throttled")
    return `Messages ${from} to ${to} wait: too many were read within the hour (captureMaxPerHour).`;
  if (status === "waiting")
    return `Messages ${from} to ${to} wait for more to be said. Read them now with: ${cli.suggest(`memory capture ${conversation} --flush`)}`;
  const by = how === "model" ? "a model" : "rules";
  const came = stored.length === 0 ? "nothing worth keeping" : counted(stored.length, "memory", "memories");
  return `Messages ${from} to ${to} of ${conversation} were read by ${by}: ${came}.`;
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
