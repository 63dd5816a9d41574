import type { Command } from "commander";
import { PalimpsestError } from "../../errors.ts";
import { originalBytes } from "../../operations/retrieve/message-bytes.ts";
import type { read } from "../../operations/retrieve/read.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { idIn } from "../../text/identifiers.ts";
import { decodeLeniently } from "../../text/utf8.ts";
import type { Role } from "../../types.ts";
import { counted } from "../amounts.ts";
import type { CommandLine } from "../command-line.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { quoted } from "../global-options.ts";
import type { Look } from "../look.ts";
import { repeated } from "../look-in-options.ts";
import { roleOption, wholeNumber } from "../option-values.ts";
import type { OutputOf } from "../output-of.ts";
import { renderMessage } from "../render/render-message.ts";
import { asKnown, errorDocument } from "../report-error.ts";

interface Options {
  readonly from?: number;
  readonly to?: number;
  readonly role?: readonly Role[];
  readonly limit?: number;
  readonly raw?: true;
}

type Page = OutputOf<typeof read>;

/** Messages that are held at a time, whatever the length of the conversation. */
const PAGE_MESSAGES = 200;

export function addRead(program: Command, cli: CommandLine): void {
  program
    .command("read <id>")
    .description("read a conversation, a range of it, one message or one summary, word for word")
    .option("--from <seq>", "first message", wholeNumber)
    .option("--to <seq>", "last message", wholeNumber)
    .addOption(roleOption())
    .option("--limit <number>", "how many messages (all)", wholeNumber)
    .option("--raw", "the exact original of each message, one a line")
    .action(async (id: string, options: Options) => {
      const pages = readPages(cli, id, options);
      if (cli.json) await writeJson(cli, pages);
      else if (options.raw === true) await writeRaw(cli, pages);
      else await writeText(cli, pages, again(id, options));
    });
}

async function* readPages(cli: CommandLine, id: string, options: Options): AsyncGenerator<Page> {
  const { read } = await import("../../operations/retrieve/read.ts");
  const { to, role, limit = Number.POSITIVE_INFINITY } = options;
  let left = limit;
  for (let from = options.from; ; ) {
    if (cli.signal.aborted) throw new PalimpsestError("cancelled", "reading was cancelled");
    const page = await cli.run(read, { id, from, to, roles: role, limit: Math.min(left, PAGE_MESSAGES) });
    yield page;
    left -= page.messages.length;
    if (page.next === null || left <= 0) return;
    from = page.next;
  }
}

/** The same as it would be typed to go on, apart from where. */
function again(id: string, { to, role, limit }: Options): string {
  const given = repeated([
    ["--to", to?.toString()],
    ["--role", role?.join(",")],
    ["--limit", limit?.toString()],
  ]);
  return `read ${quoted(idIn(id))}${given}`;
}

async function writeText(cli: CommandLine, pages: AsyncIterable<Page>, command: string): Promise<void> {
  let shown = 0;
  let last: Page | undefined;
  for await (const page of pages) {
    const look = cli.look();
    for (const text of textsOf(page, look))
      if (!(await cli.terminal.write(`${shown++ > 0 ? "\n" : ""}${text}\n`))) return;
    last = page;
  }
  if (last !== undefined) await cli.terminal.write(closing(last, shown, cli.suggest(command)));
}

function textsOf({ messages, piece }: Page, look: Look): string[] {
  if (piece === null) return messages.map((message) => renderMessage(message, look));
  const head = look.style(["bold", "magenta"], piece.message);
  const about = look.style("dim", ` · ${look.time(piece.createdAt)} · ${counted(piece.length, "character")}`);
  const words = piece.texts.map(({ text }) => escapeControls(text)).join("");
  return [`${head}${about}\n${piece.texts.length === 0 ? look.style("dim", "(erased)") : words}`];
}

function closing({ conversation, next }: Page, shown: number, again: string): string {
  if (shown === 0)
    return `Nothing to show: ${conversation.id} has messages 1 to ${conversation.messageCount}.\n`;
  return next === null ? "" : `\nThere is more: ${again} --from ${next}\n`;
}

/** Exact bytes for a program; a terminal gets them with control characters made visible. */
async function writeRaw(cli: CommandLine, pages: AsyncIterable<Page>): Promise<void> {
  for await (const { messages, piece } of pages)
    for (const bytes of piece === null ? messages.map(bytesOf) : [bytesOfPiece(piece)]) {
      const shown = cli.terminal.isOutputShown ? escapeControls(decodeLeniently(bytes)) : bytes;
      await cli.terminal.write(shown);
      if (!(await cli.terminal.write("\n"))) return;
    }
}

function bytesOf(message: Page["messages"][number]): Uint8Array {
  return originalBytes(message) ?? Buffer.alloc(0);
}

function bytesOfPiece({ texts }: NonNullable<Page["piece"]>): Uint8Array {
  return Buffer.from(texts.map(({ text }) => text).join(""));
}

/** One document, written as pages come. An error in the middle closes it and stands in it. */
async function writeJson(cli: CommandLine, pages: AsyncIterable<Page>): Promise<void> {
  let ending = "";
  try {
    for await (const { conversation, messages, piece, next } of pages) {
      const opening = `{"conversation":${JSON.stringify(conversation)},"messages":[`;
      const lead = ending === "" ? opening : ",";
      const text = messages.map((message) => JSON.stringify(message)).join(",\n");
      if (!(await cli.terminal.write(`${text === "" && ending !== "" ? "" : lead}${text}`))) return;
      ending = `],"piece":${JSON.stringify(piece)},"next":${next},"nextOffset":null`;
    }
  } catch (error) {
    if (ending === "") throw error;
    const known = asKnown(error);
    cli.exitCode = EXIT_CODES[known.code];
    ending += `,"error":${JSON.stringify(errorDocument(known).error)}`;
  }
  await cli.terminal.write(`${ending}}\n`);
}
