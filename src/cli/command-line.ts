/** Shared by all commands: options, the engine, and output. */
import { createInterface } from "node:readline/promises";
import { choosePager } from "../config/pager.ts";
import type { Config } from "../config/schema.ts";
import type { Engine } from "../engine.ts";
import { isPalimpsestError, PalimpsestError } from "../errors.ts";
import type { Observe } from "../events.ts";
import type { Log } from "../log.ts";
import type { Operation } from "../operations/operation.ts";
import type { Setup } from "../operations/setup.ts";
import { escapeControls, oneLine } from "../text/escape-controls.ts";
import type { Look } from "../text/terminal/look.ts";
import { fitWidth } from "../text/terminal/table.ts";
import { type GlobalOptions, repeatOptions, settingsOf } from "./global-options.ts";
import type { Terminal } from "./terminal.ts";

export class CommandLine {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly progress: ProgressLine;
  exitCode = 0;
  /** A server writes only logs to its terminal. */
  isServer = false;
  /** Whether a long-running command also indexes and compacts in the background. */
  worksInBackground = false;
  /** Observes the engine, for the metrics of a server. */
  observe: Observe | undefined;
  #options: GlobalOptions = {};
  #setup: Setup | undefined;
  #engine: Engine | undefined;

  constructor(terminal: Terminal, signal: AbortSignal) {
    this.terminal = terminal;
    this.signal = signal;
    this.progress = new ProgressLine(terminal);
  }

  set options(options: GlobalOptions) {
    this.#options = options;
    this.terminal.isColourAllowed = options.color !== false;
  }

  get json(): boolean {
    return this.#options.json === true;
  }

  /** Opened once, when a command needs it first. The store must exist, unless the command creates it. */
  async engine({
    makesStore = false,
    readsDamaged = false,
  }: {
    readonly makesStore?: boolean;
    readonly readsDamaged?: boolean;
  } = {}): Promise<Engine> {
    const background = this.worksInBackground ? "auto" : "off";
    const observed = this.observe === undefined ? {} : { observe: this.observe };
    const how = { mustExist: !makesStore, readsDamaged, background, ...observed } as const;
    this.#engine ??= await (await this.setUp()).open(how);
    return this.#engine;
  }

  /** The configuration, without opening a store. */
  async settings(): Promise<Config> {
    return (await this.setUp()).loadUsable().config;
  }

  /** The log for messages that are not part of the output. */
  async log(): Promise<Log> {
    const { createLog } = await import("../log.ts");
    return createLog(await this.settings());
  }

  /** Opens what an operation runs on. A missing store is not created if there is nothing to store; the error says why. */
  async open<Input, Output, Progress, On extends Engine | Setup>(
    operation: Operation<Input, Output, Progress, On>,
    input: object,
  ): Promise<On> {
    const on = operation.runsOn === "setup" ? this.setUp() : this.#engineFor(operation, input);
    return (await on) as On;
  }

