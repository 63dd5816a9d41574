import type { Command } from "commander";
import type { CommandLine } from "../command-line.ts";
import { positiveNumber } from "../option-values.ts";
import { renderDescription } from "../render-description.ts";

export function addDescribe(program: Command, cli: CommandLine): void {
  program
    .command("describe <id>")
    .description("what a message or a summary is, what it was made from, and what was made from it")
    .option("--token-cap <tokens>", "tell what could be expanded whole within these", positiveNumber)
    .action(async (id: string, { tokenCap }: { tokenCap?: number }) => {
      const { describe } = await import("../../operations/describe.ts");
      const output = await cli.run(describe, { id, tokenCap });
      await cli.answer(output, (look) => renderDescription(output, look, (words) => cli.suggest(words)));
    });
}
