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
  /** Tool names by call id. Default: those of the source. */
  readonly names?: ReadonlyMap<string, string>;
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
  return joinPieces(renderPieces(source, options));
}

/** One text for each message or summary; empty if nothing of it is shown. */
export function renderPieces(source: SummarySource, options: RenderOptions): string[] {
  const { timezone, limits = MODEL_LIMITS } = options;
  if (source.kind === "condensed")
    return source.summaries.map((summary) => renderSummary(summary, timezone, limits));
  const names = options.names ?? toolNames(source.messages);
  return source.messages.map((message) => renderMessage(message, { timezone, limits, names }));
}

export const PIECE_SEPARATOR = "\n\n";

export function joinPieces(pieces: readonly string[]): string {
  return pieces.filter((piece) => piece !== "").join(PIECE_SEPARATOR);
}

function renderMessage(
  { parts, role, createdAt }: SourceMessage,
  { timezone, limits, names }: Required<RenderOptions>,
): string {
  const at = stamp(createdAt, timezone);
  const show = (chosen: readonly Part[]) =>
    chosen
      .map((part) => renderSourcePart(part, names, limits))
      .filter((piece) => piece !== "")
      .join("\n");
  return joinPieces([
    block(`[${at} | ${role} thinking]`, show(parts.filter(isThought))),
    block(`[${at} | ${role}]`, show(parts.filter((part) => !isThought(part)))),
  ]);
}

/** Thoughts come first and separately: they explain actions but are not part of the conversation. */
function isThought({ type }: Part): boolean {
  return type === "reasoning";
}

function block(header: string, body: string): string {
  return body === "" ? "" : `${header}\n${body}`;
}

function renderSummary(summary: SourceSummary, timezone: string, limits: PartLimits): string {
  const range = `${stamp(summary.earliestAt, timezone)} – ${stamp(summary.latestAt, timezone)}`;
  return `[${range} | summary]\n${cutMiddle(hideBase64(summary.text.trim()), limits.text)}`;
}

function stamp(instant: string, timezone: string): string {
  const { date, time } = localTime(instant, timezone);
  return date === "" ? "time unknown" : `${date} ${time}`;
}
