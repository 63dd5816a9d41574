/**
 * Calls the next model when one fails. Continues after every failure of a model, including a rejected key, but
 * not when the caller cancelled or when no more calls are allowed: both apply to every model.
 */
import { isPalimpsestError, messageOf, PalimpsestError } from "../errors.ts";
import type { Asked, Call } from "./call.ts";
import { isAuthenticationFailure } from "./model-failure.ts";

interface FallbackOptions<Request extends Asked, Result> {
  /** In the order of the calls. */
  readonly fallbacks: readonly Call<Request, Result>[];
}

export function withFallbacks<Request extends Asked, Result extends object>(
  call: Call<Request, Result>,
  { fallbacks }: FallbackOptions<Request, Result>,
): Call<Request, Result> {
  return async (request) => {
    const failures: unknown[] = [];
    for (const candidate of [call, ...fallbacks]) {
      const result = await tryOne(candidate, request, failures);
      if (result !== null) return result;
    }
    throw combine(failures);
  };
}

async function tryOne<Request extends Asked, Result>(
  call: Call<Request, Result>,
  request: Request,
  failures: unknown[],
): Promise<Result | null> {
  try {
    return await call(request);
  } catch (error) {
    if (!isModelFailure(error)) throw error;
    failures.push(error);
    return null;
  }
}

function isModelFailure(error: unknown): boolean {
  return isPalimpsestError(error, "model-unavailable") || isPalimpsestError(error, "model-authentication");
}

/** A rejected key takes precedence: a person must fix it, and callers then write nothing. */
function combine(failures: readonly unknown[]): unknown {
  if (failures.length === 1) return failures[0];
  const refused = failures.find((failure) => isPalimpsestError(failure, "model-authentication"));
  const cause = refused ?? failures.find(isAuthenticationFailure) ?? failures[0];
  const advice = isPalimpsestError(cause) ? cause.advice : undefined;
  const code = refused === undefined ? "model-unavailable" : "model-authentication";
  return new PalimpsestError(code, `no model answered: ${failures.map(messageOf).join("; ")}`, {
    ...(advice === undefined ? {} : { advice }),
    cause,
  });
}
