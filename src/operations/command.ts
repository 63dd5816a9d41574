/**
 * An operation as people call it: `lcm files list my-session --limit 20`. Flags, help, validation and the command
 * that continues a list are derived from the operation's input. This file contains only what the input cannot
 * express.
 */
import type { z } from "zod";
import type { ErrorCode, PalimpsestError } from "../errors.ts";
import type { Look } from "../text/terminal/look.ts";

export interface Command<Input, Output, Progress, On> {
  /** Fields of the input that are given as words, without a flag, in this order. */
  readonly positional?: readonly string[];
  /** How a field is given where that is not derived. A text is another name for the flag; `false` offers none. */
  readonly flags?: Readonly<Record<string, Flag | string | false>>;
  /** Other ways to give parts of the input: each flag stands for one or more fields. */
  readonly also?: Readonly<Record<string, OtherWay<Input>>>;
  /** Flags that change only what is shown. */
  readonly view?: z.ZodObject;
  /** What the command says by itself: people neither see it nor say otherwise. */
  readonly sets?: Partial<Input>;
  /** Lines of help: a command, and what it does. */
  readonly examples?: readonly (readonly [command: string, remark?: string])[];
  /** Long answers, which are read in a pager. */
  readonly paged?: true;
  /** What is being done, while it is: `exporting`. */
  readonly working?: string;
  /** How far it has come. Default for steps: `working`, and how many. */
  progress?(step: Progress): string;
  /** Why the input is refused on a command line, although the operation would take it. */
  refuse?(input: Input, asked: { readonly json: boolean }): PalimpsestError | undefined;
  /** Asked before it runs, unless `--yes` is given. Null: there is nothing to ask. */
  question?(on: On, input: Input): Promise<string | null> | string | null;
  /** What goes to standard output instead of an answer; undefined where an answer is wanted. */
  stream?(on: On, input: Input, view: View<Input, On>): AsyncIterable<string | Uint8Array> | undefined;
  /** What a person reads. */
  text(output: Output, view: View<Input, On>): Promise<string> | string;
  /** What kind of outcome it is for scripts; undefined for one that is as it should be. */
  outcome?(output: Output): Outcome | undefined;
  /** What is told when it was stopped or failed in the middle. */
  stopped?(error: PalimpsestError, view: View<Input, On>, last: Progress | undefined): PalimpsestError;
}

export type Outcome = ErrorCode | "found-problems" | "target-missed";

export interface Flag {
  /** Without the dashes. Default: the field's name; of a list, in the singular. A name with `no-` gives false. */
  readonly name?: string;
  /** One letter for it. */
  readonly letter?: string;
  /** What stands for the value in help: `tokens` for `<tokens>`. */
  readonly value?: string;
  /** What else to say about it in help, where it takes more than the field does. */
  readonly hint?: string;
  /** Refused without it, although the input may come without. */
  readonly isRequired?: true;
  /** Words that mean another value than their text. */
  readonly words?: Readonly<Record<string, unknown>>;
  /** Of a list: a value may hold a comma, so that several are given only by repeating the flag. */
  readonly holdsCommas?: true;
  /** Reads the text of the value, and refuses with the reason. Default: by the field's type. */
  read?(text: string): unknown;
}

export interface OtherWay<Input> extends Pick<Flag, "letter" | "value"> {
  readonly description: string;
  /** Another way, with which it cannot be given. */
  readonly conflicts?: string;
  /** For a switch: what it stands for. */
  readonly sets?: Partial<Input>;
  /** For one with a value. */
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
  /** The same command as it would be typed again, with these fields changed; undefined leaves one out. */
  again(changes?: Changes, words?: string): string;
}
