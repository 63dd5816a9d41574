/** Errors as `application/problem+json` (RFC 9457). Each error code has one status. */
import { type ErrorCode, isPalimpsestError, messageOf } from "../errors.ts";
import type { Answer } from "./node-http.ts";

type ProblemCode =
  | ErrorCode
  | "unauthorized"
  | "forbidden"
  | "method-not-allowed"
  | "not-acceptable"
  | "payload-too-large"
  | "unsupported-media-type"
  | "too-many-requests"
  | "timeout";

export const STATUSES: Readonly<Record<ProblemCode, number>> = {
  "invalid-input": 400,
  unauthorized: 401,
  forbidden: 403,
  "not-found": 404,
  "method-not-allowed": 405,
  "not-acceptable": 406,
  conflict: 409,
  "payload-too-large": 413,
  "unsupported-media-type": 415,
  "not-supported": 422,
  "model-limit": 429,
  "too-many-requests": 429,
  "config-invalid": 500,
  "store-newer": 500,
  "store-foreign": 500,
  "store-corrupt": 500,
  internal: 500,
  "model-authentication": 502,
  "model-unavailable": 502,
  "store-unavailable": 503,
  "store-readonly": 503,
  busy: 503,
  cancelled: 503,
  timeout: 504,
  "store-full": 507,
};

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly advice?: string;
  readonly retryable: boolean;
}

/** Thrown by handlers for errors outside of the engine: tokens, methods, sizes, rates. */
export class Refusal extends Error {
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

/** Internal errors are logged where they happen; callers do not see their details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Refusal) return problem(error.code, error.message, error.code === "too-many-requests");
  if (!isPalimpsestError(error))
    return problem("internal", "an internal error; the log has the details", false);
  const { advice, retryable, code } = error;
  return { ...problem(code, messageOf(error), retryable), ...(advice === undefined ? {} : { advice }) };
}

export function problemAnswer(error: unknown): Answer {
  const found = problemOf(error);
  const retry: Record<string, string> = found.status === 503 ? { "retry-after": "1" } : {};
  const headers = error instanceof Refusal ? error.headers : retry;
  return {
    status: found.status,
    headers: { "content-type": "application/problem+json", ...headers },
    body: JSON.stringify(found),
  };
}

function problem(code: ProblemCode, detail: string, retryable: boolean): Problem {
  const title = code.replaceAll("-", " ");
  return { type: `urn:palimpsest:problem:${code}`, title, status: STATUSES[code], detail, code, retryable };
}
