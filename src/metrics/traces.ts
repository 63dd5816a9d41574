/**
 * What an engine did, as OpenTelemetry spans. The application provides the tracer, so this package does not depend on one:
 *
 *   import { trace } from "@opentelemetry/api";
 *   const engine = await open({ observe: traceEvents(trace.getTracer("palimpsest")) });
 *
 * A span is written when its work has ended, as a child of the span that is active then. Attributes are numbers and names,
 * never conversation text.
 */
import type { EngineEvent, Observe } from "../events.ts";

type Attributes = Record<string, string | number | boolean>;

/** The part of a tracer of `@opentelemetry/api` that is used. */
export interface SpanStarter {
  startSpan(
    name: string,
    options: { readonly startTime: number; readonly attributes: Attributes },
  ): { end(endTime: number): void };
}

const NAMES: Readonly<Record<EngineEvent["type"], string>> = {
  "summary-created": "palimpsest.summarise",
  "compaction-ended": "palimpsest.compact",
  assembled: "palimpsest.assemble",
  expanded: "palimpsest.expand",
  searched: "palimpsest.search",
  "model-called": "palimpsest.model",
};

export function traceEvents(tracer: SpanStarter, now: () => number = Date.now): Observe {
  return ({ type, milliseconds, ...facts }) => {
    const endTime = now();
    const startTime = endTime - milliseconds;
    tracer.startSpan(NAMES[type], { startTime, attributes: attributesOf(facts) }).end(endTime);
  };
}

/** `tokensSaved` is the attribute `palimpsest.tokens_saved`; unknown values are left out. */
function attributesOf(facts: Readonly<Record<string, string | number | boolean | null>>): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(facts))
    if (value !== null)
      attributes[`palimpsest.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`] = value;
  return attributes;
}
