/** Standard output and standard error of this process: results go to the one, everything else to the other. */
import type { Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import type { PagerChoice } from "../config/pager.ts";
import { createLook, type Look } from "./look.ts";
import { type Pager, startPager } from "./pager.ts";

/** Width of the line when nobody looks at it, or the terminal does not tell. */
const PIPE_COLUMNS = 120;

export class Terminal {
  readonly #out: WriteStream = process.stdout;
  readonly #error: WriteStream = process.stderr;
  #isColourAllowed = true;
  #isReaderGone = false;
  /** Not started before there is something to read. */
  #pager: Promise<Pager | undefined> | undefined;
  #pagerChoice: PagerChoice | undefined;

  constructor() {
    // A reader that has seen enough (`| head`) closes the pipe; the write's own callback tells about it.
    this.#out.on("error", (error) => this.#noteBrokenPipe(error));
    this.#error.on("error", (error) => this.#noteBrokenPipe(error));
  }

  set isColourAllowed(allowed: boolean) {
    this.#isColourAllowed = allowed;
  }

  /** What a person reads answers with from now on, where there is one to read them. */
  set pager(choice: PagerChoice | undefined) {
    this.#pagerChoice = this.isOutputShown && process.stdin.isTTY === true ? choice : undefined;
  }

  /** Whether keys, Ctrl-C among them, are meant for the pager. */
  get isPaging(): boolean {
    return this.#pager !== undefined;
  }

  get isOutputShown(): boolean {
    return this.#out.isTTY === true;
  }

  get isProgressShown(): boolean {
    return this.#error.isTTY === true;
  }

  /** Whether there is a person to ask. */
  get isAttended(): boolean {
    return process.stdin.isTTY === true && this.#error.isTTY === true;
  }

  look(timezone: string | undefined): Look {
    return createLook({
      colour: this.#hasColour(this.#out),
      columns: this.#out.columns || PIPE_COLUMNS,
      timezone,
    });
  }

  /** Look of what is said on standard error. */
  errorLook(): Look {
    const columns = this.#error.columns || PIPE_COLUMNS;
    return createLook({ colour: this.#hasColour(this.#error), columns, timezone: undefined });
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
    this.#error.write(`${line}\n`);
  }

  /** Cursor movements of a progress line. */
  control(sequence: string): void {
    this.#error.write(sequence);
  }

  #hasColour(stream: WriteStream): boolean {
    return this.#isColourAllowed && stream.isTTY === true && stream.hasColors();
  }

  async #reader(): Promise<Writable> {
    if (this.#pagerChoice === undefined) return this.#out;
    this.#pager ??= startPager(this.#pagerChoice).then((pager) => {
      pager?.input.on("error", (error) => this.#noteBrokenPipe(error));
      return pager;
    });
    return (await this.#pager)?.input ?? this.#out;
  }

  #noteBrokenPipe(error: Error): void {
    if (!isBrokenPipe(error)) throw error;
    this.#isReaderGone = true;
  }
}

function isBrokenPipe(error: Error): boolean {
  return "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}
