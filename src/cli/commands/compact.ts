/** `lcm compact`: prints a line for each pass when it is done. */
import { compact } from "../../operations/compact.ts";
import { Call } from "../call.ts";
import type { CommandLine } from "../command-line.ts";
import { fieldsIn, type Typed } from "../typed.ts";
import { PassLines } from "./pass-lines.ts";

export async function runCompact(cli: CommandLine, typed: Typed): Promise<void> {
  // Created first, so that progress is visible while the store opens.
  const lines = new PassLines(cli, fieldsIn(typed, "input").dryRun === true);
  const done = Call.prepare(cli, compact, typed).then(async (call) => {
    const output = await call.run((step) => lines.add(step));
    return { call, output };
  });
  const { call, output } = await done.finally(() => lines.end());
  await call.answer(output);
  if (!cli.json && output.stopped === "cancelled")
    cli.terminal.note(`Stopped. Summaries made so far are kept. Resume with: ${call.view.again()}`);
}
