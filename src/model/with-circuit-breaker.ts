/**
 * Stops calling a model after its key was rejected several times in a row. After the cooldown one call is let
 * through as a trial: a response closes the circuit, another rejection opens it for a further cooldown. Failures
 * unrelated to the key neither count nor reset the count.
 */
import { isPalimpsestError, PalimpsestError } from "../errors.ts";
import type { Clock } from "../types.ts";
import type { Asked, Call } from "./call.ts";

interface CircuitBreakerOptions {
  readonly model: string;
  /** Consecutive rejections that open the circuit. */
  readonly threshold: number;
  readonly cooldownMs: number;
  readonly clock: Clock;
}

interface Circuit {
  refusals: number;
  /** The rejection that opened the circuit, and until when it stays open. */
  open: { readonly until: number; readonly cause: PalimpsestError } | null;
  onTrial: boolean;
}

export function withCircuitBreaker<Request extends Asked, Result>(
  call: Call<Request, Result>,
  options: CircuitBreakerOptions,
): Call<Request, Result> {
  const circuit: Circuit = { refusals: 0, open: null, onTrial: false };
  return async (request) => {
    const isTrial = enter(circuit, options);
    try {
      const result = await call(request);
      circuit.refusals = 0;
      circuit.open = null;
      return result;
    } catch (error) {
      if (isPalimpsestError(error, "model-authentication")) countRefusal(circuit, error, options);
      throw error;
    } finally {
      if (isTrial) circuit.onTrial = false;
    }
  };
}

/** True when this call is the trial of an open circuit. */
function enter(circuit: Circuit, { model, clock }: CircuitBreakerOptions): boolean {
  if (circuit.open === null) return false;
  const { until, cause } = circuit.open;
  if (clock() < until || circuit.onTrial) throw leftAlone(model, until, cause);
  circuit.onTrial = true;
  return true;
}

function countRefusal(circuit: Circuit, cause: PalimpsestError, options: CircuitBreakerOptions): void {
  circuit.refusals += 1;
  if (circuit.refusals >= options.threshold)
    circuit.open = { until: options.clock() + options.cooldownMs, cause };
}

function leftAlone(model: string, until: number, cause: PalimpsestError): PalimpsestError {
  const time = new Date(until).toISOString();
  return new PalimpsestError("model-unavailable", `${model} is not called before ${time}: ${cause.message}`, {
    ...(cause.advice === undefined ? {} : { advice: cause.advice }),
    cause,
  });
}
