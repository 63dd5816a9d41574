/**
 * An operation as people call it: `lcm files list my-session --limit 20`. Flags, help, validation and the command
 * that continues a list are derived from the operation's input. This file contains only what the input cannot
 * express.
 */
import type { z } from "zod";
import type { ErrorCode, PalimpsestError } from "../errors.ts";
import type { Look } from "../text/terminal/look.ts";

export interface Command<Input, Output, Progress, On> {
  /** Fields of the input that are positional arguments, without a flag, in this order. */
  readonly positional?: readonly string[];
  /** Overrides for the flag of a field. A text is another name for the flag; `false` means no flag. */
  readonly flags?: Readonly<Record<string, Flag | string | false>>;
  /** Other ways to give parts of the input: each flag sets one or more fields. */
  readonly also?: Readonly<Record<string, OtherWay<Input>>>;
  /** Flags that change only the display. */
  readonly view?: z.ZodObject;
  /** Fixed input of the command, which users cannot see or change. */
  readonly sets?: Partial<Input>;
  /** Examples for the help: a command and its description. */
  readonly examples?: readonly (readonly [command: string, remark?: string])[];
  /** Shows long output in a pager. */
  readonly paged?: true;
  /** The activity for the progress line: `exporting`. */
  readonly working?: string;
  /** The text of the progress line. Default for steps: `working` and their number. */
  progress?(step: Progress): string;
  /** Rejects input that only the command line does not accept. */
  refuse?(input: Input, asked: { readonly json: boolean }): PalimpsestError | undefined;
  /** Asked before it runs, unless `--yes` is given. Null: no question is needed. */
  question?(on: On, input: Input): Promise<string | null> | string | null;
  /** The content of standard output instead of an answer; undefined for a normal answer. */
  stream?(on: On, input: Input, view: View<Input, On>): AsyncIterable<string | Uint8Array> | undefined;
  /** The output for people. */
  text(output: Output, view: View<Input, On>): Promise<string> | string;
  /** The outcome for scripts; undefined for success. */
  outcome?(output: Output): Outcome | undefined;
  /** The error when it was stopped or failed in the middle. */
  stopped?(error: PalimpsestError, view: View<Input, On>, last: Progress | undefined): PalimpsestError;
}

export type Outcome = ErrorCode | "found-problems" | "target-missed";

export interface Flag {
  /** Without the dashes. Default: the field's name; of a list, in the singular. A name with `no-` gives false. */
  readonly name?: string;
  /** The one-letter flag. */
  readonly letter?: string;
  /** The placeholder for the value in help: `tokens` for `<tokens>`. */
  readonly value?: string;
  /** Replaces the description of the field in the help, if the flag has another unit or other values. */
  readonly description?: string;
  /** An addition to the help, if it accepts more than the field. */
  readonly hint?: string;
  /** Required on the command line, although optional in the input. */
  readonly isRequired?: true;
  /** Words that map to other values. */
  readonly words?: Readonly<Record<string, unknown>>;
  /** For a list: a value may contain a comma, so several values need a repeated flag. */
  readonly holdsCommas?: true;
  /** Parses the value, or throws with the reason. Default: by the field's type. */
  read?(text: string): unknown;
}

export interface OtherWay<Input> extends Pick<Flag, "letter" | "value"> {
  readonly description: string;
  /** Another flag that it cannot be combined with. */
  readonly conflicts?: string;
  /** For a switch: the input that it sets. */
  readonly sets?: Partial<Input>;
  /** For a flag with a value. */
  readonly toInput?: (text: string) => Partial<Input>;
}

export type Changes = Readonly<Record<string, string | number | true | undefined>>;

export interface View<Input, On> {
  readonly look: Look;
  readonly input: Input;
  readonly on: On;
  /** Whether standard output goes to a program or a file, and not to a terminal. */
  readonly isPiped: boolean;
  /** How long it took. */
  readonly milliseconds: number;
  /** The flags that change only what is shown. */
  flags<Schema extends z.ZodObject>(schema: Schema): z.output<Schema>;
  /** A command to type next, with the options that reach the same store. */
  suggest(words: string): string;
  /** The same command line with these fields changed; undefined omits a field. */
  again(changes?: Changes, words?: string): string;
}
