/**
 * The basis of all block readers: an object of unknown shape, and one error for a block that does not fit. A
 * `Misfit` never leaves this stage: strict reading turns it into an error that names the place, lenient
 * reading keeps the strings of the block as an `other` part.
 */
import { PalimpsestError } from "../errors.ts";
import type { Part } from "../types.ts";
import { stringsInside } from "./strings-inside.ts";

export type Block = Readonly<Record<string, unknown>>;

/** Reads one block into its parts, or throws a `Misfit`. */
export type ReadBlock = (block: Block) => readonly Part[];

export interface Reading {
  readonly strict: boolean;
  /** How errors name the message, e.g. `messages[0]`. */
  readonly place: string;
}

export class Misfit extends Error {
  /** The path within the block: `.id`. */
  readonly at: string;

  constructor(at: string, found: unknown, expected: string) {
    super(`is ${kindOf(found)}: expected ${expected}`);
    this.at = at;
  }
}

export function isBlock(value: unknown): value is Block {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is a string. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function requireText(block: Block, field: string, expected = "a string"): string {
  const value = block[field];
  if (typeof value !== "string") throw new Misfit(`.${field}`, value, expected);
  return value;
}

/** Null if the field is absent; a misfit if it is not a string. */
export function optionalText(block: Block, field: string): string | null {
  return block[field] === undefined || block[field] === null ? null : requireText(block, field);
}

/** Null if the field is absent; a misfit if it is not a number. */
export function optionalNumber(block: Block, field: string): number | null {
  const value = block[field] ?? null;
  if (value === null || typeof value === "number") return value;
  throw new Misfit(`.${field}`, value, "a number");
}

/** Reads `value`, found under `field` (and at `index`, in a list), strictly or leniently as the mode says. */
export function readFitting<Value>(
  reading: Reading,
  field: string,
  index: number | null,
  value: Value,
  read: (value: Value) => readonly Part[],
): readonly Part[] {
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    if (!reading.strict) return [otherPart(value)];
    const place = `${reading.place}${field}${index === null ? "" : `[${index}]`}${error.at}`;
    throw new PalimpsestError("invalid-input", `${place} ${error.message}`, {
      advice: "Pass the message exactly as its API accepts or returned it.",
    });
  }
}

/** A block of unknown type: keeps every string in it, so that it can be found. */
export function otherPart(value: unknown): Part {
  const blockType = isBlock(value) ? textOf(value.type) : null;
  return { type: "other", blockType: blockType ?? "unknown", text: stringsInside(value) };
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "string") return `"${value.slice(0, 40)}"`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
