import type { Command } from "commander";
import { PalimpsestError } from "../../errors.ts";
import type { transcript } from "../../operations/transcript.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { decodeLeniently } from "../../text/utf8.ts";
import { bytes, count, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import type { Look } from "../look.ts";
import { wholeNumber } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";
import { table } from "../table.ts";

interface Options {
  readonly output?: string;
  readonly number?: number;
  readonly versions?: true;
  readonly unreadable?: true;
}

export function addTranscript(program: Command, cli: CommandLine): void {
  program
    .command("transcript <conversation>")
    .description("the host's own file, byte for byte")
    .option("--output <file>", "file to write (standard output)")
    .option("--number <version>", "which version of the file (the newest)", wholeNumber)
    .option("--versions", "list the versions of the file that are on record")
    .option("--unreadable", "list the lines that could not be read")
    .action(async (conversation: string, options: Options) => {
      const isListing = options.versions === true || options.unreadable === true;
      if (!isListing && !cli.json && options.output === undefined)
        return writeToOutput(cli, conversation, options.number);
      const { transcript } = await import("../../operations/transcript.ts");
      const input = { conversation, version: options.number, output: options.output };
      const output = await cli.run(transcript, input);
      await cli.answer(output, (look) => render(output, options, look));
    });
}

async function writeToOutput(cli: CommandLine, conversation: string, version: number | undefined) {
  const { transcriptBytes } = await import("../../operations/transcript.ts");
  const input = { conversation, ...(version === undefined ? {} : { version }) };
  for await (const piece of transcriptBytes(await cli.engine(), input)) {
    const shown = cli.terminal.isOutputShown ? escapeControls(decodeLeniently(piece)) : piece;
    if (!(await cli.terminal.write(shown))) return;
    if (cli.signal.aborted) throw new PalimpsestError("cancelled", "writing the transcript was cancelled");
  }
}

function render(output: OutputOf<typeof transcript>, options: Options, look: Look): string {
  const { written } = output;
  return [
    ...(written === null
      ? []
      : [`Wrote ${escapeControls(written.file)} (${counted(written.bytes, "byte")}).`]),
    ...(options.versions === true ? [versionTable(output, look)] : []),
    ...(options.unreadable === true ? [unreadableTable(output, look)] : []),
  ].join("\n");
}

function versionTable({ versions }: OutputOf<typeof transcript>, look: Look): string {
  if (versions.length === 0) return "This conversation was not imported from a file.";
  const columns = [
    { title: "version", align: "right" },
    { title: "lines", align: "right" },
    { title: "size", align: "right" },
    { title: "shares" },
    { title: "read" },
    { title: "file" },
  ] as const;
  const rows = versions.map((version) => [
    String(version.number),
    count(version.lines),
    bytes(version.bytes),
    version.previous === null ? "" : `${counted(version.sharedLines, "line")} of ${version.previous}`,
    look.time(version.updatedAt),
    version.path,
  ]);
  return table(columns, rows, look);
}

function unreadableTable({ unreadable }: OutputOf<typeof transcript>, look: Look): string {
  if (unreadable.length === 0) return "Every line could be read.";
  const columns = [
    { title: "version", align: "right" },
    { title: "line", align: "right" },
    { title: "problem" },
  ] as const;
  return table(
    columns,
    unreadable.map(({ version, line, problem }) => [String(version), String(line), problem]),
    look,
  );
}
