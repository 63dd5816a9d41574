/** Which content of a host's configuration is ours: known from the record of a set-up, or recognised without one. */
import { isDeepStrictEqual } from "node:util";
import { parse } from "jsonc-parser";
import { isObject } from "./json-values.ts";

/** Undefined or null: there was none. */
interface KnownValue {
  /** Before the first set-up. */
  readonly found: unknown;
  /** Written by the last set-up. */
  readonly written: unknown;
}

export function isOurs(
  present: unknown,
  value: unknown,
  { found, written }: KnownValue,
  looksOurs?: (present: unknown) => boolean,
): boolean {
  const is = (other: unknown) => isDeepStrictEqual(other, present);
  return is(value) || (is(written) && !is(found)) || looksOurs?.(present) === true;
}

/** An entry or a file that starts `lcm`, at any location of the package. */
export function startsLcm(entry: unknown): boolean {
  return /[\\/]lcm\.mjs\b/.test(JSON.stringify(entry));
}

/** Matches the program and its host argument with any store, in any folder, since the package may have moved. */
const HOOK =
  /bin[/\\]+hook\.mjs["']?\s+(?:claude-code|codex|gemini|copilot|opencode)(?:\s+["']?LCM_[A-Z_]+=.*)?\s*$/s;

export function isOurHook(hook: unknown): boolean {
  return isObject(hook) && Object.values(hook).some((value) => typeof value === "string" && HOOK.test(value));
}

/** A file with lists of hooks by event. */
export function hasOurHook(text: unknown): boolean {
  const { hooks } = Object(parse(String(text)));
  return isObject(hooks) && Object.values(hooks).flat().some(isOurHook);
}
