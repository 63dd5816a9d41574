import { type Command, Option } from "commander";
import { counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";

export function addReset(program: Command, cli: CommandLine): void {
  program
    .command("reset <conversation>")
    .description("start afresh; everything stays on record")
    .addOption(
      new Option("--mode <mode>", "new: keep the conversation and empty its context; reset: archive it")
        .choices(["new", "reset"])
        .makeOptionMandatory(),
    )
    .action(async (conversation: string, { mode }: { mode: string }) => {
      const { reset } = await import("../../operations/reset.ts");
      const output = await cli.run(reset, { conversation, mode });
      await cli.answer(output, () =>
        mode === "new"
          ? `${counted(output.leftContext, "message")} left the context of ${output.conversation} and ${output.leftContext === 1 ? "stays" : "stay"} on record.`
          : `${output.conversation} is archived; the next turn of its session opens another.`,
      );
    });
}
