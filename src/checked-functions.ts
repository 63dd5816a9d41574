/** Checks what the host's functions return before it is stored. A wrong result is rejected with an error that names the function. */
import { PalimpsestError } from "./errors.ts";
import type { CountTokens } from "./text/estimate-tokens.ts";
import type { Clock, RandomBytes } from "./types.ts";

interface HostFunctions {
  readonly clock?: Clock;
  readonly countTokens?: CountTokens;
  readonly random?: RandomBytes;
}

const LAST_TIME = 8.64e15;

/** The same functions, with their results checked. */
export function checkedFunctions({ clock, countTokens, random }: HostFunctions): HostFunctions {
  return {
    ...(clock === undefined ? {} : { clock: () => requireTime(clock()) }),
    ...(countTokens === undefined ? {} : { countTokens: (text) => requireTokens(countTokens(text)) }),
    ...(random === undefined ? {} : { random: (size) => requireBytes(random(size), size) }),
  };
}

function requireTime(time: number): number {
  if (typeof time === "number" && Math.abs(time) <= LAST_TIME) return time;
  throw wrongResult("clock", time, "milliseconds since 1970");
}

function requireTokens(tokens: number): number {
  if (Number.isSafeInteger(tokens) && tokens >= 0) return tokens;
  throw wrongResult("countTokens", tokens, "a whole number of at least 0");
}

function requireBytes(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes instanceof Uint8Array && bytes.length === size) return bytes;
  throw wrongResult("random", bytes, `a Uint8Array of ${size} bytes`);
}

function wrongResult(name: string, result: unknown, expected: string): PalimpsestError {
  const shown = typeof result === "number" || result === undefined ? String(result) : typeof result;
  return new PalimpsestError("invalid-input", `${name} returned ${shown}: it must return ${expected}`, {
    advice: `Correct the function ${name} that was passed to open().`,
  });
}
