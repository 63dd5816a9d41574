import path from "node:path";
import { type Command, Option } from "commander";
import { sessionDatabases, transcriptFolders } from "../../config/host-folders.ts";
import type { ImportReport } from "../../context/ingest/import-transcript.ts";
import { counted } from "../../text/counted.ts";
import type { CommandLine } from "../command-line.ts";

const DAYS = 7;
const DAY_MS = 24 * 3_600_000;

interface Options {
  readonly host?: string;
  readonly all?: true;
}

export function addWatch(program: Command, cli: CommandLine): void {
  const folders = transcriptFolders();
  const databases = sessionDatabases();
  program
    .command("watch")
    .description("Import sessions as hosts write them, until stopped")
    .addOption(
      new Option("--host <name>", "Only sessions of this host. Default: all.").choices(
        Object.keys({ ...folders, ...databases }),
      ),
    )
    .option("--all", `Also import sessions that were last written more than ${DAYS} days ago.`)
    .addHelpText("after", "\nTo run it as a service that starts at login: lcm setup watch")
    .action(async ({ host, all }: Options) => {
      cli.isServer = true;
      cli.worksInBackground = true;
      const { Captures, watchTranscripts } = await import("../../hooks/index.ts");
      const open = () => cli.engine({ makesStore: true });
      const captures = new Captures(open, await cli.log(), (report) => tell(cli, report));
      const chosen = (places: Readonly<Record<string, string>>) =>
        Object.entries(places).flatMap(([name, place]) =>
          host === undefined || host === name ? [place] : [],
        );
      const watched = { folders: chosen(folders), databases: chosen(databases) };
      const places = [...watched.folders, ...watched.databases];
      if (!cli.json) cli.terminal.note(`Watching ${places.join(", ")}. Stop with Ctrl+C.`);
      const since = all === true ? 0 : Date.now() - DAYS * DAY_MS;
      await watchTranscripts({ ...watched, captures, since, signal: cli.signal });
    });
}

function tell(cli: CommandLine, report: ImportReport): void {
  if (report.imported === 0) return;
  if (cli.json) {
    void cli.writeJson(report);
    return;
  }
  const { imported, formatLabel, conversation, path: file } = report;
  cli.terminal.note(
    `${counted(imported, "message")}  ${conversation}  ${formatLabel}  ${path.basename(file)}`,
  );
}
