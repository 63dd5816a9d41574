import type { Tracer } from "@opentelemetry/api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { prometheusMetrics } from "../../src/metrics/prometheus.ts";
import { type SpanStarter, traceEvents } from "../../src/metrics/traces.ts";
import { type Place, temporaryPlace } from "../temporary-store.ts";

const metrics = prometheusMetrics();
const spans: { readonly name: string; readonly milliseconds: number; readonly attributes: object }[] = [];
/** Fails to compile when a tracer of OpenTelemetry can not be handed in. */
const handIn = (tracer: Tracer): SpanStarter => tracer;
const tracer: ReturnType<typeof handIn> = {
  startSpan: (name, { startTime, attributes }) => ({
    end: (endTime) => spans.push({ name, milliseconds: endTime - startTime, attributes }),
  }),
};
const traced = traceEvents(tracer);
let place: Place;
let engine: Engine;
beforeAll(async () => {
  place = await temporaryPlace("sqlite");
  engine = await open({
    store: place.store,
    background: "off",
    observe: (event) => {
      metrics.observe(event);
      traced(event);
    },
    config: { freshTailCount: 2, leafChunkTokens: 800, logLevel: "silent" },
    complete: async () => ({
      text: "The lamp was trimmed.",
      model: "host/m",
      finish: "stop",
      usage: { inputTokens: 10, outputTokens: 5, cost: 0.25 },
    }),
  });
});
afterAll(async () => {
  await engine.close();
  await place.dispose();
});

it("count what an engine did, in Prometheus' format", async () => {
  for (let turn = 0; turn < 6; turn++)
    await engine.context.commitTurn({
      conversation: "s",
      key: `t${turn}`,
      messages: [{ role: "user", content: "The keeper trimmed the lamp again. ".repeat(80) }],
    });
  const { passes } = await engine.context.compact({ conversation: "s" });
  await engine.context.assemble({ conversation: "s" });
  const { tokens } = await engine.context.assemble({ conversation: "s" });
  await engine.context.expand({ summary: passes[0]?.summary ?? "" });
  metrics.countIntegrityFailures(2);
  const text = await metrics.text();
  for (const line of [
    'lcm_compaction_runs_total{trigger="manual",outcome="nothing left to compact"} 1',
    `lcm_summaries_created_total{kind="leaf",quality="normal"} ${passes.length}`,
    `lcm_context_tokens_total ${2 * tokens}`,
    "lcm_prefix_reuse_ratio 1",
    "lcm_expand_latency_ms_count 1",
    "lcm_integrity_failures_total 2",
    `lcm_model_calls_total{model="the host's model",outcome="stop"} ${passes.length}`,
    `lcm_model_cost_dollars_total{model="the host's model"} ${passes.length * 0.25}`,
  ])
    expect(text).toContain(line);
});

it("trace what an engine did as spans of OpenTelemetry", () => {
  const names = ["compact", "summarise", "assemble", "expand", "model"].map((name) => `palimpsest.${name}`);
  expect(new Set(spans.map(({ name }) => name))).toEqual(new Set(names));
  const model = spans.find(({ name }) => name === "palimpsest.model");
  expect(model?.milliseconds).toBeGreaterThanOrEqual(0);
  expect(model?.attributes).toMatchObject({
    "palimpsest.model": "the host's model",
    "palimpsest.outcome": "stop",
    "palimpsest.input_tokens": 10,
    "palimpsest.output_tokens": 5,
    "palimpsest.cost": 0.25,
  });
  expect(JSON.stringify(spans)).not.toContain("lamp");
});

it("go on when an observer throws", async () => {
  const place = await temporaryPlace("sqlite");
  const observed = await open({
    store: place.store,
    config: { logLevel: "silent" },
    observe: () => {
      throw new Error("no room for metrics");
    },
  });
  await observed.context.commitTurn({
    conversation: "s",
    key: "t",
    messages: [{ role: "user", content: "hi" }],
  });
  expect((await observed.context.assemble({ conversation: "s" })).messages).toHaveLength(1);
  await observed.close();
  await place.dispose();
});
