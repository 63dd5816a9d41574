/** One call of an operation from the command line: parses the input, opens the store, and asks for confirmation. */
import type { z } from "zod";
import type { Engine } from "../engine.ts";
import { isPalimpsestError } from "../errors.ts";
import type { View } from "../operations/command.ts";
import type { Operation } from "../operations/operation.ts";
import { parseInputOn } from "../operations/run-operation.ts";
import type { Setup } from "../operations/setup.ts";
import { requirePointInTime } from "../text/asked-time.ts";
import { countedIn } from "../text/counted.ts";
import type { CommandLine } from "./command-line.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import type { Parameter } from "./parameters.ts";
import { fieldsIn, type Typed, typedAgain } from "./typed.ts";

export class Call<Input, Output, Progress, On extends Engine | Setup> {
  readonly cli: CommandLine;
  readonly operation: Operation<Input, Output, Progress, On>;
  readonly typed: Typed;
  readonly on: On;
  readonly input: Input;
  readonly #startedAt = performance.now();
  #last: Progress | undefined;

  constructor(
    cli: CommandLine,
    operation: Operation<Input, Output, Progress, On>,
    typed: Typed,
    { on, input }: { readonly on: On; readonly input: Input },
  ) {
    this.cli = cli;
    this.operation = operation;
    this.typed = typed;
    this.on = on;
    this.input = input;
  }

  /** `given`: input that replaces the typed one. */
  static async prepare<Input, Output, Progress, On extends Engine | Setup>(
    cli: CommandLine,
    operation: Operation<Input, Output, Progress, On>,
    typed: Typed,
    given: object = {},
  ): Promise<Call<Input, Output, Progress, On>> {
    const { command } = operation;
    const fields = { ...fieldsIn(typed, "input"), ...command.sets, ...given };
    const on = await cli.open(operation, fields);
    const input = await parseInputOn(operation, on, withLocalTimes(fields, typed.parameters, on));
    const refusal = command.refuse?.(input, cli);
    if (refusal !== undefined) throw refusal;
    const question = typed.isConfirmed ? null : await command.question?.(on, input);
    if (typeof question === "string") await cli.confirm(question);
    return new Call(cli, operation, typed, { on, input });
  }

  get view(): View<Input, On> {
    const { cli, typed, on, input } = this;
    return {
      look: cli.look(),
      input,
      on,
      isPiped: !cli.terminal.isOutputShown,
      milliseconds: performance.now() - this.#startedAt,
      suggest: (words) => cli.suggest(words),
      again: (changes, words) => cli.suggest(typedAgain(typed, Object(input), changes, words)),
      flags: <Schema extends z.ZodObject>(schema: Schema) => schema.parse(fieldsIn(typed, "view")),
    };
  }

  /** Shows progress, unless the caller does. Null: no progress, which may be faster. */
  async run(
    onProgress: ((step: Progress) => void) | null = (step) => this.#showProgress(step),
    signal = this.cli.signal,
  ): Promise<Output> {
    const { operation, cli } = this;
    const { command } = operation;
    if (command.working !== undefined) cli.progress.show(`${command.working} …`);
    const follow = (step: Progress) => {
      this.#last = step;
      onProgress?.(step);
    };
    try {
      return await operation.run(this.on, this.input, {
        signal,
        ...(onProgress === null ? {} : { onProgress: follow }),
      });
    } catch (error) {
      if (!isPalimpsestError(error)) throw error;
      throw command.stopped?.(error, this.view, this.#last) ?? error;
    } finally {
      cli.progress.clear();
    }
  }

  #showProgress(step: Progress): void {
    const { progress, working = "working" } = this.operation.command;
    const { done, unit }: { done?: unknown; unit?: unknown } = Object(step);
    const steps = `${working} … ${typeof done === "number" ? countedIn(done, String(unit)) : ""}`;
    this.cli.progress.show(progress?.(step) ?? steps);
  }

  /** Writes the output of a command: one JSON document, or text for people. */
  async answer(output: Output): Promise<void> {
    const { cli, operation } = this;
    this.settle(output);
    if (cli.json) return cli.writeJson(Object(output));
    await cli.writeText(await operation.command.text(output, this.view));
  }

  /** Sets the exit code for an output. */
  settle(output: Output): void {
    const outcome = this.operation.command.outcome?.(output);
    if (outcome !== undefined) this.cli.exitCode = EXIT_CODES[outcome];
  }
}

/** Runs a command that has no special implementation. */
export async function runCommand<Input, Output, Progress, On extends Engine | Setup>(
  cli: CommandLine,
  operation: Operation<Input, Output, Progress, On>,
  typed: Typed,
  given: object = {},
): Promise<void> {
  const call = await Call.prepare(cli, operation, typed, given);
  const stream = operation.command.stream?.(call.on, call.input, call.view);
  if (stream === undefined || cli.json) return call.answer(await call.run());
  await cli.writeStream(stream);
}

/** Times that a person types are local to the time zone in which times are shown to them. */
function withLocalTimes(
  input: Readonly<Record<string, unknown>>,
  parameters: readonly Parameter[],
  on: Engine | Setup,
): object {
  if (!("config" in on)) return input;
  const times = parameters.filter(({ value }) => value === "time");
  const given = times.flatMap(({ field, name }) => {
    const text = input[field];
    return typeof text === "string"
      ? [[field, requirePointInTime(`--${name}`, text, Date.now(), on.config.timezone)]]
      : [];
  });
  return { ...input, ...Object.fromEntries(given) };
}
