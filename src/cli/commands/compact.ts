import type { Command } from "commander";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import type { compact } from "../../operations/compact.ts";
import { idIn } from "../../text/identifiers.ts";
import { counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { EXIT_CODES, TARGET_MISSED } from "../exit-codes.ts";
import { quoted } from "../global-options.ts";
import { positiveNumber } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";
import { PassLines, renderPlan, renderReport } from "../render/render-compaction.ts";

interface Options {
  readonly budget?: number;
  readonly untilUnder?: number;
  readonly dryRun?: true;
}

export function addCompact(program: Command, cli: CommandLine): void {
  program
    .command("compact <conversation>")
    .description("summarise what is old; nothing is lost, every summary can be expanded")
    .option("--budget <tokens>", "the model's window, by which the fresh tail is measured", positiveNumber)
    .option("--until-under <tokens>", "stop once the context has no more tokens than this", positiveNumber)
    .option("--dry-run", "say what would be done, and do nothing")
    .action(async (conversation: string, { budget, untilUnder, dryRun }: Options) => {
      const { compact } = await import("../../operations/compact.ts");
      const command = cli.suggest(`compact ${quoted(idIn(conversation))}${repeated({ budget, untilUnder })}`);
      const lines = new PassLines(cli, dryRun === true);
      const input = { conversation, budget, untilUnder, dryRun };
      const output = await cli
        .run(compact, input, (step) => lines.add(step))
        .catch((error: unknown) => {
          throw withWhatStays(error, lines.done, command);
        })
        .finally(() => lines.end());
      const isStopped = output.stopped === "cancelled";
      cli.exitCode = exitCodeOf(output);
      await cli.answer(output, (look) =>
        dryRun === true ? renderPlan(output, look, command) : renderReport(output, lines.milliseconds, look),
      );
      if (cli.json || dryRun === true) return;
      if (isStopped) cli.terminal.note(`Stopped; what was published stays. Go on with: ${command}`);
      else if (output.passes.length > 0)
        await cli.terminal.write(`\nnext: ${cli.suggest(`context ${output.conversation}`)}\n`);
    });
}

/** What ended before all was done is told from what is done, also by the number that a script looks at. */
function exitCodeOf({ stopped, targetReached }: OutputOf<typeof compact>): number {
  if (stopped === "cancelled") return EXIT_CODES.cancelled;
  if (stopped === "out of model calls") return EXIT_CODES["model-limit"];
  if (stopped === "the context kept changing") return EXIT_CODES.busy;
  return targetReached === false ? TARGET_MISSED : 0;
}

function repeated({ budget, untilUnder }: { budget: number | undefined; untilUnder: number | undefined }) {
  const pieces = [
    budget === undefined ? "" : ` --budget ${budget}`,
    untilUnder === undefined ? "" : ` --until-under ${untilUnder}`,
  ];
  return pieces.join("");
}

/** A failure in the middle leaves what was made until then. */
function withWhatStays(error: unknown, done: number, command: string): unknown {
  if (!isPalimpsestError(error) || done === 0) return error;
  const kept = `${counted(done, "summary", "summaries")} made before this ${done === 1 ? "stays" : "stay"}. Go on with: ${command}`;
  return new PalimpsestError(error.code, error.message, {
    advice: error.advice === undefined ? kept : `${error.advice}\n${kept}`,
    cause: error,
  });
}
