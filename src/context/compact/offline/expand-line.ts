/** The last line: topics that the summary leaves out and that can be expanded. */
import { clip } from "../../../text/cut-text.ts";
import type { CountTokens } from "../../../text/estimate-tokens.ts";
import { EXPAND, NEXT_TOPIC } from "../format-lines.ts";
import type { Digest, Statement, Topic } from "./statement.ts";

const LONGEST = 60;
const MOST = 12;
/** Topics with fewer characters are not worth naming. */
const SMALLEST = 160;

export function writeExpandLine(
  digest: Digest,
  taken: readonly Statement[],
  maxTokens: number,
  countTokens: CountTokens,
): string {
  const shown: string[] = [];
  let left = maxTokens - countTokens(`${EXPAND} `);
  for (const { label } of leftOut(digest, taken)) {
    const cost = countTokens(`${label}${NEXT_TOPIC}`);
    if (shown.length >= MOST || cost > left || shown.includes(label)) continue;
    shown.push(label);
    left -= cost;
  }
  return `${EXPAND} ${shown.length === 0 ? "the exact wording" : shown.join(NEXT_TOPIC)}`;
}

/** Heaviest first; a moment that is missing from the summary is represented by its fullest sentence. */
function leftOut({ statements, topics }: Digest, taken: readonly Statement[]): Topic[] {
  const present = new Set(taken.map(({ moment }) => moment));
  const silent = new Map<number, Topic>();
  for (const { moment, index, text, speaker } of statements) {
    if (present.has(moment) || speaker === "thinking" || speaker === "tool") continue;
    const known = silent.get(moment);
    const label = known === undefined || text.length > known.label.length ? text : known.label;
    silent.set(moment, { index, label, weight: (known?.weight ?? 0) + text.length });
  }
  return [...topics, ...[...silent.values()].filter(({ weight }) => weight >= SMALLEST)]
    .map((topic) => ({ ...topic, label: labelOf(topic.label) }))
    .filter(({ label }) => label !== "")
    .toSorted((a, b) => b.weight - a.weight || a.index - b.index);
}

/** A few words, verbatim; cut before the separator of the items, if the text contains it. */
function labelOf(text: string): string {
  const words = text
    .replace(/\s+/g, " ")
    .replace(/[.:;。：]+$/, "")
    .trim();
  const end = words.indexOf(NEXT_TOPIC);
  return clip(end < 0 ? words : `${words.slice(0, end)}…`, LONGEST);
}
