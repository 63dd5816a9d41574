/** How often a model may be asked to extract, and whether a stretch is worth it. */
import { hasExplicitRequest } from "./rules.ts";

const HOUR_MS = 3_600_000;

interface ThrottleSettings {
  /** Extractions in any sixty minutes. Default 30. */
  readonly perHour: number;
}

const THROTTLE: ThrottleSettings = { perHour: 30 };

interface Throttled {
  readonly allowed: boolean;
  /** In the hour that ends now. */
  readonly used: number;
  /** When the next one is allowed, in milliseconds; null when it is now. */
  readonly retryAt: number | null;
  readonly reason: string;
}

/** Times of past extractions, in milliseconds, in any order. */
export function throttle(times: readonly number[], now: number, settings = THROTTLE): Throttled {
  const recent = times.filter((time) => time > now - HOUR_MS && time <= now).toSorted((a, b) => a - b);
  const used = recent.length;
  if (used < settings.perHour)
    return { allowed: true, used, retryAt: null, reason: `${used} of ${settings.perHour} in the last hour.` };
  // The oldest extraction that must leave the hour before the next one is allowed.
  const leaving = recent[used - settings.perHour];
  const retryAt = leaving === undefined ? null : leaving + HOUR_MS;
  return { allowed: false, used, retryAt, reason: `The limit of extractions per hour is reached (${used}).` };
}

interface LowValueSettings {
  /** Below this value, the model is not called for a stretch. Default 0.2. */
  readonly skipBelow: number;
  readonly substantiveCharacters: number;
  readonly manyTexts: number;
}

const LOW_VALUE: LowValueSettings = { skipBelow: 0.2, substantiveCharacters: 200, manyTexts: 6 };

interface StretchValue {
  readonly score: number;
  readonly skip: boolean;
  readonly reason: string;
}

const TOOL_MARKER =
  /<(?:tool_call|tool_result|tool_use|function_call)s?\b|"(?:tool_call_id|tool_use_id)"|\btool_calls?:/i;
const TURNING_POINT =
  /(?<!\p{L})(?:actually|instead|wrong|decided|decision|agreed|let's go with|from now on|eigentlich|stattdessen|falsch|entschieden|beschlossen|ab jetzt|en fait|décidé|désormais|en realidad|decidido|na verdade|decidimos|in realtà|deciso|на самом деле|решили)(?!\p{L})|决定|決定|其实|不对|更正|決めた|決めました|ことにし|実は|결정|하기로|사실은/iu;

/** Takes the texts of people in the stretch. */
export function stretchValue(texts: readonly string[], settings = LOW_VALUE): StretchValue {
  const all = texts.join("\n");
  const substantive = texts
    .map((text) => text.trim())
    .filter((text) => text.length > 10)
    .join("").length;
  const parts: readonly (readonly [string, number, boolean])[] = [
    ["a request to remember", 0.5, texts.some(hasExplicitRequest)],
    ["use of tools", 0.4, TOOL_MARKER.test(all)],
    ["a correction or decision", 0.3, TURNING_POINT.test(all)],
    ["substance", 0.2, substantive > settings.substantiveCharacters],
    ["many messages", 0.1, texts.length > settings.manyTexts],
  ];
  const present = parts.filter(([, , holds]) => holds);
  // In tenths, so that sums of them compare exactly.
  const score = present.reduce((sum, [, points]) => sum + Math.round(points * 10), 0) / 10;
  const reason = present.length === 0 ? "Small talk." : `Has ${present.map(([name]) => name).join(", ")}.`;
  return { score, skip: score < settings.skipBelow, reason };
}
