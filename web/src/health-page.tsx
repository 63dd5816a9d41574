/** The state of store and server: sizes, integrity, and engine metrics over time. */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { problemText, useClient, useOperation } from "./api.ts";
import { bytes, compact, count, time } from "./format.ts";
import { LinePlot } from "./line-plot.tsx";
import { storedToken } from "./session.ts";

/** `/metrics`, read every few seconds. */
interface Sample {
  readonly at: number;
  /** By name, summed over labels; by name with labels; and `ERRORS`. */
  readonly values: ReadonlyMap<string, number>;
}

const PAUSE_MS = 2_000;
const KEPT = 300;

function useMetrics(): { readonly samples: readonly Sample[]; readonly problem: string | null } {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const read = async () => {
      const response = await fetch("/metrics", { headers: { authorization: `Bearer ${storedToken()}` } });
      if (!response.ok) return setProblem(`Metrics cannot be read: the server answered ${response.status}.`);
      const sample = { at: Date.now(), values: parse(await response.text()) };
      setSamples((before) => [...before.slice(1 - KEPT), sample]);
    };
    const look = () => void read().catch(() => setProblem("The server cannot be reached."));
    look();
    const timer = setInterval(look, PAUSE_MS);
    return () => clearInterval(timer);
  }, []);
  return { samples, problem };
}

/** Requests that failed with a server error, and failed model calls. */
const ERRORS = "errors";
const IS_ERROR =
  /^lcm_http_requests_total\{.*status="5|^lcm_model_calls_total\{.*outcome="(?!(?:stop|length|other|cancelled)")/;

function parse(text: string): Map<string, number> {
  const values = new Map<string, number>([[ERRORS, 0]]);
  for (const [, name = "", labels = "", value] of text.matchAll(/^(\w+)(\{[^}]*\})? (\S+)$/gm)) {
    values.set(name + labels, Number(value));
    if (IS_ERROR.test(name + labels)) values.set(ERRORS, (values.get(ERRORS) ?? 0) + Number(value));
    if (labels !== "") values.set(name, (values.get(name) ?? 0) + Number(value));
  }
  return values;
}

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

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, "days"],
  [3_600_000, "hours"],
  [60_000, "minutes"],
  [1_000, "s"],
];

interface Point {
  readonly x: number;
  readonly y: number;
}

function unitOf(points: readonly Point[]): (typeof UNITS)[number] {
  const spanMs = (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0);
  return UNITS.find(([ms]) => spanMs >= 2 * ms) ?? [1_000, "s"];
}

function inUnits(points: readonly Point[], unitMs: number): Point[] {
  return points.map(({ x, y }) => ({ x: x / unitMs, y }));
}

/** By the end of conversations: shows the growth of the store without reading every message. */
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
        return { x: one.at, y: messages };
      });
  }, [data]);
  const [unitMs, unit] = unitOf(points);
  return (
    <section>
      <h2>Growth</h2>
      <LinePlot points={inUnits(points, unitMs)} label="Messages on record" unit={unit} format={compact} />
    </section>
  );
}

const PLOTS: readonly (readonly [label: string, metric: string, format: (value: number) => string])[] = [
  ["Tokens assembled", "lcm_context_tokens_total", compact],
  ["Compactions", "lcm_compaction_runs_total", compact],
  ["Tokens saved by summaries", "lcm_tokens_saved_total", compact],
  ["Prefix reuse", "lcm_prefix_reuse_ratio", (value) => `${Math.round(100 * value)}%`],
  ["Model calls", "lcm_model_calls_total", compact],
  ["Model cost, $", "lcm_model_cost_dollars_total", (value) => value.toFixed(2)],
  ["Failed requests and model calls", ERRORS, compact],
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
          <Meter key={metric} samples={samples} metric={metric} label={label} format={format} />
        ))}
      </div>
    </section>
  );
}

interface MeterProps {
  readonly samples: readonly Sample[];
  readonly metric: string;
  readonly label: string;
  readonly format: (value: number) => string;
}

/** Counters are drawn relative to their value when the page was opened, which shows the increase. */
function Meter({ samples, metric, label, format }: MeterProps) {
  const read = (sample: Sample | undefined) => sample?.values.get(metric) ?? 0;
  const [first, last] = [samples[0], samples.at(-1)];
  const isCounter = metric === ERRORS || metric.endsWith("_total");
  const base = isCounter ? read(first) : 0;
  const points = samples.map((sample) => ({
    x: (sample.at - (first?.at ?? 0)) / 1_000,
    y: read(sample) - base,
  }));
  const since = `+${format(read(last) - base)}`;
  return (
    <LinePlot
      {...{ points, label, format }}
      unit="s"
      shown={read(last)}
      {...(isCounter ? { ends: ["", since] as const } : {})}
    />
  );
}
