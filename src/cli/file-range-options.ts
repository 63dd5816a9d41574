/** Which part of a file: the options that `files cat` and `describe` share. */
import { type Command, InvalidArgumentError, Option } from "commander";

interface Range {
  readonly from: number;
  /** Undefined: to the end. */
  readonly to: number | undefined;
}

export interface RangeOptions {
  readonly lines?: Range;
  readonly bytes?: Range;
}

export function addRangeOptions(command: Command): Command {
  const lines = new Option(
    "--lines <range>",
    "of a file: 10-20, both inclusive; 10- for the rest; 10 for one",
  );
  return command
    .addOption(lines.argParser(lineRange).conflicts("bytes"))
    .option("--bytes <range>", "of a file: 0-1000, without the byte 1000; 1000- for the rest", byteRange);
}

export function rangeOf({ lines, bytes }: RangeOptions) {
  return { startLine: lines?.from, endLine: lines?.to, startByte: bytes?.from, endByte: bytes?.to };
}

function lineRange(text: string): Range {
  const [, from = "", dash, to = ""] = /^(\d{1,15})(-)?(\d{1,15})?$/.exec(text) ?? [];
  if (from === "" || Number(from) < 1)
    throw new InvalidArgumentError("It is like 10-20, 10- or 10; lines count from 1.");
  if (dash === undefined) return { from: Number(from), to: Number(from) };
  return toRange(from, to);
}

function byteRange(text: string): Range {
  const [, from = "", to = ""] = /^(\d{1,15})-(\d{1,15})?$/.exec(text) ?? [];
  if (from === "") throw new InvalidArgumentError("It is like 0-1000 or 1000-; bytes count from 0.");
  return toRange(from, to);
}

function toRange(from: string, to: string): Range {
  if (to !== "" && Number(to) < Number(from)) throw new InvalidArgumentError("It ends before it begins.");
  return { from: Number(from), to: to === "" ? undefined : Number(to) };
}
