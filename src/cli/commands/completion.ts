import { Argument, type Command } from "commander";
import type { CommandLine } from "../command-line.ts";
import type { ProgramShape } from "../completion/program-shape.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletion(program: Command, cli: CommandLine): void {
  program
    .command("completion")
    .description(
      "Print a shell completion script. Load it with: source <(lcm completion bash). It completes the command lcm only, so in a checkout (npx lcm) nothing is completed.",
    )
    .addArgument(new Argument("<shell>").choices(SHELLS))
    .action(async (shell: Shell) => {
      const { programShape } = await import("../completion/program-shape.ts");
      const script = await scriptFor(shell, programShape(await wholeProgram(cli)));
      await (cli.json ? cli.writeJson({ shell, script }) : cli.writeText(script.trimEnd()));
    });
}

/** Called by the scripts: ids of the store that begin like the word under the cursor, one per line. */
export function addCompleteId(program: Command, cli: CommandLine): void {
  program
    .command("complete-id [beginning]")
    .description("Print the ids that begin with this text, for shell completion.")
    .action(async (beginning: string = "") => {
      const { idsBeginning } = await import("../../operations/short-ids.ts");
      await cli.writeText((await idsBeginning(await cli.engine(), beginning)).join("\n"));
    });
}

/** With every command: a call loads only those that it names. */
async function wholeProgram(cli: CommandLine): Promise<Command> {
  const [{ Command }, { addGlobalOptions }, { addCommands }] = await Promise.all([
    import("commander"),
    import("../global-options.ts"),
    import("./index.ts"),
  ]);
  const program = new Command("lcm").option("-V, --version", "Print the version.");
  addGlobalOptions(program);
  await addCommands(program, cli);
  return program;
}

async function scriptFor(shell: Shell, shape: ProgramShape): Promise<string> {
  switch (shell) {
    case "bash":
      return (await import("../completion/bash.ts")).bashScript(shape);
    case "zsh":
      return (await import("../completion/zsh.ts")).zshScript(shape);
    case "fish":
      return (await import("../completion/fish.ts")).fishScript(shape);
  }
}
