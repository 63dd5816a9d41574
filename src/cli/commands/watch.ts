import path from "node:path";
import { type Command, Option } from "commander";
import { openclawFolder, sessionDatabases, transcriptFolders } from "../../config/host-folders.ts";
import type { Captured } from "../../hooks/index.ts";
import { counted } from "../../text/counted.ts";
import type { CommandLine } from "../command-line.ts";

const OPENCLAW = "openclaw";
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
    .description("Import the sessions of hosts as they are written, until you stop it.")
    .addOption(
      new Option("--host <name>", "Only sessions of this host. Default: all.").choices(
        Object.keys({ ...folders, ...databases, [OPENCLAW]: null }),
      ),
    )
    .option("--all", `Also import sessions that were last written more than ${DAYS} days ago.`)
    .addHelpText("after", "\nTo run it as a user service: lcm setup watch")
    .action(async ({ host, all }: Options) => {
      cli.isServer = true;
      cli.worksInBackground = true;
      const { Captures, importFrom, watchTranscripts } = await import("../../hooks/index.ts");
      const open = () => cli.engine({ makesStore: true });
      // An unusable store fails here, and not at every import.
      await open();
      const captures = new Captures(importFrom(open), await cli.log(), (report) => tell(cli, report));
      const chosen = (places: Readonly<Record<string, string>>) =>
        Object.entries(places).flatMap(([name, place]) =>
          host === undefined || host === name ? [place] : [],
        );
      const watched = { folders: chosen(folders), databases: chosen(databases) };
      const openclaw = host === undefined || host === OPENCLAW ? await openclawAgents(cli) : null;
      const own = openclaw === null ? [] : [openclawFolder()];
      const places = [...watched.folders, ...watched.databases, ...own];
      if (!cli.json) cli.terminal.note(`Watching ${places.join(", ")}. Stop with Ctrl-C.`);
      const since = all === true ? 0 : Date.now() - DAYS * DAY_MS;
      await watchTranscripts({ ...watched, openclaw, captures, since, signal: cli.signal });
    });
}

async function openclawAgents(cli: CommandLine) {
  const { OpenclawAgents } = await import("../../hooks/index.ts");
  const { open } = await import("../../engine.ts");
  const config = await cli.settings();
  return new OpenclawAgents({
    folder: openclawFolder(),
    open: async (scope) =>
      scope.agent === undefined
        ? cli.engine({ makesStore: true })
        : open({ config: { ...config, ...scope } }),
    log: await cli.log(),
    tell: (report) => tell(cli, report),
    leave: () => cli.terminal.note("OpenClaw is not watched: its plugin imports the sessions."),
  });
}

function tell(cli: CommandLine, report: Captured): void {
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
