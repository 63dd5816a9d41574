/** A line is written for each pass, as it is done. */
import { compact } from "../../operations/compact.ts";
import { Call } from "../call.ts";
import type { CommandLine } from "../command-line.ts";
import type { Typed } from "../typed.ts";
import { PassLines } from "./pass-lines.ts";

export async function runCompact(cli: CommandLine, typed: Typed): Promise<void> {
  const call = await Call.prepare(cli, compact, typed);
  const lines = new PassLines(cli, call.input.dryRun === true);
  const output = await call.run((step) => lines.add(step)).finally(() => lines.end());
  await call.answer(output);
  if (!cli.json && output.stopped === "cancelled")
    cli.terminal.note(`Stopped; what was published stays. Go on with: ${call.view.again()}`);
}
