import type { Command } from "commander";
import type { addFile } from "../../../operations/files/files-add.ts";
import { escapeControls } from "../../../text/escape-controls.ts";
import { bytes, counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import type { OutputOf } from "../../output-of.ts";
import { bar } from "../../progress.ts";
import { withSpooledInput } from "../../spool-input.ts";

interface Options {
  readonly conversation: string;
  readonly name?: string;
  readonly mime?: string;
}

const EXAMPLES = `
Examples:
  lcm files add trace.log --conversation my-session
  journalctl -b | lcm files add - --conversation my-session --name boot.log --mime text/plain`;

export function addFilesAdd(files: Command, cli: CommandLine): void {
  files
    .command("add <path>")
    .description("bring a file of any size into a conversation; - reads standard input")
    .requiredOption("--conversation <name>", "where it comes in: an id, or a session id, which may be new")
    .option("--name <name>", "its name (that of the path)")
    .option("--mime <type>", "its type, such as text/csv")
    .addHelpText("after", EXAMPLES)
    .action(async (path: string, options: Options) => {
      const { conversation, name, mime } = options;
      const output =
        path === "-"
          ? await withSpooledInput(cli, (file) => add(cli, file, { conversation, name: name ?? null, mime }))
          : await add(cli, path, { conversation, name, mime });
      await cli.answer(output, () => render(output, cli));
    });
}

async function add(
  cli: CommandLine,
  path: string,
  input: { conversation: string; name: string | null | undefined; mime: string | undefined },
): Promise<OutputOf<typeof addFile>> {
  const { addFile } = await import("../../../operations/files/files-add.ts");
  return cli.run(addFile, { path, ...input }, ({ bytes: done, total }) =>
    cli.progress.show(`${bar(done, total)} ${bytes(done)} of ${bytes(total)}`),
  );
}

function render(output: OutputOf<typeof addFile>, cli: CommandLine): string {
  const { status, id, conversation, message, bytes: size, reference } = output;
  const done =
    status === "committed"
      ? `Added ${id} (${counted(size, "byte")}) to ${conversation} as ${message}.`
      : `It is there already: ${id} (${counted(size, "byte")}), in ${message}.`;
  return [done, "", escapeControls(reference), "", `Read it with: ${cli.suggest(`files cat ${id}`)}`].join(
    "\n",
  );
}
