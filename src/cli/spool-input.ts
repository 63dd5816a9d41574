/** Copies standard input to a temporary file that can be read twice. Only this user may read it. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { PalimpsestError } from "../errors.ts";
import { bytes } from "../text/counted.ts";
import { fileProblem } from "../text/file-problem.ts";
import type { CommandLine } from "./command-line.ts";

export async function withSpooledInput<Result>(
  cli: CommandLine,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  if (cli.terminal.input.isTTY) cli.terminal.note("Reading from the terminal; end with Ctrl-D.");
  const folder = await mkdtemp(path.join(os.tmpdir(), "palimpsest-"));
  try {
    const file = path.join(folder, "input");
    await spool(cli, file);
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function spool(cli: CommandLine, file: string): Promise<void> {
  let read = 0;
  try {
    await pipeline(
      cli.terminal.input,
      async function* (pieces: AsyncIterable<Uint8Array>) {
        for await (const piece of pieces) {
          read += piece.byteLength;
          cli.progress.show(`reading standard input … ${bytes(read)}`);
          yield piece;
        }
      },
      createWriteStream(file, { flags: "wx", mode: 0o600 }),
      { signal: cli.signal },
    );
  } catch (error) {
    if (cli.signal.aborted)
      throw new PalimpsestError("cancelled", "reading standard input was cancelled; nothing was stored");
    throw new PalimpsestError("invalid-input", `cannot buffer standard input: ${fileProblem(error)}`, {
      advice: `It is buffered in ${os.tmpdir()}; free some space there and try again.`,
      cause: error,
    });
  } finally {
    cli.progress.clear();
  }
}
