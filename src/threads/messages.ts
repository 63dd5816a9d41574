/** What goes between a caller and a thread: numbered calls, and answers that may be errors of ours. */
import { type ErrorCode, isPalimpsestError, messageOf, PalimpsestError } from "../errors.ts";

/** The number of a call that nobody waits for. */
export const NOT_ANSWERED = -1;

export interface Request {
  readonly id: number;
  readonly call: string;
  readonly values: readonly unknown[];
}

export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: SentError;
}

interface SentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly advice: string | undefined;
}

/** An error that is not ours is a fault of the program. */
export function toSent(error: unknown): SentError {
  const { code, message, advice } = isPalimpsestError(error)
    ? error
    : new PalimpsestError("internal", messageOf(error));
  return { code, message, advice };
}

export function fromSent({ code, message, advice }: SentError): PalimpsestError {
  return new PalimpsestError(code, message, advice === undefined ? {} : { advice });
}
