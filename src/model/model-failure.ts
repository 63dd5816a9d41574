/**
 * Turns any error of a provider's client into our error. Only status, retry time and a short message are
 * kept: the client's own error holds the request, and so the conversation; its message may repeat the key.
 */
import { isPalimpsestError, messageOf, PalimpsestError } from "../errors.ts";
import { hideCredentials } from "../text/credentials/hide-credentials.ts";

/** The cause of a `model-unavailable` error: the facts that retries need. */
export interface FailureFacts {
  readonly status: number | null;
  /** Whether the same call may succeed within seconds: overload, a broken server, the network. */
  readonly temporary: boolean;
  /** How long the provider asked to wait. */
  readonly retryAfterMs: number | null;
  /** True if it exceeded our time limit. */
  readonly isTooLate?: boolean;
}

/** Advice for temporary and for lasting failures. */
export interface FailureAdvice {
  readonly temporary: string;
  readonly lasting: string;
}

interface FailedCall {
  readonly model: string;
  readonly apiKey: string | null;
  readonly now: number;
  /** Default: for models that write. */
  readonly advice?: FailureAdvice;
}

export function modelFailure(error: unknown, call: FailedCall): PalimpsestError {
  if (isPalimpsestError(error)) return error;
  const status = numberIn(error, "statusCode") ?? numberIn(error, "status");
  const body = textIn(error, "responseBody");
  const said = shorten(hideKeys(messageOf(error), call.apiKey));
  if (isAboutTheKey(status, body)) return keyRefused(call.model, status, said);
  const facts = {
    status,
    temporary: isTemporary(error, status, body),
    retryAfterMs: readRetryAfter(fieldIn(error, "responseHeaders"), call.now),
  };
  const answered = status === null || status === 200 ? "returned no usable answer" : `answered ${status}`;
  return unavailable(`${call.model} ${answered}: ${said}`, facts, adviceFor(facts, call.advice));
}

export function unavailable(message: string, facts: FailureFacts, advice: string): PalimpsestError {
  return new PalimpsestError("model-unavailable", message, { advice, cause: facts });
}

export function factsOf(error: unknown): FailureFacts | null {
  const cause = isPalimpsestError(error, "model-unavailable") ? error.cause : null;
  return isFacts(cause) ? cause : null;
}

/** The HTTP status of a failed call; null without a response. */
export function statusOf(error: unknown): number | null {
  return isPalimpsestError(error) ? numberIn(error.cause, "status") : null;
}

/** Also true while the circuit of a model is open after rejected keys. */
export function isAuthenticationFailure(error: unknown): boolean {
  if (!isPalimpsestError(error)) return false;
  return error.code === "model-authentication" || isAuthenticationFailure(error.cause);
}

const WRITING: FailureAdvice = {
  temporary: "Try again later, or name other models in summaryFallbackModels.",
  lasting: "Check the model's name, the account and modelBaseUrl; see docs/guide/models.md.",
};

function adviceFor({ temporary }: FailureFacts, advice: FailureAdvice = WRITING): string {
  return temporary ? advice.temporary : advice.lasting;
}

function keyRefused(model: string, status: number | null, said: string): PalimpsestError {
  return new PalimpsestError("model-authentication", `${model} rejected the key (${status}): ${said}`, {
    advice: "Check the provider's key and its permissions; see docs/guide/models.md.",
    cause: { status },
  });
}

/** Google answers 400 to a wrong key. */
function isAboutTheKey(status: number | null, body: string): boolean {
  return status === 401 || status === 403 || (status === 400 && body.includes("API_KEY_INVALID"));
}

/** OpenAI answers 429 when the account is empty; waiting does not help. */
function isTemporary(error: unknown, status: number | null, body: string): boolean {
  if (status === 429) return !body.includes("insufficient_quota");
  if (status === 408 || (status !== null && status >= 500)) return true;
  const isNetwork = status === null || status === 200;
  return isNetwork && fieldIn(error, "isRetryable") === true;
}

function hideKeys(text: string, apiKey: string | null): string {
  const plain = apiKey === null ? text : text.replaceAll(apiKey, "(key)");
  // Some providers repeat the ends of the key.
  return hideCredentials(plain.replace(/\b(sk|pk|rk|AIza|Bearer )[-_*.A-Za-z0-9]{6,}/g, "(key)"));
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function fieldIn(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function numberIn(value: unknown, name: string): number | null {
  const field = fieldIn(value, name);
  return typeof field === "number" ? field : null;
}

function textIn(value: unknown, name: string): string {
  const field = fieldIn(value, name);
  return typeof field === "string" ? field : "";
}

function isFacts(value: unknown): value is FailureFacts {
  return typeof fieldIn(value, "temporary") === "boolean";
}

/** The retry delay from a provider's response headers in milliseconds; null if there is none. */
export function readRetryAfter(headers: unknown, now: number): number | null {
  if (typeof headers !== "object" || headers === null) return null;
  const exact = positiveNumber(Reflect.get(headers, "retry-after-ms"));
  if (exact !== null) return exact;
  const given: unknown = Reflect.get(headers, "retry-after");
  const seconds = positiveNumber(given);
  if (seconds !== null) return Math.ceil(seconds * 1000);
  const date = typeof given === "string" && given.endsWith("GMT") ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function positiveNumber(text: unknown): number | null {
  return typeof text === "string" && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}
