import type { Command } from "commander";
import type { updateMemory } from "../../../operations/memory/memory-update.ts";
import type { CommandLine } from "../../command-line.ts";
import type { Look } from "../../look.ts";
import { categoryOption, share } from "../../memory-options.ts";
import { names } from "../../option-values.ts";
import type { OutputOf } from "../../output-of.ts";
import { renderMemory } from "../../render/render-memory.ts";

interface Options {
  readonly category?: string;
  readonly importance?: number;
  readonly tag?: readonly string[];
  readonly overview?: string;
  readonly content?: string;
  readonly until?: string;
  readonly restore?: true;
}

const EXAMPLES = `
Examples:
  lcm memory update mem_0123456789abcdef "The editor is Zed"      a new version; the old one stays on record
  lcm memory update mem_0123456789abcdef --importance 0.9 --tag editor,tools
  lcm memory update mem_0123456789abcdef --until none             it has no end
  lcm memory update mem_0123456789abcdef --restore                after it was set aside`;

export function addMemoryUpdate(memory: Command, cli: CommandLine): void {
  memory
    .command("update <id> [text]")
    .description("change a memory: other words are a new version of it")
    .addOption(categoryOption("what kind of fact it is"))
    .option("--importance <number>", "how much it matters, 0 to 1", share)
    .option("--tag <tags>", "words to find it by, instead of those it has (repeat or by comma)", names)
    .option("--overview <text>", "a structured overview, in Markdown")
    .option("--content <text>", "all that is known about it")
    .option("--until <time>", "until when it holds; none: without an end")
    .option("--restore", "bring it back after it was set aside")
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, text: string | undefined, options: Options) => {
      const { updateMemory } = await import("../../../operations/memory/memory-update.ts");
      const { tag, until, category, importance, overview, content, restore } = options;
      const validUntil = until === "none" ? null : until;
      const changes = { text, category, importance, overview, content, restore, tags: tag, validUntil };
      const output = await cli.run(updateMemory, { id, ...changes });
      await cli.answer(output, (look) => render(output, look));
    });
}

function render({ memory, replaced }: OutputOf<typeof updateMemory>, look: Look): string {
  const done =
    replaced === null ? "Changed:" : `Changed: the new version of ${replaced}, which stays on record.`;
  return `${done}\n${renderMemory(memory, look)}`;
}
