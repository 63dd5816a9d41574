/**
 * Writes the results of an operation as soon as they are found, and stops the operation when the reader closes
 * the output.
 */

import type { Look } from "../text/terminal/look.ts";
import type { CommandLine } from "./command-line.ts";

interface Finding<Item, Output> {
  readonly run: (onItem: (item: Item) => void, signal: AbortSignal) => Promise<Output>;
  readonly itemsOf: (output: Output) => readonly Item[];
  readonly render: (item: Item, look: Look) => string;
  /** The last lines; omitted when empty. */
  readonly closing: (output: Output) => string;
}

export async function writeAll<Item, Output>(
  cli: CommandLine,
  { run, itemsOf, render, closing }: Finding<Item, Output>,
): Promise<Output | null> {
  const readerGone = new AbortController();
  let written = 0;
  let writing = Promise.resolve(true);
  const write = (item: Item) => {
    const text = `${written++ > 0 ? "\n" : ""}${render(item, cli.look())}\n`;
    writing = writing.then(async (goesOn) => {
      cli.progress.clear();
      const isRead = goesOn && (await cli.terminal.write(text));
      if (!isRead) readerGone.abort();
      return isRead;
    });
  };
  try {
    const output = await run(write, AbortSignal.any([cli.signal, readerGone.signal]));
    // Ranked results arrive all at once.
    for (const item of itemsOf(output).slice(written)) write(item);
    const last = closing(output);
    if ((await writing) && last !== "") await cli.terminal.write(`${written > 0 ? "\n" : ""}${last}\n`);
    return output;
  } catch (error) {
    await writing;
    if (readerGone.signal.aborted) return null;
    throw error;
  }
}
