/** How the store and the server are: sizes, integrity, and what the engine does, over time. */
import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { problemText, useClient, useOperation } from "./api.ts";
import { bytes, compact, count, time } from "./format.ts";
import { LinePlot } from "./line-plot.tsx";
import { type Sample, useMetrics } from "./metrics.ts";

export function HealthPage() {
  return (
    <section className="page">
      <h1>Health</h1>
      <Store />
      <Integrity />
      <Growth />
      <Live />
    </section>
  );
}

function Store() {
  const { data, error } = useOperation("status", {}, { everyMs: 10_000 });
  if (error !== null) return <p className="warning">{problemText(error)}</p>;
  if (data === undefined) return <p className="muted">Loading …</p>;
  const facts: readonly (readonly [string, string])[] = [
    ["Store", data.location],
    ["Engine", `${data.engine} ${data.engineVersion}, schema ${data.schemaVersion}`],
    ["On disk", bytes(data.bytesOnDisk)],
    ["Conversations", count(data.conversations)],
    ["Messages", `${count(data.messages)} (${compact(data.tokens)} tokens)`],
    ["In contexts", `${compact(data.contextTokens)} tokens, ${count(data.summaries)} summaries`],
    ["Memories", `${count(data.memories)}, ${count(data.memory.active)} active`],
    ["Unreadable lines", count(data.unreadableLines)],
    ["Last backup", data.lastBackup === null ? "none yet" : time(data.lastBackup.at)],
    ["Version", data.version],
  ];
  return (
    <dl className="figures">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Integrity() {
  const client = useClient();
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => client.call("verify", {}) });
  return (
    <section>
      <h2>Integrity</h2>
      <button type="button" disabled={isPending} onClick={() => mutate()}>
        {isPending ? "Checking …" : "Check every row"}
      </button>
      {error === null ? null : <p className="error-text">{problemText(error)}</p>}
      {data === undefined ? null : (
        <p role="status" className={data.ok ? "good" : "error-text"}>
          {data.ok ? "No problems found." : `${count(data.problems.length)} problems; see lcm verify.`}
        </p>
      )}
    </section>
  );
}

const DAY_MS = 86_400_000;

/** By when conversations ended: enough to see how the store grows, without reading every message. */
function Growth() {
  const { data } = useOperation("conversations list", { limit: 1_000, archived: true });
  const points = useMemo(() => {
    const ended = (data?.conversations ?? []).map((one) => ({
      at: Date.parse(one.lastAt ?? one.updatedAt),
      messages: one.messageCount,
    }));
    let messages = 0;
    return ended
      .toSorted((a, b) => a.at - b.at)
      .map((one) => {
        messages += one.messages;
        return { x: one.at / DAY_MS, y: messages };
      });
  }, [data]);
  return (
    <section>
      <h2>Growth</h2>
      <LinePlot points={points} label="Messages on record" unit="days" format={compact} />
    </section>
  );
}

const PLOTS: readonly (readonly [label: string, metric: string, format: (value: number) => string])[] = [
  ["Tokens assembled", "lcm_context_tokens_total", compact],
  ["Compactions", "lcm_compaction_runs_total", compact],
  ["Tokens saved by summaries", "lcm_tokens_saved_total", compact],
  ["Prefix reuse", "lcm_prefix_reuse_ratio", (value) => `${Math.round(100 * value)} %`],
  ["Model calls", "lcm_model_calls_total", compact],
  ["Model cost, $", "lcm_model_cost_dollars_total", (value) => value.toFixed(2)],
  ["Integrity failures", "lcm_integrity_failures_total", compact],
  ["Requests", "lcm_http_requests_total", compact],
  ["Event-loop delay, p99 ms", 'lcm_event_loop_delay_ms{quantile="0.99"}', (value) => value.toFixed(1)],
  ["Memory", "lcm_memory_bytes", bytes],
];

function Live() {
  const { samples, problem } = useMetrics();
  if (problem !== null) return <p className="warning">{problem}</p>;
  return (
    <section>
      <h2>This server, since the page was opened</h2>
      <div className="plots">
        {PLOTS.map(([label, metric, format]) => (
          <LinePlot key={metric} points={pointsOf(samples, metric)} label={label} unit="s" format={format} />
        ))}
      </div>
    </section>
  );
}

function pointsOf(samples: readonly Sample[], metric: string) {
  const start = samples[0]?.at ?? 0;
  return samples.map(({ at, values }) => ({ x: (at - start) / 1_000, y: values.get(metric) ?? 0 }));
}
