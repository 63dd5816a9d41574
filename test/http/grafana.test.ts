import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { httpMetrics } from "../../src/http/http-metrics.ts";
import { prometheusMetrics } from "../../src/metrics/prometheus.ts";

const { registry } = prometheusMetrics();
httpMetrics(registry, () => 0).close();
const exported = registry.getMetricsAsArray().map(({ name }) => name);
const dashboard = readFileSync("examples/grafana/dashboard.json", "utf8");
const named = new Set(dashboard.match(/\blcm_\w+/g)?.map((name) => name.replace(/_(bucket|sum|count)$/, "")));

it("shows every metric in the example dashboard, and none that does not exist", () => {
  expect([...named].toSorted()).toEqual(exported.toSorted());
});

it("exports the names of the specification", () => {
  expect(exported).toEqual(
    expect.arrayContaining([
      ...["lcm_context_tokens_total", "lcm_compaction_runs_total", "lcm_summaries_created_total"],
      ...["lcm_expand_latency_ms", "lcm_search_latency_ms", "lcm_integrity_failures_total"],
    ]),
  );
});
