/**
 * The configured models as one `RunAgent`: `expansionModel`, else the models that write summaries, in their order.
 * When one of them fails in the middle, the next one restarts the run. Each call is guarded like a summary's, but
 * counted separately, so that questions never block summaries.
 */
import type { Config } from "../config/schema.ts";
import type { RunAgent } from "./agent.ts";
import { callAgent } from "./call-agent.ts";
import { accessTo } from "./model-access.ts";
import { guardWriter, type ModelSettings, type ModelSurroundings } from "./open-model.ts";
import { withFallbacks } from "./with-fallbacks.ts";
import { CallWindow } from "./with-spend-guard.ts";

type AgentSettings = ModelSettings & Pick<Config, "expansionModel" | "expansionMaxCallsPerWindow">;

/** Null when no model is configured. */
export function openAgent(settings: AgentSettings, around: ModelSurroundings): RunAgent | null {
  const { expansionModel, summaryModel, summaryFallbackModels } = settings;
  const names = [expansionModel, summaryModel, ...summaryFallbackModels].filter((name) => name !== null);
  const window = new CallWindow({
    maxCalls: settings.expansionMaxCallsPerWindow,
    windowMs: settings.summaryCallWindowMs,
    clock: around.clock,
    setting: "expansionMaxCallsPerWindow",
  });
  const [first, ...fallbacks] = [...new Set(names)].map((name) => {
    let run: RunAgent | undefined;
    const open = () =>
      callAgent(accessTo(name, settings, around.keys), {
        clock: around.clock,
        guard: (step) => guardWriter(step, { model: name, settings, around, window }),
      });
    // A missing address is reported only when the model is called.
    const ask: RunAgent = async (request) => {
      run ??= open();
      return run(request);
    };
    return ask;
  });
  return first === undefined ? null : withFallbacks(first, { fallbacks });
}
