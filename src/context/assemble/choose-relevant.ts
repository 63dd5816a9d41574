/**
 * Chooses older items by their match with a prompt: always the newest, then the best
 * matches, keeping tool pairs together, in the original order.
 */
import { chooseCut } from "./choose-window.ts";
import type { Entry } from "./entry.ts";
import { sumOf } from "./fit-entries.ts";

/** Scores of context items by id; items without an entry do not match. */
export type Scores = ReadonlyMap<string, number>;

/** Share of the room that the newest items take. */
const NEWEST_SHARE = 0.4;

export function chooseRelevant(entries: readonly Entry[], scores: Scores, room: number): readonly Entry[] {
  const { index: tail } = chooseCut(entries, { before: 0, budget: Math.floor(room * NEWEST_SHARE) });
  let left = room - sumOf(entries.slice(tail));
  const matches = new Set<Entry>();
  for (const unit of bestUnits(entries.slice(0, tail), ({ id }) => scores.get(id) ?? 0)) {
    const cost = sumOf(unit);
    if (cost > left) continue;
    left -= cost;
    for (const entry of unit) matches.add(entry);
  }
  const newest = newestThatFit(entries.slice(0, tail), matches, left);
  const older = entries.filter((entry) => matches.has(entry) || newest.has(entry));
  return [...older.map((entry) => (matches.has(entry) ? asMatch(entry) : entry)), ...entries.slice(tail)];
}

/** The room that matches leave is filled as if there were no prompt. */
function newestThatFit(
  entries: readonly Entry[],
  taken: ReadonlySet<Entry>,
  room: number,
): ReadonlySet<Entry> {
  const newest = new Set<Entry>();
  let left = room;
  for (const unit of unitsOf(entries.filter((entry) => !taken.has(entry))).toReversed()) {
    left -= sumOf(unit);
    if (left < 0) break;
    for (const entry of unit) newest.add(entry);
  }
  return newest;
}

/** The units with a match: best first, newest first among equals. */
export function bestUnits<Item extends { toolCalls: readonly string[]; toolResults: readonly string[] }>(
  items: readonly Item[],
  scoreOf: (item: Item) => number,
): readonly (readonly Item[])[] {
  return unitsOf(items)
    .map((unit) => ({ unit, score: Math.max(...unit.map(scoreOf)) }))
    .filter(({ score }) => score > 0)
    .toReversed()
    .sort((a, b) => b.score - a.score)
    .map(({ unit }) => unit);
}

function asMatch(entry: Entry): Entry {
  return entry.role === "system" ? entry : { ...entry, reason: "matches the prompt" };
}

interface WithTools {
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
}

/** Items that share a tool call form one unit with the items between them. */
export function unitsOf<Item extends WithTools>(items: readonly Item[]): Item[][] {
  const last = new Map<string, number>();
  items.forEach((item, index) => {
    for (const id of [...item.toolCalls, ...item.toolResults]) last.set(id, index);
  });
  const units: Item[][] = [];
  let end = -1;
  items.forEach((item, index) => {
    if (index > end) units.push([]);
    units.at(-1)?.push(item);
    for (const id of [...item.toolCalls, ...item.toolResults]) end = Math.max(end, last.get(id) ?? 0);
    end = Math.max(end, index);
  });
  return units;
}
