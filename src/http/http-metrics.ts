/** Metrics of the server itself, in addition to those of the engine. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

const MILLISECONDS = [1, 2, 5, 10, 25, 50, 100, 250, 1_000, 5_000, 30_000];
const NANOSECONDS = 1e6;

export interface HttpMetrics {
  answered(route: string, status: number, milliseconds: number): void;
  close(): void;
}

export function httpMetrics(registry: Registry, viewers: () => number): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: "lcm_http_requests_total",
    help: "HTTP requests, by route and status.",
    labelNames: ["route", "status"],
    registers,
  });
  const latency = new Histogram({
    name: "lcm_http_latency_ms",
    help: "Duration of HTTP requests, in milliseconds.",
    buckets: MILLISECONDS,
    registers,
  });
  new Gauge({
    name: "lcm_http_live_viewers",
    help: "Connections that are subscribed to live changes.",
    registers,
    collect() {
      this.set(viewers());
    },
  });
  new Gauge({
    name: "lcm_memory_bytes",
    help: "Resident memory of the process, in bytes.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  const delay = monitorEventLoopDelay();
  delay.enable();
  new Gauge({
    name: "lcm_event_loop_delay_ms",
    help: "Delay of the event loop since the last scrape, by quantile.",
    labelNames: ["quantile"],
    registers,
    collect() {
      for (const quantile of [50, 99, 100])
        this.set({ quantile: String(quantile / 100) }, delay.percentile(quantile) / NANOSECONDS);
      delay.reset();
    },
  });
  return {
    answered: (route, status, milliseconds) => {
      requests.inc({ route, status: String(status) });
      latency.observe(milliseconds);
    },
    close: () => delay.disable(),
  };
}
