/** `lcm import`: prints a line for each file when it is done. */
import path from "node:path";
import { type ImportStep, importPath } from "../../operations/store/import.ts";
import { bytes, count, counted } from "../../text/counted.ts";
import { bar } from "../../text/terminal/table.ts";
import { Call } from "../call.ts";
import type { CommandLine } from "../command-line.ts";
import type { Typed } from "../typed.ts";
import { FileLines } from "./file-lines.ts";

export async function runImport(cli: CommandLine, typed: Typed): Promise<void> {
  const call = await Call.prepare(cli, importPath, typed);
  const lines = new FileLines(cli);
  const output = await call.run((step) => follow(step, lines, cli));
  await lines.finished();
  await call.answer(output);
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
