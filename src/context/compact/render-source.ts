/**
 * The text that a summarising model reads and its summary is checked against: speakers and times, every tool
 * call with its name, arguments and status. Long texts are cut in the middle with a note; encoded bytes are named.
 * Deterministic, and linear in the source.
 */

import { toolNames } from "../../message/names-of-calls.ts";
import { cutMiddle } from "../../text/cut-text.ts";
import { hideBase64 } from "../../text/hide-base64.ts";
import { localTime } from "../../text/local-time.ts";
import type { Part } from "../../types.ts";
import { type PartLimits, renderSourcePart } from "./render-source-part.ts";
import type { SourceMessage, SourceSummary, SummarySource } from "./source.ts";

interface RenderOptions {
  /** IANA name of the zone in which times are written. */
  readonly timezone: string;
  /** Default: `MODEL_LIMITS`. */
  readonly limits?: PartLimits;
}

/** Characters of each part that are enough to understand it. */
export const MODEL_LIMITS: PartLimits = { text: 12_000, reasoning: 1_200, input: 1_600, output: 4_000 };

/** Nothing is cut, so that every fact of a summary can be found. */
export const NO_LIMITS: PartLimits = {
  text: Infinity,
  reasoning: Infinity,
  input: Infinity,
  output: Infinity,
};

export function renderSource(source: SummarySource, options: RenderOptions): string {
  const { timezone, limits = MODEL_LIMITS } = options;
  return source.kind === "leaf"
    ? renderMessages(source.messages, timezone, limits)
    : source.summaries.map((summary) => renderSummary(summary, timezone, limits)).join("\n\n");
}

function renderMessages(messages: readonly SourceMessage[], timezone: string, limits: PartLimits): string {
  const names = toolNames(messages);
  const blocks: string[] = [];
  for (const { parts, role, createdAt } of messages) {
    const at = stamp(createdAt, timezone);
    const show = (chosen: readonly Part[]) =>
      chosen
        .map((part) => renderSourcePart(part, names, limits))
        .filter((piece) => piece !== "")
        .join("\n");
    addBlock(`[${at} | ${role} thinking]`, show(parts.filter(isThought)), blocks);
    addBlock(`[${at} | ${role}]`, show(parts.filter((part) => !isThought(part))), blocks);
  }
  return blocks.join("\n\n");
}

/** Thoughts come first and separately: they explain actions but are not part of the conversation. */
function isThought({ type }: Part): boolean {
  return type === "reasoning";
}

function addBlock(header: string, body: string, blocks: string[]): void {
  if (body !== "") blocks.push(`${header}\n${body}`);
}

function renderSummary(summary: SourceSummary, timezone: string, limits: PartLimits): string {
  const range = `${stamp(summary.earliestAt, timezone)} – ${stamp(summary.latestAt, timezone)}`;
  return `[${range} | summary]\n${cutMiddle(hideBase64(summary.text.trim()), limits.text)}`;
}

function stamp(instant: string, timezone: string): string {
  const { date, time } = localTime(instant, timezone);
  return date === "" ? "time unknown" : `${date} ${time}`;
}
