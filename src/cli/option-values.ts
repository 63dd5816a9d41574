/** Turns the text of an option into its value; what does not fit is refused with the reason. */
import { InvalidArgumentError, Option } from "commander";
import { count } from "../text/counted.ts";
import { idIn, isMessageId, parseMessageId } from "../text/identifiers.ts";
import { ROLES, type Role } from "../types.ts";

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It must be a whole number.");
}

/** Shells offer the roles; several may be given. */
export function roleOption(): Option {
  return new Option("--role <roles>", "only these (repeat or separate by comma)")
    .choices(ROLES)
    .argParser(roles);
}

/** One or more roles, by comma or by repeating the option. */
function roles(text: string, before: readonly Role[] = []): readonly Role[] {
  const given = text.split(",").map((name) => {
    const role = ROLES.find((known) => known === name.trim());
    if (role === undefined) throw new InvalidArgumentError(`A role is one of ${ROLES.join(", ")}.`);
    return role;
  });
  return [...new Set([...before, ...given])];
}

/** Several values by repeating the option. */
export function several(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** A number, or a message's id, is a message of the turn; anything else is the turn's key. */
export function turnName(text: string): string | number {
  if (/^[1-9]\d*$/.test(text)) return wholeNumber(text);
  const id = idIn(text);
  return isMessageId(id) ? parseMessageId(id).seq : text;
}

export function positiveNumber(text: string): number {
  const value = wholeNumber(text);
  if (value > 0) return value;
  throw new InvalidArgumentError("It must be a whole number from 1.");
}

/** One or more names, by comma or by repeating the option. */
export function names(text: string, before: readonly string[] = []): readonly string[] {
  const given = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (given.length === 0) throw new InvalidArgumentError("It must name something.");
  return [...before, ...given];
}

/** A number from 1 to the most that there may be. */
export function numberUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = wholeNumber(text);
    if (value > 0 && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${count(most)}.`);
  };
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A time as it is written, or how long ago: 90m, 12h, 3d, 2w. */
export function pointInTime(text: string): string {
  const [, amount, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (amount === undefined) return text;
  return new Date(Date.now() - Number(amount) * (UNIT_MS[unit] ?? 0)).toISOString();
}
