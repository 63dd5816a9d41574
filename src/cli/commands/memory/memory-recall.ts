import { type Command, Option } from "commander";
import type { RecallAnswer } from "../../../operations/memory/recall-schema.ts";
import { escapeControls, oneLine } from "../../../text/escape-controls.ts";
import { count, counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { quoted } from "../../global-options.ts";
import type { Look } from "../../look.ts";
import { addMemoryFilter, filterOf, type MemoryFilter, repeatFilter } from "../../memory-options.ts";
import { numberUpTo, pointInTime, positiveNumber } from "../../option-values.ts";
import { indented } from "../../render/render-hit.ts";
import { renderMemory } from "../../render/render-memory.ts";

/** Written out, so that help does not have to load the memory. */
const MODES = [
  "calibrated",
  "seed",
  "fusion",
  "words",
  "vectors",
] as const satisfies readonly RecallAnswer["mode"][];

export interface RecallOptions extends MemoryFilter {
  readonly limit?: number;
  readonly maxTokens?: number;
  readonly at?: string;
  readonly archived?: true;
  readonly mode?: string;
}

interface Options extends RecallOptions {
  readonly full?: true;
}

const EXAMPLES = `
Examples:
  lcm memory recall "which editor do I use"
  lcm memory recall "deploy" --category cases,patterns --limit 10 --full
  lcm memory recall "where do they live" --at 2026-05-01     as it was known then`;

export function addMemoryRecall(memory: Command, cli: CommandLine): void {
  const command = memory
    .command("recall <question>")
    .alias("search")
    .description("what is remembered that matters for a question, best first")
    .option("--full", "all that is known of each, not only its sentence");
  addRecallOptions(command)
    .addHelpText("after", EXAMPLES)
    .action(async (query: string, options: Options) => {
      const { recallMemories } = await import("../../../operations/memory/memory-recall.ts");
      const output = await cli.run(recallMemories, { query, ...recallOf(options), full: options.full });
      if (output.memories.length === 0) cli.exitCode = EXIT_CODES["not-found"];
      await cli.answer(output, (look) => render(output, query, options, look, cli));
    });
}

export function addRecallOptions(command: Command): Command {
  return addMemoryFilter(command)
    .option("--at <time>", "as it was known at this time", pointInTime)
    .option("--archived", "also what was set aside or replaced")
    .addOption(new Option("--mode <mode>", "how it is ranked (recallMode)").choices(MODES))
    .option("--limit <number>", "how many, at most 200 (5)", numberUpTo(200))
    .option(
      "--max-tokens <tokens>",
      "tokens of their words together, at most; the first is always given",
      positiveNumber,
    );
}

export function recallOf(options: RecallOptions) {
  const { limit, maxTokens, at, archived, mode } = options;
  return { ...filterOf(options), limit, maxTokens, at, archived, mode, source: "cli" };
}

function render(output: RecallAnswer, query: string, options: Options, look: Look, cli: CommandLine): string {
  const { memories, searched, notes, isCut } = output;
  const looked = counted(searched, "memory", "memories");
  const remarks = notes.map((note) => look.style("yellow", `! ${oneLine(note)}`));
  if (memories.length === 0) {
    const hint = `What was said and not remembered: ${cli.suggest(`grep ${quoted(query)}`)}`;
    return [`Nothing is remembered about it; ${looked} looked through.`, ...remarks, hint].join("\n");
  }
  const shown = memories.map(({ memory, score }) => {
    const whole =
      options.full === true ? [memory.overview, memory.content].filter((text) => text !== "") : [];
    const lead = `${look.style("bold", score.toFixed(2))}  `;
    return [renderMemory(memory, look, lead), ...whole.map((text) => indented(escapeControls(text)))].join(
      "\n\n",
    );
  });
  const more = isCut ? " There are more: ask with a higher --limit." : "";
  const why = look.style(
    "dim",
    `why these: ${cli.suggest(`memory explain${repeatFilter(options)} ${quoted(query)}`)}`,
  );
  return [...shown, [`${count(memories.length)} of ${looked}.${more}`, ...remarks, why].join("\n")].join(
    "\n\n",
  );
}
