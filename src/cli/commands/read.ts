/** `lcm read`: reads and writes a conversation page by page; only one page is held at a time. */
import type { Engine } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { requireWithin } from "../../operations/conversations/describe-conversation.ts";
import { originalBytes } from "../../operations/retrieve/cut-message.ts";
import { type ReadArguments, type ReadOutput, read, readTexts } from "../../operations/retrieve/read.ts";
import { runOperation } from "../../operations/run-operation.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { decodeLeniently } from "../../text/utf8.ts";
import { Call } from "../call.ts";
import type { CommandLine } from "../command-line.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { asKnown, errorDocument } from "../report-error.ts";
import type { Typed } from "../typed.ts";

/** Messages that are held at a time, for any length of the conversation. */
const PAGE_MESSAGES = 200;

export async function runRead(cli: CommandLine, typed: Typed): Promise<void> {
  const call = await Call.prepare(cli, read, typed);
  const pages = readPages(cli, call.on, call.input);
  if (cli.json) await writeJson(cli, pages);
  else if (call.input.raw === true) await writeRaw(cli, pages);
  else await writeText(cli, pages, (from) => call.view.again({ from }));
}

async function* readPages(
  cli: CommandLine,
  engine: Engine,
  input: ReadArguments,
): AsyncGenerator<ReadOutput> {
  let left = input.limit ?? Number.POSITIVE_INFINITY;
  for (let from = input.from; ; ) {
    if (cli.signal.aborted) throw new PalimpsestError("cancelled", "reading was cancelled");
    const limit = Math.min(left, PAGE_MESSAGES);
    const page = await runOperation(read, engine, { ...input, from, limit });
    if (page.messages.length === 0 && page.piece === null) requireWithin(page.conversation, from);
    yield page;
    left -= page.messages.length;
    if (page.next === null || left <= 0) return;
    from = page.next;
  }
}

async function writeText(
  cli: CommandLine,
  pages: AsyncIterable<ReadOutput>,
  wayOn: (next: number) => string,
): Promise<void> {
  let shown = 0;
  let last: ReadOutput | undefined;
  for await (const page of pages) {
    const look = cli.look();
    for (const text of readTexts(page, look))
      if (!(await cli.terminal.write(`${shown++ > 0 ? "\n" : ""}${text}\n`))) return;
    last = page;
  }
  if (last === undefined) return;
  const { conversation, next } = last;
  if (shown === 0)
    await cli.writeText(
      conversation.messageCount === 0
        ? `${conversation.id} has no messages.`
        : `None of the messages has this role. ${conversation.id} has messages 1 to ${conversation.messageCount}.`,
    );
  else if (next !== null) await cli.writeText(`\nThere is more: ${wayOn(next)}`);
}

/** Exact bytes for a program; a terminal gets them with control characters made visible. */
async function writeRaw(cli: CommandLine, pages: AsyncIterable<ReadOutput>): Promise<void> {
  for await (const { messages, piece } of pages)
    for (const bytes of piece === null ? messages.map(bytesOf) : [bytesOfPiece(piece)]) {
      const shown = cli.terminal.isOutputShown ? escapeControls(decodeLeniently(bytes)) : bytes;
      await cli.terminal.write(shown);
      if (!(await cli.terminal.write("\n"))) return;
    }
}

function bytesOf(message: ReadOutput["messages"][number]): Uint8Array {
  return originalBytes(message) ?? Buffer.alloc(0);
}

function bytesOfPiece({ texts }: NonNullable<ReadOutput["piece"]>): Uint8Array {
  return Buffer.from(texts.map(({ text }) => text).join(""));
}

/** One document, written as pages come. An error in the middle is written into the document, which is then closed. */
async function writeJson(cli: CommandLine, pages: AsyncIterable<ReadOutput>): Promise<void> {
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