  async #engineFor<Input, Output, Progress, On>(
    operation: Operation<Input, Output, Progress, On>,
    input: object,
  ): Promise<Engine> {
    const { parseInput } = await import("../operations/run-operation.ts");
    const why = (await operation.whyNothing?.(parseInput(operation, input))) ?? null;
    if (why === null) return this.engine(operation);
    return this.engine().catch((error: unknown) => {
      throw isPalimpsestError(error, "not-found") ? why : error;
    });
  }

  /** From here on, long output goes through a pager if a person reads it. */
  page(): void {
    if (!this.json && this.#options.pager !== false) this.terminal.pager = choosePager();
  }

  async writeJson(output: object): Promise<void> {
    await this.terminal.write(
      `${JSON.stringify(output, null, this.terminal.isOutputShown ? 2 : undefined)}\n`,
    );
  }

  async writeText(text: string): Promise<void> {
    await this.terminal.write(`${text}\n`);
  }

  /** Exact bytes for a program; for a terminal, control characters are replaced by visible ones. */
  async writeStream(pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    const shown = (piece: string | Uint8Array) =>
      escapeControls(typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
    for await (const piece of pieces) {
      if (this.signal.aborted)
        throw new PalimpsestError("cancelled", "writing was cancelled before it finished");
      if (!(await this.terminal.write(this.terminal.isOutputShown ? shown(piece) : piece))) return;
    }
  }

  look(): Look {
    return this.terminal.look(this.#engine?.config.timezone);
  }

  /** Throws unless a person agrees. */
  async confirm(question: string): Promise<void> {
    await confirm(question, this.terminal, this.signal);
  }

  /** A command to type next, with the options that reach the same store. */
  suggest(words: string): string {
    return `lcm ${repeatOptions(this.#options)}${words}`;
  }

  async close(): Promise<void> {
    this.progress.clear();
    const engine = this.#engine;
    this.#engine = undefined;
    await engine?.close();
  }

  /** The set-up, without an open engine. */
  async setUp(): Promise<Setup> {
    if (this.#setup === undefined) {
      const { setUp } = await import("../operations/setup.ts");
      const { config: file } = this.#options;
      this.#setup = setUp({
        options: settingsOf(this.#options),
        isForPeople: !this.isServer && (this.terminal.isProgressShown || !this.json),
        ...(file === undefined ? {} : { file }),
      });
    }
    return this.#setup;
  }
}

/** The person did not agree to what a question asked, or pressed Ctrl-C. */
export class Declined extends PalimpsestError {
  readonly isInterrupted: boolean;

  constructor(options: { readonly isInterrupted: boolean; readonly cause?: unknown }) {
    super("cancelled", "Cancelled; nothing was changed.", options);
    this.isInterrupted = options.isInterrupted;
  }
}

/** Asks before something is removed. Without an interactive terminal, `--yes` is required. */
async function confirm(question: string, terminal: Terminal, signal: AbortSignal): Promise<void> {
  if (!terminal.isAttended)
    throw new PalimpsestError("invalid-input", "confirmation required but no terminal; pass --yes", {
      advice: `--yes confirms this: ${asStatement(question)}\nNothing was changed.`,
    });
  const asked = terminal.errorLook().wrap(`${escapeControls(question)} [y/N]`);
  const answer = await ask(`${asked} `, terminal, signal);
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new Declined({ isInterrupted: false });
}

/** The last line of a longer question only asks. */
function asStatement(question: string): string {
  const [asked = "", ...above] = question.split("\n").toReversed();
  return above.length === 0 ? asked.replace(/\?$/, ".") : above.toReversed().join("\n");
}

/**
 * The answer; Ctrl-D is an empty one. The terminal edits the line itself: in the mode in which `readline` edits it, a Ctrl-D
 * that was typed before the question is lost.
 */
async function ask(question: string, terminal: Terminal, signal: AbortSignal): Promise<string> {
  const input = createInterface({ input: terminal.input, output: terminal.errorOutput, terminal: false });
  const ended = new Promise<undefined>((resolve) => input.once("close", () => resolve(undefined)));
  try {
    const answer = await Promise.race([input.question(question, { signal }), ended]);
    if (answer === undefined) terminal.note("");
    return answer ?? "";
  } catch (error) {
    // The cursor is still behind the question.
    terminal.note("");
    throw new Declined({ isInterrupted: true, cause: error });
  } finally {
    input.close();
  }
}

/** One progress line on standard error, which is overwritten as work continues and removed when it is done. */
const INTERVAL_MS = 80;
const CLEAR = "\r\u001b[2K";

class ProgressLine {
  readonly #terminal: Terminal;
  #shownAt = 0;
  #isShown = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(text: string): void {
    const now = Date.now();
    if (!this.#terminal.isProgressShown || this.#terminal.isPaging || now - this.#shownAt < INTERVAL_MS)
      return;
    this.#shownAt = now;
    this.#isShown = true;
    this.#terminal.control(CLEAR + fitWidth(oneLine(text), this.#terminal.errorLook().columns - 1));
  }

  clear(): void {
    if (this.#isShown) this.#terminal.control(CLEAR);
    this.#isShown = false;
  }
}
