import type { Command } from "commander";
import type { diff } from "../../operations/diff.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { count, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import type { Look } from "../look.ts";
import { turnName } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";
import { itemTable } from "../render/render-shown.ts";

type Output = OutputOf<typeof diff>;

export function addDiff(program: Command, cli: CommandLine): void {
  program
    .command("diff <conversation> <from> <to>")
    .description("what changed between what the model saw before two turns (key, or a message's number)")
    .action(async (conversation: string, from: string, to: string) => {
      const { diff } = await import("../../operations/diff.ts");
      const output = await cli.run(diff, { conversation, from: turnName(from), to: turnName(to) });
      await cli.answer(output, (look) => render(output, look));
    });
}

function render(output: Output, look: Look): string {
  const { added, removed, kept, samePrefix } = output;
  const share = samePrefix === output.from.items ? "all of the first" : counted(samePrefix, "item");
  return [
    look.style("bold", output.conversation),
    describe("from", output.from, look),
    describe("to  ", output.to, look),
    `${counted(added.length, "item")} added, ${count(removed.length)} removed, ${count(kept)} kept · same beginning: ${share}`,
    ...changed(look.style("red", "− removed"), removed, look),
    ...changed(look.style("green", "+ added"), added, look),
  ].join("\n");
}

function describe(name: string, { turn, tokens, items }: Output["from"], look: Look): string {
  const exact = turn.differs === null ? "" : look.style("yellow", ` · not exact: ${turn.differs}`);
  const about = `${oneLine(turn.key)} · message ${turn.firstSeq} · ${look.time(turn.at)}`;
  return `${look.style("dim", name)} ${about} · ${counted(items, "item")}, ${counted(tokens, "token")}${exact}`;
}

function changed(heading: string, items: Output["added"], look: Look): string[] {
  return items.length === 0 ? [] : ["", heading, itemTable(items, look)];
}
