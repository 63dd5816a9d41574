import type { Command } from "commander";
import { PalimpsestError } from "../../errors.ts";
import type { exportStore } from "../../operations/store/export.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { bytes, count, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { FOUND_PROBLEMS } from "../exit-codes.ts";
import { list } from "../list.ts";
import type { OutputOf } from "../output-of.ts";

type Damage = OutputOf<typeof exportStore>["leftOut"][number];

export function addExport(program: Command, cli: CommandLine): void {
  program
    .command("export")
    .description("write the whole store as JSON lines, for another store of any kind")
    .option("--output <file>", "file to write, - for standard output (palimpsest-export-<time>.jsonl)")
    .action(async ({ output: file }: { output?: string }) => {
      if (file === "-") return writeToOutput(cli);
      const { exportStore } = await import("../../operations/store/export.ts");
      const output = await cli.run(exportStore, { file }, cli.steps("exporting"));
      if (output.leftOut.length > 0) cli.exitCode = FOUND_PROBLEMS;
      await cli.answer(output, () =>
        [
          `Export: ${escapeControls(output.file)}`,
          `${counted(output.conversations, "conversation")}, ${counted(output.messages, "message")}, ${bytes(output.bytes)}.`,
          `Bring it into another store with: lcm import ${escapeControls(output.file)}`,
          "and say which: --data <folder>, or --database-url <address>.",
          ...list("The store is damaged, and this is not in the export:", output.leftOut.map(describe)),
        ].join("\n"),
      );
    });
}

function describe({ conversation, messages, fromSeq, problem }: Damage): string {
  const place = conversation ?? "the memories or the audit log";
  const from = fromSeq === null ? "" : `, from message ${count(fromSeq)} of ${count(messages)} on`;
  const before =
    conversation === null || fromSeq === null || fromSeq === 1
      ? ""
      : `. What is before can be read with: lcm read ${conversation} --to ${fromSeq - 1}`;
  return `${place}${from}: ${escapeControls(problem)}${before}`;
}

async function writeToOutput(cli: CommandLine): Promise<void> {
  if (cli.json)
    throw new PalimpsestError("invalid-input", "--json and --output - both want standard output", {
      advice: "Name a file with --output, or leave --json out.",
    });
  const { exportLines } = await import("../../operations/store/export.ts");
  for await (const line of exportLines(await cli.engine())) {
    if (cli.signal.aborted) throw new PalimpsestError("cancelled", "the export was cancelled before its end");
    const shown = cli.terminal.isOutputShown ? escapeControls(line) : line;
    if (!(await cli.terminal.write(shown))) return;
  }
}
