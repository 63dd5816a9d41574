/** The standard streams of a command: results go to standard output, everything else to standard error. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import type { PagerChoice } from "../config/pager.ts";
import { createLook, type Look } from "../text/terminal/look.ts";

type Output = Writable & Partial<Pick<WriteStream, "isTTY" | "columns" | "hasColors">>;

/** The standard streams of a process, or replacements for tests. */
export interface StandardStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

/** The line width for pipes, and for terminals with an unknown width. */
const PIPE_COLUMNS = 120;

export class Terminal {
  readonly #streams: StandardStreams;
  #isColourAllowed = true;
  #isReaderGone = false;
  #failure: Error | undefined;
  /** Started with the first output. */
  #pager: Promise<Pager | undefined> | undefined;
  #pagerChoice: PagerChoice | undefined;

  constructor(streams: StandardStreams) {
    this.#streams = streams;
    // A reader such as `| head` may close the pipe early; the callback of the write reports it.
    this.#streams.stdout.on("error", (error) => this.#noteFailure(error));
    // Nobody can be told that standard error cannot be written.
    this.#streams.stderr.on("error", () => {});
  }

  /** Why standard output could not be written, such as a full disk. A reader who closed it is not a failure. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  get input(): StandardStreams["stdin"] {
    return this.#streams.stdin;
  }

  /** The stream for questions. */
  get errorOutput(): Output {
    return this.#streams.stderr;
  }

  set isColourAllowed(allowed: boolean) {
    this.#isColourAllowed = allowed;
  }

  /** Sets the pager for output to a terminal. */
  set pager(choice: PagerChoice | undefined) {
    this.#pagerChoice = this.isOutputShown && this.#streams.stdin.isTTY === true ? choice : undefined;
  }

  /** Whether keys, including Ctrl-C, go to the pager. */
  get isPaging(): boolean {
    return this.#pager !== undefined;
  }

  get isOutputShown(): boolean {
    return this.#streams.stdout.isTTY === true;
  }

  get isProgressShown(): boolean {
    return this.#streams.stderr.isTTY === true;
  }

  /** Whether there is a person to ask. */
  get isAttended(): boolean {
    return this.#streams.stdin.isTTY === true && this.#streams.stderr.isTTY === true;
  }

  look(timezone: string | undefined): Look {
    return createLook({
      colour: this.#hasColour(this.#streams.stdout),
      columns: this.#streams.stdout.columns || PIPE_COLUMNS,
      isTerminal: this.isOutputShown,
      timezone,
    });
  }

  /** The display settings of standard error. */
  errorLook(): Look {
    const columns = this.#streams.stderr.columns || PIPE_COLUMNS;
    const colour = this.#hasColour(this.#streams.stderr);
    return createLook({ colour, columns, isTerminal: this.isProgressShown, timezone: undefined });
  }

  /** Resolves once it is written; false when the reader has closed the stream, or when writing failed. */
  async write(chunk: string | Uint8Array): Promise<boolean> {
    const out = await this.#reader();
    return new Promise((resolve) => {
      if (this.#isReaderGone) return resolve(false);
      out.write(chunk, (error) => {
        if (error) this.#noteFailure(error);
        resolve(!error);
      });
    });
  }

  /** Waits until the user closes the pager, if there is one. */
  async finishPaging(): Promise<void> {
    const pager = await this.#pager;
    this.#pagerChoice = undefined;
    await pager?.finish();
    this.#pager = undefined;
  }

  /** Writes a note for people to standard error, broken at spaces on a terminal. */
  note(text: string): void {
    this.#streams.stderr.write(`${this.errorLook().wrap(text)}\n`);
  }

  /** Cursor movements of a progress line. */
  control(sequence: string): void {
    this.#streams.stderr.write(sequence);
  }

  #hasColour(stream: Output): boolean {
    return this.#isColourAllowed && stream.isTTY === true && stream.hasColors?.() === true;
  }

  async #reader(): Promise<Writable> {
    if (this.#pagerChoice === undefined) return this.#streams.stdout;
    this.#pager ??= startPager(this.#pagerChoice).then((pager) => {
      pager?.input.on("error", (error) => this.#noteFailure(error));
      return pager;
    });
    return (await this.#pager)?.input ?? this.#streams.stdout;
  }

  #noteFailure(error: Error): void {
    if (!isBrokenPipe(error)) this.#failure ??= error;
    this.#isReaderGone = true;
  }
}

function isBrokenPipe(error: Error): boolean {
  return "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}

/** The user's pager, which receives long output in pieces. */
interface Pager {
  readonly input: Writable;
  /** Ends the output and waits until the user closes the pager. */
  finish(): Promise<void>;
}

/** Undefined when the program cannot be started; output is then written directly. */
async function startPager({ command, environment }: PagerChoice): Promise<Pager | undefined> {
  const [program = "", ...words] = command;
  const child = spawn(program, words, { env: environment, stdio: ["pipe", "inherit", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    await once(child, "spawn");
  } catch {
    return undefined;
  }
  return {
    input: child.stdin,
    finish: () => {
      child.stdin.end();
      return ended;
    },
  };
}
