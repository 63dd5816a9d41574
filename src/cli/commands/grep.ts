/** Hits are written as they come, where they come one by one. */
import type { GrepHit } from "../../context/retrieve/grep-messages.ts";
import { grep } from "../../operations/retrieve/grep.ts";
import { closingOf, renderHit } from "../../operations/retrieve/grep-page.ts";
import { countedIn } from "../../text/counted.ts";
import { Call } from "../call.ts";
import type { CommandLine } from "../command-line.ts";
import type { Typed } from "../typed.ts";
import { writeAll } from "../write-all.ts";

export async function runGrep(cli: CommandLine, typed: Typed): Promise<void> {
  const call = await Call.prepare(cli, grep, typed);
  if (cli.json || call.input.scope === "files") return call.answer(await call.run(null));
  const output = await writeAll<GrepHit, Awaited<ReturnType<typeof call.run>>>(cli, {
    run: (onHit, signal) =>
      call.run((step) => {
        if ("done" in step) cli.progress.show(`searching … ${countedIn(step.done, step.unit)}`);
        else onHit(step);
      }, signal),
    itemsOf: ({ hits }) => hits,
    render: renderHit,
    closing: (found) => closingOf(found, call.view),
  });
  if (output !== null) call.settle(output);
}
