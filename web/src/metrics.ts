/** `/metrics`, read every few seconds. */
import { useEffect, useState } from "react";
import { storedToken } from "./session.ts";

export interface Sample {
  readonly at: number;
  /** By name, summed over labels; by name with its labels; and `ERRORS`. */
  readonly values: ReadonlyMap<string, number>;
}

const PAUSE_MS = 2_000;
const KEPT = 300;

export function useMetrics(): { readonly samples: readonly Sample[]; readonly problem: string | null } {
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

/** Requests that failed by a fault of the server, and calls to models that gave no answer. */
export const ERRORS = "errors";
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
