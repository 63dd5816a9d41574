/** The standard streams of a command: results go to standard output, everything else to standard error. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import type { PagerChoice } from "../config/pager.ts";
import { createLook, type Look } from "../text/terminal/look.ts";

type Output = Writable & Partial<Pick<WriteStream, "isTTY" | "columns" | "hasColors">>;

/** The standard streams of a process, or what takes their place. */
export interface StandardStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Width of the line when nobody looks at it, or the terminal does not tell. */
const PIPE_COLUMNS = 120;

export class Terminal {
  readonly #streams: StandardStreams;
  #isColourAllowed = true;
  #isReaderGone = false;
  /** Not started before there is something to read. */
  #pager: Promise<Pager | undefined> | undefined;
  #pagerChoice: PagerChoice | undefined;

  constructor(streams: StandardStreams) {
    this.#streams = streams;
    // A reader that has seen enough (`| head`) closes the pipe; the write's own callback tells about it.
    this.#streams.stdout.on("error", (error) => this.#noteBrokenPipe(error));
    this.#streams.stderr.on("error", (error) => this.#noteBrokenPipe(error));
  }

  get input(): StandardStreams["stdin"] {
    return this.#streams.stdin;
  }

  /** Where questions are asked. */
  get errorOutput(): Output {
    return this.#streams.stderr;
  }

  set isColourAllowed(allowed: boolean) {
    this.#isColourAllowed = allowed;
  }

  /** What a person reads answers with from now on, where there is one to read them. */
  set pager(choice: PagerChoice | undefined) {
    this.#pagerChoice = this.isOutputShown && this.#streams.stdin.isTTY === true ? choice : undefined;
  }

  /** Whether keys, Ctrl-C among them, are meant for the pager. */
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
      timezone,
    });
  }

  /** Look of what is said on standard error. */
  errorLook(): Look {
    const columns = this.#streams.stderr.columns || PIPE_COLUMNS;
    return createLook({ colour: this.#hasColour(this.#streams.stderr), columns, timezone: undefined });
  }

  /** Resolves once it is written; false when nobody reads any more. */
  async write(chunk: string | Uint8Array): Promise<boolean> {
    const out = await this.#reader();
    return new Promise((resolve, reject) => {
      if (this.#isReaderGone) return resolve(false);
      out.write(chunk, (error) => {
        if (error === null || error === undefined) resolve(true);
        else if (isBrokenPipe(error)) resolve(false);
        else reject(error);
      });
    });
  }

  /** Waits until what was written has been read, where a pager shows it. */
  async finishPaging(): Promise<void> {
    const pager = await this.#pager;
    this.#pagerChoice = undefined;
    await pager?.finish();
    this.#pager = undefined;
  }

  /** For people only: on standard error, never part of a result. */
  note(line: string): void {
    this.#streams.stderr.write(`${line}\n`);
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
      pager?.input.on("error", (error) => this.#noteBrokenPipe(error));
      return pager;
    });
    return (await this.#pager)?.input ?? this.#streams.stdout;
  }

  #noteBrokenPipe(error: Error): void {
    if (!isBrokenPipe(error)) throw error;
    this.#isReaderGone = true;
  }
}

function isBrokenPipe(error: Error): boolean {
  return "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}

/** A long answer is read in the person's pager, which gets it piece by piece. */
interface Pager {
  readonly input: Writable;
  /** Says that nothing more comes, and waits until the person has read it. */
  finish(): Promise<void>;
}

/** None when the program cannot be started: then the answer is simply shown. */
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
