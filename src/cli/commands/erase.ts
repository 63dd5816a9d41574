import type { Command } from "commander";
import type { erase } from "../../operations/erase.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { idIn, kindOfId } from "../../text/identifiers.ts";
import { counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { describeConversation } from "../describe-conversation.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { quoted } from "../global-options.ts";
import { list } from "../list.ts";
import { wholeNumber } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";
import { renderCopies } from "../render/render-copies.ts";
import { eraseMemory } from "./memory/memory-forget.ts";

interface Options {
  readonly from?: number;
  readonly to?: number;
  readonly reason?: string;
  readonly yes?: true;
}

export function addErase(program: Command, cli: CommandLine): void {
  program
    .command("erase <id>")
    .description(
      "remove the words of a conversation, message or memory, or of the message a file came in, for good",
    )
    .option("--from <seq>", "first message to erase", wholeNumber)
    .option("--to <seq>", "last message to erase", wholeNumber)
    .option("--reason <text>", "why, for the audit log; it must not repeat the words")
    .option("--yes", "do not ask")
    .action(async (id: string, { from, to, reason, ...options }: Options) => {
      if (kindOfId(idIn(id)) === "memory")
        return eraseMemory(id, { ...options, ...(reason === undefined ? {} : { reason }) }, cli);
      const { erase } = await import("../../operations/erase.ts");
      await cli.confirm(() => question(cli, id, { from, to }), options);
      cli.progress.show("erasing, and rewriting the store's files …");
      const output = await cli.run(erase, { id, from, to, reason });
      if (!output.filesCleaned) cli.exitCode = EXIT_CODES.busy;
      await cli.answer(output, () => render(output, cli.suggest(`erase ${quoted(idIn(id))}`)));
    });
}

async function question(
  cli: CommandLine,
  id: string,
  { from, to }: { from: number | undefined; to: number | undefined },
): Promise<string> {
  if (id.startsWith("file_")) return fileQuestion(cli, id);
  const conversation = await describeConversation(cli, id, { from, to: to ?? from });
  if (id.startsWith("msg_")) return `Erase ${id} of ${conversation} for good?`;
  if (from === undefined && to === undefined) return `Erase ALL of ${conversation} for good?`;
  return `Erase messages ${from ?? 1} to ${to ?? from} of ${conversation} for good?`;
}

async function fileQuestion(cli: CommandLine, id: string): Promise<string> {
  const { showFile } = await import("../../operations/files/files-show.ts");
  const { message, name, tool, bytes } = await cli.run(showFile, { id });
  const called = oneLine(name ?? tool ?? "unnamed");
  return `Erase ${message}, the message that ${id} "${called}" (${counted(bytes, "byte")}) came in, with all of it for good?`;
}

function render(output: OutputOf<typeof erase>, again: string): string {
  const { messages, summaries, memories, transcriptLines, conversation } = output;
  const erased =
    messages === 0
      ? `Nothing was left to erase there in ${conversation}.`
      : `Erased ${counted(messages, "message")}, ${counted(summaries, "summary", "summaries")} and ${counted(transcriptLines, "transcript line")} of ${conversation}${withMemories(memories)}.`;
  const elsewhere = [
    ...list("Files of the host, which are not touched:", output.transcriptFiles),
    ...list("Other messages that repeat the words:", output.alsoIn),
    ...list("Memories that are in force again without what was erased:", output.restored),
  ];
  return [
    erased,
    ...(output.message === null ? [] : [`It was ${output.message}, with every file that came in it.`]),
    ...renderCopies(output, again, elsewhere),
  ].join("\n");
}

/** Told only where there were some: most conversations leave none. */
function withMemories(memories: number): string {
  return memories === 0 ? "" : `, and ${counted(memories, "memory", "memories")} made from them`;
}
