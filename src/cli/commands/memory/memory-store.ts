import type { Command } from "commander";
import type { storeMemory } from "../../../operations/memory/memory-store.ts";
import type { CommandLine } from "../../command-line.ts";
import type { Look } from "../../look.ts";
import { categoryOption, share } from "../../memory-options.ts";
import { names } from "../../option-values.ts";
import type { OutputOf } from "../../output-of.ts";
import { renderMemory } from "../../render/render-memory.ts";

interface Options {
  readonly category?: string;
  readonly scope?: string;
  readonly importance?: number;
  readonly key?: string;
  readonly tag?: readonly string[];
  readonly source?: readonly string[];
  readonly speaker?: string;
  readonly overview?: string;
  readonly content?: string;
  readonly from?: string;
  readonly until?: string;
  readonly force?: true;
}

const EXAMPLES = `
Examples:
  lcm memory store "The user prefers short answers" --category preferences
  lcm memory store "The editor is Helix" --key editor       takes the place of what held before
  lcm memory store "Port 8417 serves MCP" --source msg_0123456789abcdef_42 --scope project:web`;

export function addMemoryStore(memory: Command, cli: CommandLine): void {
  memory
    .command("store <text>")
    .description("keep a fact, in one sentence; the same again changes nothing")
    .addOption(categoryOption("what kind of fact it is (told by the words)"))
    .option("--scope <scope>", "who may see it: global, agent:<id>, project:<id>, user:<id>, custom:<name>")
    .option("--key <key>", "what it is about, such as editor: the newest of a key is in force")
    .option("--importance <number>", "how much it matters, 0 to 1 (by category)", share)
    .option("--tag <tags>", "words to find it by (repeat or by comma)", names)
    .option("--source <messages>", "ids of the messages it comes from (repeat or by comma)", names)
    .option("--speaker <name>", "who said it (who said the first of these messages)")
    .option("--overview <text>", "a structured overview, in Markdown")
    .option("--content <text>", "all that is known about it")
    .option("--from <time>", "since when it holds (now)")
    .option("--until <time>", "until when it holds")
    .option("--force", "store it also when the same is known already")
    .addHelpText("after", EXAMPLES)
    .action(async (text: string, options: Options) => {
      const { storeMemory } = await import("../../../operations/memory/memory-store.ts");
      const output = await cli.run(storeMemory, { text, ...inputOf(options) });
      await cli.answer(output, (look) => render(output, look));
    });
}

function inputOf({ key, tag, source, from, until, ...rest }: Options) {
  const { category, scope, importance, speaker, overview, content, force } = rest;
  return {
    ...{ category, scope, importance, speaker, overview, content, force },
    ...{ factKey: key, tags: tag, sources: source, validFrom: from, validUntil: until },
  };
}

function render({ action, memory, replaced }: OutputOf<typeof storeMemory>, look: Look): string {
  const done = {
    created: "Stored:",
    superseded: `Stored, in place of ${replaced.join(", ")}, which stays on record:`,
    duplicate: "Nothing was stored: the same is known already.",
  }[action];
  return `${done}\n${renderMemory(memory, look)}`;
}
