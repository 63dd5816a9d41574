/**
 * The configured models, for summaries and for descriptions of files, as one `Complete` each: fallbacks around calls
 * that are guarded one by one (`guard-call.ts`). Nothing is loaded or called before the first request.
 */
import type { Config } from "../config/schema.ts";
import type { Answered, Asked, Call } from "./call.ts";
import { callModel } from "./call-model.ts";
import type { Complete } from "./complete.ts";
import { guardCall, type ModelSurroundings } from "./guard-call.ts";
import { accessTo } from "./model-access.ts";
import { withFallbacks } from "./with-fallbacks.ts";
import { CallWindow } from "./with-spend-guard.ts";

export type { ModelSurroundings } from "./guard-call.ts";

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

/** Null where no model is configured. */
export interface OpenModels {
  readonly summaries: Complete | null;
  /** The model of summaries, or a separate one that falls back to it. */
  readonly files: Complete | null;
  /** The same, for extracting memories from conversations. */
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
    // A missing address is reported only when the model is called.
    const call: Complete = async (request) =>
      callModel(accessTo(name, settings, around.keys), { clock: around.clock })(request);
    return guardWriter(call, { model: name, settings, around, window });
  };
  const fallbacks = settings.summaryFallbackModels.map(openOne);
  const summaries = summaryModel === null ? null : withFallbacks(openOne(summaryModel), { fallbacks });
  const openOwn = (name: string | null) => {
    if (name === null) return summaries;
    return withFallbacks(openOne(name), { fallbacks: summaries === null ? [] : [summaries] });
  };
  return { summaries, files: openOwn(largeFileModel), memories: openOwn(memoryModel) };
}

interface WriterGuard {
  readonly model: string;
  readonly settings: ModelSettings;
  readonly around: ModelSurroundings;
  readonly window: CallWindow;
}

/** Everything around one call to one model that writes. */
export function guardWriter<Request extends Asked, Result extends Answered>(
  call: Call<Request, Result>,
  { model, settings, around, window }: WriterGuard,
): Call<Request, Result> {
  const { summaryTimeoutMs: timeoutMs, modelRetries: retries } = settings;
  const timeoutSetting = "summaryTimeoutMs";
  return guardCall(call, { model, timeoutMs, timeoutSetting, retries, settings, around, window });
}
