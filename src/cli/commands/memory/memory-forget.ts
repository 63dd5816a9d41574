import type { Command } from "commander";
import { PalimpsestError } from "../../../errors.ts";
import type { forgetMemory } from "../../../operations/memory/memory-forget.ts";
import { oneLine } from "../../../text/escape-controls.ts";
import { idIn, kindOfId } from "../../../text/identifiers.ts";
import type { CommandLine } from "../../command-line.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { quoted } from "../../global-options.ts";
import { list } from "../../list.ts";
import type { Look } from "../../look.ts";
import type { OutputOf } from "../../output-of.ts";
import { renderCopies } from "../../render/render-copies.ts";
import { renderMemory } from "../../render/render-memory.ts";

type Output = OutputOf<typeof forgetMemory>;

interface Options {
  readonly scope?: string;
  readonly erase?: true;
  readonly reason?: string;
  readonly yes?: true;
}

const EXAMPLES = `
Examples:
  lcm memory forget mem_0123456789abcdef            set aside; lcm memory update … --restore brings it back
  lcm memory forget "the old office"                by words, where only one memory fits
  lcm memory forget mem_0123456789abcdef --erase    its words are removed for good`;

export function addMemoryForget(memory: Command, cli: CommandLine): void {
  memory
    .command("forget <id-or-words>")
    .alias("delete")
    .description("set a memory aside, or erase its words for good")
    .option("--scope <scope>", "only what lies in this scope, where words are given")
    .option("--erase", "remove the words for good, with everything made from them")
    .option("--reason <text>", "why, for the record; it must not repeat the words")
    .option("--yes", "do not ask before erasing")
    .addHelpText("after", EXAMPLES)
    .action(async (name: string, options: Options) => {
      if (options.erase === true) return eraseMemory(name, options, cli);
      const { forgetMemory } = await import("../../../operations/memory/memory-forget.ts");
      const { scope, reason } = options;
      const which = kindOfId(idIn(name)) === "memory" ? { id: name } : { query: name, scope };
      const output = await cli.run(forgetMemory, { ...which, reason });
      if (output.ids.length === 0) cli.exitCode = EXIT_CODES["not-found"];
      await cli.answer(output, (look) => render(output, name, look, cli));
    });
}

/** Also what `lcm erase` does with the id of a memory. */
export async function eraseMemory(
  id: string,
  options: Pick<Options, "reason" | "yes">,
  cli: CommandLine,
): Promise<void> {
  if (kindOfId(idIn(id)) !== "memory")
    throw new PalimpsestError(
      "invalid-input",
      "erasing needs the id of a memory, so that nothing else is erased",
      {
        advice: `Find it with: ${cli.suggest(`memory recall ${quoted(id)}`)}`,
      },
    );
  const { forgetMemory } = await import("../../../operations/memory/memory-forget.ts");
  await cli.confirm(() => question(id, cli), options);
  cli.progress.show("erasing, and rewriting the store's files …");
  const output = await cli.run(forgetMemory, { id, erase: true, reason: options.reason });
  if (output.erasure?.filesCleaned === false) cli.exitCode = EXIT_CODES.busy;
  await cli.answer(output, () => renderErasure(output, id, cli));
}

async function question(name: string, cli: CommandLine): Promise<string> {
  const { showMemory } = await import("../../../operations/memory/memory-show.ts");
  const { memory } = await cli.run(showMemory, { id: name });
  return `Erase ${memory.id} "${oneLine(memory.abstract)}" for good, with everything that was made from it?`;
}

function renderErasure({ ids, restored, erasure }: Output, id: string, cli: CommandLine): string {
  const done = ids.length === 0 ? "Nothing was left to erase there." : `Erased ${ids.join(", ")}.`;
  const again = cli.suggest(`memory forget ${id} --erase --yes`);
  const copies = erasure === null ? [] : renderCopies(erasure, again);
  const back = list("Memories that are in force again without what was erased:", restored);
  return [
    done,
    ...back,
    ...copies,
    "The messages that it came from are not touched; lcm erase removes those.",
  ].join("\n");
}

function render({ action, ids, candidates }: Output, name: string, look: Look, cli: CommandLine): string {
  const [id] = ids;
  if (action === "archived")
    return `Set aside ${ids.join(", ")}.\nBring it back with: ${cli.suggest(`memory update ${id} --restore`)}`;
  if (candidates.length === 0)
    return kindOfId(name) === "memory"
      ? `${name} is not in force any more; nothing was changed. See: ${cli.suggest(`memory show ${name}`)}`
      : "Nothing is remembered about it, and nothing was forgotten.";
  return [
    "Nothing was forgotten: it is not clear which of these was meant.",
    ...candidates.map((memory) => renderMemory(memory, look)),
    `Name one by its id: ${cli.suggest(`memory forget ${candidates[0]?.id ?? "mem_…"}`)}`,
  ].join("\n\n");
}
