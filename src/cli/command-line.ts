/** What commands share: the options, the engine that they open, and how answers leave. */
import type { Config } from "../config/schema.ts";
import type { Engine } from "../engine.ts";
import { isPalimpsestError } from "../errors.ts";
import type { Operation, Steps } from "../operations/operation.ts";
import type { Setup } from "../operations/setup.ts";
import { countedIn } from "./amounts.ts";
import { confirm } from "./confirm.ts";
import { type GlobalOptions, repeatOptions, settingsOf } from "./global-options.ts";
import { withLocalTimes } from "./local-times.ts";
import type { Look } from "./look.ts";
import { ProgressLine } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

export class CommandLine {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly progress: ProgressLine;
  exitCode = 0;
  /** Nobody reads answers of a server on its terminal, only its logs. */
  isServer = false;
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

  /** Opened once, when a command needs it first. The store must be there, unless the command makes it. */
  async engine({ makesStore = false }: { readonly makesStore?: boolean } = {}): Promise<Engine> {
    this.#engine ??= await (await this.#setUp()).open({ mustExist: !makesStore });
    return this.#engine;
  }

  /** As they are configured, without opening anything. */
  async settings(): Promise<Config> {
    return (await this.#setUp()).loadUsable().config;
  }

  /** An operation that would make a store, and has nothing to put into it, makes none and says why. */
  async #engineFor<Input, Output, Progress>(
    operation: Operation<Input, Output, Progress>,
    input: object,
  ): Promise<Engine> {
    const { parseInput } = await import("../operations/run-operation.ts");
    const why = (await operation.whyNothing?.(parseInput(operation, input))) ?? null;
    if (why === null) return this.engine(operation);
    return this.engine().catch((error: unknown) => {
      throw isPalimpsestError(error, "not-found") ? why : error;
    });
  }

  async run<Input, Output, Progress>(
    operation: Operation<Input, Output, Progress>,
    input: object,
    onProgress?: (progress: Progress) => void,
    signal = this.signal,
  ): Promise<Output> {
    const { runOperation } = await import("../operations/run-operation.ts");
    const use = { signal, ...(onProgress === undefined ? {} : { onProgress }) };
    try {
      const engine = await this.#engineFor(operation, input);
      return await runOperation(operation, engine, withLocalTimes(input, engine.config.timezone), use);
    } finally {
      this.progress.clear();
    }
  }

  /** For operations that answer although no engine can be opened. */
  async runOnSetup<Input, Output>(
    operation: Operation<Input, Output, Steps, Setup>,
    input: object,
    onProgress?: (progress: Steps) => void,
  ): Promise<Output> {
    const { runOperation } = await import("../operations/run-operation.ts");
    const use = { signal: this.signal, ...(onProgress === undefined ? {} : { onProgress }) };
    try {
      return await runOperation(operation, await this.#setUp(), input, use);
    } finally {
      this.progress.clear();
    }
  }

  /** Shows how far an operation has come. */
  steps(verb: string): (progress: Steps) => void {
    return ({ done, unit }) => this.progress.show(`${verb} … ${countedIn(done, unit)}`);
  }

  /** The answer of a command: one JSON document, or text for people. */
  async answer(output: object, render: (look: Look) => string): Promise<void> {
    await this.terminal.write(this.json ? this.toJson(output) : `${render(this.look())}\n`);
  }

  toJson(output: object): string {
    return `${JSON.stringify(output, null, this.terminal.isOutputShown ? 2 : undefined)}\n`;
  }

  look(): Look {
    return this.terminal.look(this.#engine?.config.timezone);
  }

  /** Throws unless a person or `--yes` agrees. The question looks first, and refuses what is not there. */
  async confirm(question: () => Promise<string>, options: { readonly yes?: true }): Promise<void> {
    if (options.yes !== true) await confirm(await question(), this.terminal, this.signal);
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

  async #setUp(): Promise<Setup> {
    if (this.#setup === undefined) {
      const { setUp } = await import("../operations/setup.ts");
      const { config: file } = this.#options;
      this.#setup = setUp({
        options: settingsOf(this.#options),
        isOnTerminal: this.terminal.isProgressShown && !this.isServer,
        ...(file === undefined ? {} : { file }),
      });
    }
    return this.#setup;
  }
}
