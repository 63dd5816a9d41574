/**
 * The decorators that make one model call reliable, in the required order:
 *
 *   circuit breaker( retries( spend guard( usage log( timeout( the call )))))
 *
 * So every attempt is counted and recorded, a time limit applies to one attempt, and each model has its own circuit.
 */
import type { ProviderKeys } from "../config/provider-keys.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../types.ts";
import type { Answered, Asked, Call } from "./call.ts";
import type { Wait } from "./wait.ts";
import { withCircuitBreaker } from "./with-circuit-breaker.ts";
import { withRetries } from "./with-retries.ts";
import { type CallWindow, withSpendGuard } from "./with-spend-guard.ts";
import { withTimeout } from "./with-timeout.ts";
import { type ModelCall, withUsageLog } from "./with-usage-log.ts";

export type CircuitSettings = Pick<Config, "circuitBreakerThreshold" | "circuitBreakerCooldownMs">;

export interface ModelSurroundings {
  /** The keys from the providers' environment variables. */
  readonly keys: ProviderKeys;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly chance: () => number;
  readonly onCall: (call: ModelCall) => void;
}

interface GuardOptions {
  readonly model: string;
  readonly timeoutMs: number;
  /** The setting that raises `timeoutMs`. */
  readonly timeoutSetting: string;
  readonly retries: number;
  readonly settings: CircuitSettings;
  readonly around: ModelSurroundings;
  /** Null: no limit of calls. */
  readonly window: CallWindow | null;
}

export function guardCall<Request extends Asked, Result extends Answered>(
  call: Call<Request, Result>,
  { model, timeoutMs, timeoutSetting, retries, settings, around, window }: GuardOptions,
): Call<Request, Result> {
  const { clock, wait, chance, onCall } = around;
  const { circuitBreakerThreshold: threshold, circuitBreakerCooldownMs: cooldownMs } = settings;
  const timed = withTimeout(call, { model, timeoutMs, setting: timeoutSetting, wait });
  const recorded = withUsageLog(timed, { model, clock, onCall });
  const counted = window === null ? recorded : withSpendGuard(recorded, { window });
  const retried = withRetries(counted, { retries, wait, chance });
  return withCircuitBreaker(retried, { model, threshold, cooldownMs, clock });
}
