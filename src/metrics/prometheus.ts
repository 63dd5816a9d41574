/**
 * Counts what an engine did, as Prometheus metrics. Loaded only on request:
 *
 *   const metrics = prometheusMetrics();
 *   const engine = await open({ observe: metrics.observe });
 *   await metrics.text();
 */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { EngineEvent, Observe } from "../events.ts";

export interface PrometheusMetrics {
  readonly observe: Observe;
  /** Counts problems that an integrity check found. */
  countIntegrityFailures(problems: number): void;
  /** The metrics in Prometheus' text format. */
  text(): Promise<string>;
  /** For merging with a host's own metrics. */
  readonly registry: Registry;
}

const MILLISECONDS = [0.5, 1, 2, 5, 10, 25, 50, 100, 250, 1_000, 5_000, 30_000];

export function prometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const timer = (name: string, help: string) =>
    new Histogram({ name, help, buckets: MILLISECONDS, registers });

  const runs = counter("lcm_compaction_runs_total", "Compactions, by trigger and outcome.", [
    "trigger",
    "outcome",
  ]);
  const summaries = counter("lcm_summaries_created_total", "Summaries, by kind and quality.", [
    "kind",
    "quality",
  ]);
  const saved = counter("lcm_tokens_saved_total", "Tokens that summaries saved in contexts.");
  const compacting = timer("lcm_compaction_latency_ms", "Duration of compactions, in milliseconds.");
  const tokens = counter("lcm_context_tokens_total", "Tokens of all assembled contexts.");
  const stubs = counter("lcm_stubbed_results_total", "Messages shown with tool results as stubs.");
  const stubTokens = counter("lcm_stub_tokens_saved_total", "Tokens that stubs saved in assembled contexts.");
  const waits = counter("lcm_assembly_waits_total", "Assemblies that waited for a compaction.");
  const assembling = timer("lcm_assemble_latency_ms", "Duration of assemblies, in milliseconds.");
  const reused = new Gauge({
    name: "lcm_prefix_reuse_ratio",
    help: "Share of the previous context that is a prefix of the newest one.",
    registers,
  });
  const expanding = timer("lcm_expand_latency_ms", "Duration of expansions, in milliseconds.");
  const searching = timer("lcm_search_latency_ms", "Duration of message searches, in milliseconds.");
  const failures = counter("lcm_integrity_failures_total", "Problems found by integrity checks.");
  const calls = counter("lcm_model_calls_total", "Model calls, by model and outcome.", ["model", "outcome"]);
  const modelTokens = counter("lcm_model_tokens_total", "Tokens of model calls.", ["model", "direction"]);
  const cost = counter(
    "lcm_model_cost_dollars_total",
    "Cost of model calls in US dollars, if the provider reports it.",
    ["model"],
  );

  const observe = (event: EngineEvent): void => {
    switch (event.type) {
      case "summary-created":
        summaries.inc({ kind: event.kind, quality: event.quality });
        saved.inc(Math.max(0, event.tokensSaved));
        return;
      case "compaction-ended":
        runs.inc({ trigger: event.trigger, outcome: event.outcome });
        compacting.observe(event.milliseconds);
        return;
      case "assembled":
        tokens.inc(event.tokens);
        stubs.inc(event.stubbed);
        stubTokens.inc(event.stubTokensSaved);
        if (event.waited) waits.inc();
        if (event.reusedShare !== null) reused.set(event.reusedShare);
        assembling.observe(event.milliseconds);
        return;
      case "expanded":
        expanding.observe(event.milliseconds);
        return;
      case "searched":
        searching.observe(event.milliseconds);
        return;
      case "model-called":
        calls.inc({ model: event.model, outcome: event.outcome });
        modelTokens.inc({ model: event.model, direction: "in" }, event.inputTokens ?? 0);
        modelTokens.inc({ model: event.model, direction: "out" }, event.outputTokens ?? 0);
        cost.inc({ model: event.model }, event.cost ?? 0);
    }
  };
  return {
    observe,
    countIntegrityFailures: (problems) => failures.inc(problems),
    text: () => registry.metrics(),
    registry,
  };
}
