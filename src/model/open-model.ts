/**
 * The configured models, for summaries and for descriptions of files, as one `Complete` each. This is the only place that knows the order of the decorators:
 *
 *   fallbacks( circuit breaker( retries( spend guard( usage log( timeout( one call ))))), … )
 *
 * So every attempt is counted and recorded, a time limit holds for one attempt, and each model has a circuit of
 * its own. Nothing is loaded or called before the first request.
 */
import type { ProviderKeys } from "../config/provider-keys.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../types.ts";
import type { Answered, Asked, Call } from "./call.ts";
import { callModel } from "./call-model.ts";
import type { Complete } from "./complete.ts";
import { accessTo } from "./model-access.ts";
import type { Wait } from "./wait.ts";
import { withCircuitBreaker } from "./with-circuit-breaker.ts";
import { withFallbacks } from "./with-fallbacks.ts";
import { withRetries } from "./with-retries.ts";
import { CallWindow, withSpendGuard } from "./with-spend-guard.ts";
import { withTimeout } from "./with-timeout.ts";
import { type ModelCall, withUsageLog } from "./with-usage-log.ts";

export type ModelSettings = Pick<
  Config,
  | "summaryModel"
  | "summaryFallbackModels"
  | "expansionModel"
  | "largeFileModel"
  | "memoryModel"
  | "modelBaseUrl"
  | "modelApiKey"
  | "summaryTimeoutMs"
  | "modelRetries"
  | "circuitBreakerThreshold"
  | "circuitBreakerCooldownMs"
  | "summaryCallWindowMs"
  | "summaryMaxCallsPerWindow"
>;

export interface ModelSurroundings {
  /** What the providers' environment variables hold. */
  readonly keys: ProviderKeys;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly chance: () => number;
  readonly onCall: (call: ModelCall) => void;
}

/** Null where no model is configured. */
export interface OpenModels {
  readonly summaries: Complete | null;
  /** That of summaries unless it has one of its own, which falls back to it. */
  readonly files: Complete | null;
  /** The same, for reading memories out of conversations. */
  readonly memories: Complete | null;
}

export function openModels(settings: ModelSettings, around: ModelSurroundings): OpenModels {
  const { summaryModel, largeFileModel, memoryModel } = settings;
  const window = new CallWindow({
    maxCalls: settings.summaryMaxCallsPerWindow,
    windowMs: settings.summaryCallWindowMs,
    clock: around.clock,
    setting: "summaryMaxCallsPerWindow",
  });
  const openOne = (name: string) => {
    const call = callModel(accessTo(name, settings, around.keys), { clock: around.clock });
    return guardCall(call, { model: name, settings, around, window });
  };
  const fallbacks = settings.summaryFallbackModels.map(openOne);
  const summaries = summaryModel === null ? null : withFallbacks(openOne(summaryModel), { fallbacks });
  const openOwn = (name: string | null) => {
    if (name === null) return summaries;
    return withFallbacks(openOne(name), { fallbacks: summaries === null ? [] : [summaries] });
  };
  return { summaries, files: openOwn(largeFileModel), memories: openOwn(memoryModel) };
}

/** Null when no model is configured. */
export function openModel(settings: ModelSettings, around: ModelSurroundings): Complete | null {
  return openModels(settings, around).summaries;
}

export interface GuardOptions {
  readonly model: string;
  readonly settings: ModelSettings;
  readonly around: ModelSurroundings;
  readonly window: CallWindow;
}

/** Everything around one call to one model. */
export function guardCall<Request extends Asked, Result extends Answered>(
  call: Call<Request, Result>,
  { model, settings, around, window }: GuardOptions,
): Call<Request, Result> {
  const { clock, wait, chance, onCall } = around;
  const { summaryTimeoutMs: timeoutMs, modelRetries: retries } = settings;
  const { circuitBreakerThreshold: threshold, circuitBreakerCooldownMs: cooldownMs } = settings;
  const timed = withTimeout(call, { model, timeoutMs, wait });
  const recorded = withUsageLog(timed, { model, clock, onCall });
  const retried = withRetries(withSpendGuard(recorded, { window }), { retries, wait, chance });
  return withCircuitBreaker(retried, { model, threshold, cooldownMs, clock });
}
