import type { Command } from "commander";
import type { CommandLine } from "../command-line.ts";
import { addRangeOptions, type RangeOptions, rangeOf } from "../file-range-options.ts";
import { numberUpTo, positiveNumber } from "../option-values.ts";
import { renderDescription } from "../render/render-description.ts";

interface Options extends RangeOptions {
  readonly tokenCap?: number;
  readonly expandFile?: true;
  readonly maxBytes?: number;
}

const EXAMPLES = `
Examples:
  lcm describe sum_0123456789abcdef --token-cap 4000
  lcm describe msg_0123456789abcdef_42                     with the files that came in it
  lcm describe file_0123456789abcdef                       what is in a file
  lcm describe file_0123456789abcdef --lines 100-140       and these lines of it
  lcm describe '[LCM Tool Output: file_0123456789abcdef |' --expand-file`;

export function addDescribe(program: Command, cli: CommandLine): void {
  const command = program
    .command("describe <id>")
    .description("what a message, a summary or a file is, where it came from, and what was made from it")
    .option("--token-cap <tokens>", "tell what could be expanded whole within these", positiveNumber)
    .option("--expand-file", "show the content of a file too");
  addRangeOptions(command)
    .option(
      "--max-bytes <bytes>",
      "how much of a file at once, at most 512,000 (32,768)",
      numberUpTo(512_000),
    )
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, { tokenCap, expandFile, maxBytes, ...range }: Options) => {
      const { describe } = await import("../../operations/retrieve/describe.ts");
      const output = await cli.run(describe, { id, tokenCap, expandFile, maxBytes, ...rangeOf(range) });
      await cli.answer(output, (look) => renderDescription(output, look, (words) => cli.suggest(words)));
    });
}
