import path from "node:path";
import type { Command } from "commander";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import type { ImportStep, importPath } from "../../operations/store/import.ts";
import { bytes, count, counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { quoted } from "../global-options.ts";
import type { OutputOf } from "../output-of.ts";
import { bar } from "../progress.ts";
import { FileLines } from "../render/render-import.ts";
import { renderSummary } from "../render/render-import-summary.ts";

type Output = OutputOf<typeof importPath>;

export function addImport(program: Command, cli: CommandLine): void {
  program
    .command("import <path...>")
    .description(
      "bring in transcripts of agents, or an export of a whole store; again goes on where it stopped",
    )
    .action(async (given: readonly string[]) => {
      const { importPath } = await import("../../operations/store/import.ts");
      const startedAt = performance.now();
      const lines = new FileLines(cli);
      let last: ImportStep | undefined;
      const onStep = (step: ImportStep) => {
        last = step;
        follow(step, lines, cli);
      };
      const output = await cli.run(importPath, { path: given }, onStep).catch((error: unknown) => {
        throw explainStop(error, last, cli.suggest(`import ${given.map(quoted).join(" ")}`));
      });
      cli.exitCode = exitCodeOf(output);
      await lines.finished();
      await cli.answer(output, (look) => renderSummary(output, performance.now() - startedAt, look, cli));
    });
}

function follow(step: ImportStep, lines: FileLines, cli: CommandLine): void {
  if (step.kind === "found") lines.begin(step.found);
  else if (step.kind === "finished") lines.add(step.report);
  else if (step.kind === "indexing")
    cli.progress.show(`everything is stored; indexing for search … ${count(step.indexed)}`);
  else if (step.kind === "loading")
    cli.progress.show(`${lines.position} ${path.basename(step.path)} … ${counted(step.rows, "row")}`);
  else {
    const amount = `${bytes(step.bytesRead)} of ${bytes(step.bytesTotal)}`;
    const place = `${lines.position} ${path.basename(step.path)}`;
    cli.progress.show(`${bar(step.bytesRead, step.bytesTotal)} ${place} ${amount}`);
  }
}

/** A transcript is stored as it is read, a whole store at its end. */
function explainStop(error: unknown, last: ImportStep | undefined, command: string): unknown {
  if (!isPalimpsestError(error)) return error;
  if (error.code !== "cancelled") return withWayOn(error, last, command);
  const isWholeStore = last?.kind === "loading";
  const kept = isWholeStore ? `nothing of ${path.basename(last.path)} is stored` : "what was read is stored";
  return new PalimpsestError("cancelled", `the import was stopped; ${kept}`, {
    advice: `${isWholeStore ? "Start again" : "Go on where it stopped"} with: ${command}`,
    cause: error,
  });
}

/** Where the store gave way in the middle, what came before is in it. */
function withWayOn(error: PalimpsestError, last: ImportStep | undefined, command: string): PalimpsestError {
  const isKept = last?.kind === "reading" || last?.kind === "finished";
  if (!isKept || error.advice === undefined) return error;
  return new PalimpsestError(error.code, error.message, {
    advice: `${error.advice}\nGo on with: ${command}`,
    cause: error,
  });
}

/** Files that are no transcripts are normal in a folder; a folder without any other is not. */
function exitCodeOf({ files }: Output): number {
  const refused = files.filter((file) => file.kind === "refused");
  const broken = refused.find((file) => file.code !== "not-supported");
  if (broken !== undefined) return EXIT_CODES[broken.code];
  return refused.length === files.length ? EXIT_CODES["not-supported"] : 0;
}
