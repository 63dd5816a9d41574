/** Messages between a caller and a thread: numbered calls, and answers, which may be a `PalimpsestError`. */
import { type ErrorCode, isPalimpsestError, messageOf, PalimpsestError } from "../errors.ts";

/** The number of a call that is not answered. */
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

/** Any other error is a bug in the program. */
export function toSent(error: unknown): SentError {
  const { code, message, advice } = isPalimpsestError(error)
    ? error
    : new PalimpsestError("internal", messageOf(error));
  return { code, message, advice };
}

export function fromSent({ code, message, advice }: SentError): PalimpsestError {
  return new PalimpsestError(code, message, advice === undefined ? {} : { advice });
}
