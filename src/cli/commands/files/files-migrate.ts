import type { Command } from "commander";
import { isPalimpsestError, PalimpsestError } from "../../../errors.ts";
import type { migrateFiles } from "../../../operations/files/files-migrate.ts";
import { bytes, counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import { quoted } from "../../global-options.ts";
import type { OutputOf } from "../../output-of.ts";

type Report = OutputOf<typeof migrateFiles>;

interface Options {
  readonly dryRun?: true;
  readonly revert?: true;
}

const EXAMPLES = `
Examples:
  lcm files migrate --dry-run          what it would do
  lcm files migrate                    all conversations; again goes on where it stopped
  lcm files migrate my-session --revert`;

export function addFilesMigrate(files: Command, cli: CommandLine): void {
  files
    .command("migrate [conversation]")
    .description("keep long results of tools in old messages apart; what messages say stays the same")
    .option("--dry-run", "only tell what would be done")
    .option("--revert", "put back what an earlier run took out")
    .addHelpText("after", EXAMPLES)
    .action(async (conversation: string | undefined, options: Options) => {
      const { migrateFiles } = await import("../../../operations/files/files-migrate.ts");
      const { dryRun, revert } = options;
      const onProgress = (report: Report) => cli.progress.show(progressOf(report, options));
      const command = cli.suggest(commandOf(conversation, revert));
      const report = await cli
        .run(migrateFiles, { conversation, dryRun, revert }, onProgress)
        .catch((error: unknown) => {
          throw explainStop(error, command);
        });
      await cli.answer(report, () => render(report, options, command));
    });
}

function commandOf(conversation: string | undefined, revert: true | undefined): string {
  const name = conversation === undefined ? "" : ` ${quoted(conversation)}`;
  return `files migrate${name}${revert === true ? " --revert" : ""}`;
}

function progressOf({ looked, files, bytes: size }: Report, { revert }: Options): string {
  const done = `${counted(files, "result")} (${bytes(size)}) ${revert === true ? "put back" : "taken out"}`;
  return `${counted(looked, "message")} looked at, ${done} …`;
}

/** What was done before is in the error's own words. */
function explainStop(error: unknown, again: string): unknown {
  if (!isPalimpsestError(error, "cancelled")) return error;
  const kept = error.advice === undefined ? "; nothing was changed" : "";
  return new PalimpsestError("cancelled", `${error.message}${kept}`, {
    advice: `Go on with: ${again}`,
    cause: error,
  });
}

function render(report: Report, { revert }: Options, command: string): string {
  const { conversations, looked, messages, files, bytes: size, tokens, dryRun } = report;
  const where = `${counted(conversations, "conversation")}, ${counted(looked, "message")} looked at`;
  if (files === 0) return `Nothing to ${revert === true ? "put back" : "take out"}: ${where}.`;
  const verb = revert === true ? (dryRun ? "Would put" : "Put") : dryRun ? "Would take" : "Took";
  const place = `${revert === true ? "back into" : "out of"} ${counted(messages, "message")}`;
  const effect = `Once these results are old, contexts take ${counted(tokens, "token")} ${revert === true ? "more" : "less"}.`;
  return [
    `${verb} ${counted(files, "result")} (${bytes(size)}) ${place}; ${where}.`,
    effect,
    ...(dryRun ? [`Nothing was changed. Do it with: ${command}`] : []),
  ].join("\n");
}
