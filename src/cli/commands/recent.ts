import type { Command } from "commander";
import type { recent } from "../../operations/retrieve/recent.ts";
import { nearToolsHint } from "../../text/hints/near-tools-hint.ts";
import { count, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { addLookInOptions, type LookInOptions, lookInOf, repeatLookIn } from "../look-in-options.ts";
import type { OutputOf } from "../output-of.ts";
import { renderFound } from "../render/render-hit.ts";
import { writeAll } from "../write-all.ts";

type Output = OutputOf<typeof recent>;
type Entry = Output["entries"][number];

export function addRecent(program: Command, cli: CommandLine): void {
  const command = program
    .command("recent")
    .description("what was said lately, or in a time range, newest first");
  addLookInOptions(command).action(async (options: LookInOptions) => {
    const { recent } = await import("../../operations/retrieve/recent.ts");
    const input = lookInOf(options);
    if (cli.json) return cli.answer(await cli.run(recent, input), () => "");
    await writeAll<Entry, Output>(cli, {
      run: (_, signal) => cli.run(recent, input, undefined, signal),
      itemsOf: ({ entries }) => entries,
      render: (entry, look) => renderFound(entry, { text: entry.opening, marks: [] }, look),
      closing: (output) => closing(output, options, cli),
    });
  });
}

function closing(
  { entries, next, total, nearTools }: Output,
  options: LookInOptions,
  cli: CommandLine,
): string {
  if (entries.length === 0 && options.cursor !== undefined) return "Nothing more was said there and then.";
  if (entries.length === 0)
    return `Nothing was said there and then.${nearToolsHint(options.tool, nearTools)}`;
  const shown = `${count(entries.length)} of ${counted(total, "entry", "entries")}.`;
  if (next === null) return shown;
  return `${shown}\nThere is more: ${cli.suggest(`recent${repeatLookIn(options)} --cursor ${next}`)}`;
}
