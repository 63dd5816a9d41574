import { type Command, Option } from "commander";
import type { FileAnswer } from "../../../operations/files/file-schema.ts";
import type { listFiles } from "../../../operations/files/files-list.ts";
import { bytes, count } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import { quoted } from "../../global-options.ts";
import type { Look } from "../../look.ts";
import { repeated } from "../../look-in-options.ts";
import { positiveNumber, wholeNumber } from "../../option-values.ts";
import type { OutputOf } from "../../output-of.ts";
import { table } from "../../table.ts";

/** Written out, so that help does not have to load the store. */
const KINDS = ["file", "tool-output"] as const satisfies readonly FileAnswer["kind"][];

interface Options {
  readonly kind?: FileAnswer["kind"];
  readonly from?: number;
  readonly limit?: number;
}

const EXAMPLES = `
Examples:
  lcm files list
  lcm files list my-session --kind tool-output --limit 20`;

export function addFilesList(files: Command, cli: CommandLine): void {
  files
    .command("list [conversation]", { isDefault: true })
    .description("what is kept apart from its messages, what was stored last first")
    .addOption(new Option("--kind <kind>", "only attached files, or only results of tools").choices(KINDS))
    .option("--limit <number>", "how many to show (1,000)", positiveNumber)
    .option("--from <number>", "go on from there", wholeNumber)
    .addHelpText("after", EXAMPLES)
    .action(async (conversation: string | undefined, options: Options) => {
      const { listFiles } = await import("../../../operations/files/files-list.ts");
      const { kind, from, limit } = options;
      const output = await cli.run(listFiles, { conversation, kind, from, limit });
      await cli.answer(output, (look) => render(output, conversation, options, look, cli));
    });
}

function render(
  { files, next }: OutputOf<typeof listFiles>,
  conversation: string | undefined,
  { kind, limit }: Options,
  look: Look,
  cli: CommandLine,
): string {
  const listed = files.length === 0 ? nothing(conversation, kind, cli) : fileTable(files, look);
  if (next === null) return listed;
  const options = repeated([
    ["--kind", kind],
    ["--limit", limit?.toString()],
    ["--from", next.toString()],
  ]);
  const name = conversation === undefined ? "" : ` ${quoted(conversation)}`;
  return `${listed}\nThere are more: ${cli.suggest(`files list${name}${options}`)}`;
}

function fileTable(files: readonly FileAnswer[], look: Look): string {
  const columns = [
    { title: "file" },
    { title: "kind" },
    { title: "name, tool" },
    { title: "size", align: "right" },
    { title: "lines", align: "right" },
    { title: "message" },
    { title: "when" },
    { title: "what", flexible: true },
  ] as const;
  const rows = files.map((file) => [
    file.id,
    file.kind,
    file.name ?? file.tool ?? "",
    bytes(file.bytes),
    count(file.lines),
    file.message,
    look.time(file.createdAt),
    file.description.split("\n", 1)[0] ?? "",
  ]);
  return table(columns, rows, look);
}

function nothing(conversation: string | undefined, kind: string | undefined, cli: CommandLine): string {
  const where = conversation === undefined ? "" : " in this conversation";
  if (kind !== undefined) return `There is no ${kind} kept apart${where}.`;
  return `There are no files${where}. Add one with: ${cli.suggest("files add <path> --conversation <name>")}`;
}
