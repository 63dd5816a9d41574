import type { Command } from "commander";
import { PalimpsestError } from "../../../errors.ts";
import { escapeControls } from "../../../text/escape-controls.ts";
import { bytes, counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import { addRangeOptions, type RangeOptions, rangeOf } from "../../file-range-options.ts";

interface Options extends RangeOptions {
  readonly output?: string;
}

const EXAMPLES = `
Examples:
  lcm files cat file_0123456789abcdef | less
  lcm files cat file_0123456789abcdef --lines 100-140
  lcm files cat file_0123456789abcdef --output copy.pdf

With --json at most 500 kB come in one document; \`next\` says which range is left.`;

export function addFilesCat(files: Command, cli: CommandLine): void {
  const command = files
    .command("cat <id>")
    .description("the content of a file, byte for byte, or a range of it");
  addRangeOptions(command)
    .option("--output <file>", "write it to this file, which must not exist yet")
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, { output, ...options }: Options) => {
      const input = { id, ...rangeOf(options) };
      if (output === undefined && !cli.json) return writeToOutput(cli, input);
      const { catFile } = await import("../../../operations/files/files-cat.ts");
      const onProgress = ({ bytes: done }: { readonly bytes: number }) =>
        cli.progress.show(`writing … ${bytes(done)}`);
      const answer = await cli.run(catFile, { ...input, output }, onProgress);
      await cli.answer(answer, () =>
        answer.written === null
          ? ""
          : `Wrote ${escapeControls(answer.written.file)} (${counted(answer.written.bytes, "byte")}).`,
      );
    });
}

/** A terminal gets signs in the place of what it would obey; anything else gets the bytes. */
async function writeToOutput(cli: CommandLine, input: object): Promise<void> {
  const { catFile, fileBytes } = await import("../../../operations/files/files-cat.ts");
  const { parseInput } = await import("../../../operations/run-operation.ts");
  const decoder = new TextDecoder();
  for await (const piece of fileBytes(await cli.engine(), parseInput(catFile, input))) {
    const isShown = cli.terminal.isOutputShown;
    const shown = isShown ? escapeControls(decoder.decode(piece, { stream: true })) : piece;
    if (!(await cli.terminal.write(shown))) return;
    if (cli.signal.aborted) throw new PalimpsestError("cancelled", "writing the file was cancelled");
  }
}
