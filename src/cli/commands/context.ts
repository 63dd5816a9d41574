import { type Command, Option } from "commander";
import type { context } from "../../operations/context.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import type { CommandLine } from "../command-line.ts";
import type { Look } from "../look.ts";
import { positiveNumber, turnName } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";
import { contextHead, contextTable, fullItems } from "../render/render-shown.ts";

interface Options {
  readonly budget?: number;
  readonly format?: string;
  readonly at?: string | number;
  readonly prompt?: string;
  readonly relevance?: true;
  readonly full?: true;
}

/** Written out, so that the help page does not have to load them. The operation refuses any other. */
const FORMATS = ["original", "anthropic", "openai-chat", "openai-responses"];

export function addContext(program: Command, cli: CommandLine): void {
  program
    .command("context <conversation>")
    .description("what the model would see now, or saw before a turn, and why each item is there")
    .option("--budget <tokens>", "tokens that it may take", positiveNumber)
    .addOption(new Option("--format <format>", "how messages are given (original)").choices(FORMATS))
    .option("--at <turn>", "what it saw before this turn: its key, or a message's number", turnName)
    .option("--prompt <text>", "what the model is about to be asked: recalls memories, and for --relevance")
    .option("--relevance", "when not everything fits, show older items that match the prompt")
    .option("--full", "every word of each item")
    .action(async (conversation: string, { full, ...options }: Options) => {
      const { context } = await import("../../operations/context.ts");
      const output = await cli.run(context, { conversation, ...options });
      await cli.answer(output, (look) => render(output, full === true, look));
    });
}

function render(output: OutputOf<typeof context>, isFull: boolean, look: Look): string {
  const head = contextHead(output, look);
  if (output.items.length === 0) return `${head}\n\nThe context is empty.`;
  if (!isFull) return `${head}\n\n${contextTable(output, look)}`;
  const { systemPromptAddition: addition, recalled } = output;
  const added =
    addition === null ? [] : [`${look.style("bold", "system prompt addition")}\n${escapeControls(addition)}`];
  const beside =
    recalled === null ? [] : [`${look.style("bold", "recalled memories")}\n${escapeControls(recalled.text)}`];
  return [head, ...added, fullItems(output.items, look), ...beside].join("\n\n");
}
