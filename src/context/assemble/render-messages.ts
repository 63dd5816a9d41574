/** Renders entries in the requested format: a provider's wire format, or as the host gave them. */
import type { AssembleFormat } from "../../message/wire-formats.ts";
import type { Entry } from "./entry.ts";
import type { Measured, Meter } from "./measure.ts";
import { systemPromptAddition } from "./system-prompt-addition.ts";
import { renderWire } from "./wire/wire.ts";

export interface RenderedContext {
  readonly system: string | null;
  readonly messages: readonly unknown[];
  readonly measures: readonly Measured[];
  /** Tokens of the whole result as sent. */
  readonly tokens: number;
}

export function renderMessages(
  entries: readonly Entry[],
  format: AssembleFormat,
  addition: string | null,
  meter: Meter,
): RenderedContext {
  const { system, messages } =
    format === "original"
      ? { system: null, messages: entries.map((entry) => entry.original) }
      : renderWire(
          entries.map((entry) => entry.wire),
          format,
        );
  const mayHoldFiles = entries.some((entry) => entry.hasFiles);
  const measures = messages.map((message) => meter.message(message, mayHoldFiles));
  let tokens = meter.text(system) + meter.text(addition);
  for (const measured of measures) tokens += measured.tokens;
  return { system, messages, measures, tokens };
}

interface WithNote {
  readonly addition: string | null;
  readonly rendered: RenderedContext;
}

/** The final view. If it fits only without the note on left-out items, the note is left out. */
export function renderView(
  entries: readonly Entry[],
  {
    format,
    left,
    budget,
  }: { readonly format: AssembleFormat; readonly left: number; readonly budget: number },
  meter: Meter,
): WithNote {
  const render = (told: number): WithNote => {
    const addition = systemPromptAddition(entries, { left: told, budget });
    return { addition, rendered: renderMessages(entries, format, addition, meter) };
  };
  const view = render(left);
  if (view.rendered.tokens <= budget || left === 0) return view;
  const without = render(0);
  return without.rendered.tokens <= budget ? without : view;
}
