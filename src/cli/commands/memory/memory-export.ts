import { type Command, Option } from "commander";
import { PalimpsestError } from "../../../errors.ts";
import { escapeControls } from "../../../text/escape-controls.ts";
import { bytes, counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import { quoted } from "../../global-options.ts";
import { names } from "../../option-values.ts";

interface Options {
  readonly output?: string;
  readonly format?: "jsonl" | "markdown";
  readonly scope?: readonly string[];
  readonly category?: readonly string[];
  readonly state?: readonly string[];
}

const EXAMPLES = `
Examples:
  lcm memory export                                 all of them, as JSON lines
  lcm memory export --output memories.md            to read and change by hand; import takes it back
  lcm memory export --output - --state active | jq .abstract`;

export function addMemoryExport(memory: Command, cli: CommandLine): void {
  memory
    .command("export")
    .description("write memories with all that is known about them, for another store or for people")
    .option("--output <file>", "file to write, - for standard output (memories-<time>.jsonl)")
    .addOption(
      new Option("--format <format>", "by the file's name, else jsonl").choices(["jsonl", "markdown"]),
    )
    .option("--scope <scopes>", "only these (repeat or by comma)", names)
    .option("--category <categories>", "only these (repeat or by comma)", names)
    .option(
      "--state <states>",
      "only active, superseded, archived or erased ones (repeat or by comma)",
      names,
    )
    .addHelpText("after", EXAMPLES)
    .action(async (options: Options) => {
      const { exportMemories } = await import("../../../operations/memory/memory-export.ts");
      const { output: file, format, scope: scopes, category: categories, state: states } = options;
      const selection = { format, scopes, categories, states };
      if (file === "-") return writeToOutput(selection, cli);
      const output = await cli.run(exportMemories, { file, ...selection }, cli.steps("exporting"));
      await cli.answer(output, () =>
        [
          `Export: ${escapeControls(output.file)}`,
          `${counted(output.memories, "memory", "memories")}, ${bytes(output.bytes)}.`,
          `Bring it into another store with: lcm memory import ${quoted(escapeControls(output.file))}`,
        ].join("\n"),
      );
    });
}

async function writeToOutput(selection: object, cli: CommandLine): Promise<void> {
  if (cli.json)
    throw new PalimpsestError("invalid-input", "--json and --output - both want standard output", {
      advice: "Name a file with --output, or leave --json out.",
    });
  const { exportMemories, exportPieces } = await import("../../../operations/memory/memory-export.ts");
  const { parseInput } = await import("../../../operations/run-operation.ts");
  const { file: _, ...input } = parseInput(exportMemories, selection);
  const use = { signal: cli.signal };
  for await (const piece of exportPieces(await cli.engine(), input, { memories: 0 }, use)) {
    const shown = cli.terminal.isOutputShown ? escapeControls(piece) : piece;
    if (!(await cli.terminal.write(shown))) return;
  }
}
