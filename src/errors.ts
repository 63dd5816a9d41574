/**
 * One error class with a closed list of codes. Faces map each code once (exit code, status, MCP error);
 * `advice` says what the person can do about it. Neither repeats a credential from what the caller gave.
 */
import { hideCredentials } from "./text/credentials/hide-credentials.ts";

export const ERROR_CODES = [
  /** The caller's input is wrong; nothing was written. */
  "invalid-input",
  /** The same key was given with different content, or two versions cannot be merged. */
  "conflict",
  "not-found",
  /** Recognised, and deliberately not supported. */
  "not-supported",
  /** Configuration is wrong: unknown key or bad value. */
  "config-invalid",
  /** The store cannot be reached or opened. */
  "store-unavailable",
  "store-readonly",
  "store-full",
  /** Written by a newer version of palimpsest. */
  "store-newer",
  /** A database that belongs to another application. */
  "store-foreign",
  /** The database file or its content is damaged. */
  "store-corrupt",
  /** Another process holds the lock for too long, or did the same work first. A retry is safe. */
  "busy",
  /** The model's provider rejects the key, or no key is configured. Callers write nothing: a person must fix it. */
  "model-authentication",
  /** No model gave a usable answer, after retries and fallbacks. */
  "model-unavailable",
  /** As many model calls were made as the configuration allows for now. */
  "model-limit",
  "cancelled",
  "internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  "busy",
  "store-unavailable",
  "model-unavailable",
  "model-limit",
]);

export class PalimpsestError extends Error {
  readonly code: ErrorCode;
  readonly advice: string | undefined;
  /** True when the same call may succeed later without any change. */
  readonly retryable: boolean;

  /** `isRetryable` overrides what the code implies. */
  constructor(
    code: ErrorCode,
    message: string,
    options: { advice?: string; cause?: unknown; isRetryable?: boolean } = {},
  ) {
    super(hideCredentials(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "PalimpsestError";
    this.code = code;
    this.advice = options.advice === undefined ? undefined : hideCredentials(options.advice);
    this.retryable = options.isRetryable ?? RETRYABLE.has(code);
  }
}

export function isPalimpsestError(error: unknown, code?: ErrorCode): error is PalimpsestError {
  return error instanceof PalimpsestError && (code === undefined || error.code === code);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
