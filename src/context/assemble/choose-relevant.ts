/**
 * Which older items are shown when the caller asks for those that fit a prompt: the newest in any case, then the best
 * matches by BM25, whole tool pairs together, in the order in which they were said.
 */
import { termsOf } from "../compact/terms.ts";
import { textOfParts } from "../ingest/read-parts.ts";
import { chooseCut } from "./choose-window.ts";
import type { Entry } from "./entry.ts";
import { sumOf } from "./fit-entries.ts";

/** Share of the room that the newest items take. */
const NEWEST_SHARE = 0.4;
/** The usual constants of BM25. */
const SATURATION = 1.2;
const LENGTH = 0.75;

export function chooseRelevant(entries: readonly Entry[], prompt: string, room: number): readonly Entry[] {
  const tail = chooseCut(entries, { before: 0, budget: Math.floor(room * NEWEST_SHARE) });
  const units = unitsOf(entries.slice(0, tail));
  const scores = scoreUnits(units, prompt);
  let left = room - sumOf(entries.slice(tail));
  const chosen = new Set<Entry>();
  const best = units
    .map((unit, index) => ({ unit, score: scores[index] ?? 0 }))
    .toSorted((a, b) => b.score - a.score);
  for (const { unit, score } of best) {
    const cost = sumOf(unit);
    if (score <= 0 || cost > left) continue;
    left -= cost;
    for (const entry of unit) chosen.add(entry);
  }
  const older = entries.slice(0, tail).filter((entry) => chosen.has(entry));
  return [...older.map(asMatch), ...entries.slice(tail)];
}

function asMatch(entry: Entry): Entry {
  return entry.type === "message" && entry.role !== "system"
    ? { ...entry, reason: "matches the prompt" }
    : entry;
}

/** Items that share a tool call come together, with what stands between them. */
function unitsOf(entries: readonly Entry[]): Entry[][] {
  const last = new Map<string, number>();
  entries.forEach((entry, index) => {
    for (const id of [...entry.toolCalls, ...entry.toolResults]) last.set(id, index);
  });
  const units: Entry[][] = [];
  let end = -1;
  entries.forEach((entry, index) => {
    if (index > end) units.push([]);
    units.at(-1)?.push(entry);
    for (const id of [...entry.toolCalls, ...entry.toolResults]) end = Math.max(end, last.get(id) ?? 0);
    end = Math.max(end, index);
  });
  return units;
}

function scoreUnits(units: readonly (readonly Entry[])[], prompt: string): number[] {
  const query = new Set(termsOf(prompt));
  const documents = units.map((unit) => countTerms(unit.map(textOf).join("\n"), query));
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const holders = (term: string) => documents.filter(({ counts }) => counts.has(term)).length;
  const weights = new Map(
    [...query].map((term) => {
      const found = holders(term);
      return [term, Math.log(1 + (documents.length - found + 0.5) / (found + 0.5))] as const;
    }),
  );
  return documents.map(({ counts, length }) => {
    let score = 0;
    for (const [term, count] of counts)
      score +=
        ((weights.get(term) ?? 0) * count * (SATURATION + 1)) /
        (count + SATURATION * (1 - LENGTH + (LENGTH * length) / Math.max(1, mean)));
    return score;
  });
}

function countTerms(text: string, query: ReadonlySet<string>) {
  const terms = termsOf(text);
  const counts = new Map<string, number>();
  for (const term of terms) if (query.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { counts, length: terms.length };
}

function textOf({ wire }: Entry): string {
  return wire.type === "text" ? wire.text : textOfParts(wire.parts);
}
