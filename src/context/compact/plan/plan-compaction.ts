/**
 * Plans what is summarised next. Pure: takes the shape of the context, returns the chunks, oldest first.
 *
 * Leaves are runs of whole turns outside the fresh tail. They never split a tool pair; a turn
 * larger than the cap is split between complete pairs. System messages and the newest user message stay raw.
 * Condensing takes neighbouring summaries of one depth, the shallowest depth that has enough of them.
 */
import type { ShapeItem } from "../../../store/store.ts";
import type { CondensedChunk, LeafChunk } from "./chunk.ts";
import { freshTailStart, safeCuts, type TailSettings } from "./fresh-tail.ts";

export interface PlanSettings extends TailSettings {
  /** Most source tokens of one summary. */
  readonly leafChunkTokens: number;
  /** Fewest summaries of depth 0, and of greater depths, that are condensed together. */
  readonly leafMinFanout: number;
  readonly condensedMinFanout: number;
  /** The minimum for any depth when the context is too large. */
  readonly condensedMinFanoutHard: number;
}

type MessageItem = Extract<ShapeItem, { type: "message" }>;
type SummaryItem = Extract<ShapeItem, { type: "summary" }>;

/** A shorter run waits for more messages: a summary would hardly be shorter. */
const SMALLEST_LEAF = 600;

export function smallestLeaf({ leafChunkTokens }: Pick<PlanSettings, "leafChunkTokens">): number {
  return Math.min(SMALLEST_LEAF, Math.floor(leafChunkTokens / 4));
}

export function planLeaves(items: readonly ShapeItem[], settings: PlanSettings): LeafChunk[] {
  return leafChunks(items, settings).filter((chunk) => !chunk.isShort);
}

/** The chunks outside the fresh tail that can be summarised, including short runs. */
export function leafChunks(items: readonly ShapeItem[], settings: PlanSettings): LeafChunk[] {
  return runsOfMessages(items, settings).flatMap((run) => chunksOf(run, settings));
}

/** Items that are summarised together or not at all. */
interface Unit {
  readonly messages: readonly MessageItem[];
  readonly tokens: number;
}

/**
 * Adjacent units. A summary or a message that must stay raw ends a run; so does a unit whose tool pairs
 * reach beyond it, which also stays raw.
 */
function runsOfMessages(items: readonly ShapeItem[], settings: PlanSettings): Unit[][] {
  const end = freshTailStart(items, settings);
  const newestUser = items.findLastIndex((item) => item.type === "message" && item.role === "user");
  const isSafe = safeCuts(items);
  const runs: Unit[][] = [[]];
  let unit: MessageItem[] = [];
  let startsSafely = true;
  const closeUnit = (index: number) => {
    if (unit.length > 0 && startsSafely && isSafe(index))
      runs.at(-1)?.push({ messages: unit, tokens: tokensOf(unit) });
    unit = [];
    startsSafely = isSafe(index);
  };
  for (let index = 0; index < end; index++) {
    const item = items[index];
    if (item === undefined || !isMovable(item) || index === newestUser) {
      closeUnit(index);
      startsSafely = isSafe(index + 1);
      runs.push([]);
      continue;
    }
    if (isSafe(index)) closeUnit(index);
    unit.push(item);
  }
  closeUnit(end);
  return runs;
}

function isMovable(item: ShapeItem): item is MessageItem {
  return item.type === "message" && item.role !== "system";
}

/** Whole turns up to the cap; a larger turn is split into whole units. */
function chunksOf(run: readonly Unit[], settings: PlanSettings): LeafChunk[] {
  const cap = settings.leafChunkTokens;
  const chunks: LeafChunk[] = [];
  let current: Unit[] = [];
  const close = () => {
    if (current.length > 0) chunks.push(toLeaf(current, smallestLeaf(settings)));
    current = [];
  };
  for (const piece of turnsOf(run).flatMap((turn) =>
    tokensOf(turn) > cap ? turn.map((unit) => [unit]) : [turn],
  )) {
    if (tokensOf(current) + tokensOf(piece) > cap) close();
    current.push(...piece);
  }
  close();
  return chunks;
}

/** A turn starts with a user message. */
function turnsOf(run: readonly Unit[]): Unit[][] {
  const turns: Unit[][] = [];
  for (const unit of run) {
    if (turns.length === 0 || unit.messages[0]?.role === "user") turns.push([]);
    turns.at(-1)?.push(unit);
  }
  return turns;
}

function toLeaf(units: readonly Unit[], smallest: number): LeafChunk {
  const seqs = units.flatMap((unit) => unit.messages.map((message) => message.seq));
  const tokens = tokensOf(units);
  return { kind: "leaf", seqs, tokens, isShort: tokens < smallest };
}

function tokensOf(
  pieces: readonly ({ readonly tokens: number } | { readonly tokenCount: number })[],
): number {
  return pieces.reduce((sum, piece) => sum + ("tokens" in piece ? piece.tokens : piece.tokenCount), 0);
}

/** The next summaries to condense; undefined if no depth has enough adjacent ones. */
export function planCondensing(
  items: readonly ShapeItem[],
  settings: PlanSettings,
  isHard: boolean,
): CondensedChunk | undefined {
  const runs = runsOfSummaries(items.slice(0, freshTailStart(items, settings)), isHard);
  const eligible = runs
    .map((run) => ({ run, least: fanout(run[0]?.depth ?? 0, settings, isHard) }))
    .filter(({ run, least }) => run.length >= least)
    .map(({ run, least }) => capped(run, least, settings.leafChunkTokens));
  const shallowest = eligible.toSorted((a, b) => (a[0]?.depth ?? 0) - (b[0]?.depth ?? 0))[0];
  if (shallowest === undefined) return undefined;
  return {
    kind: "condensed",
    depth: (shallowest[0]?.depth ?? 0) + 1,
    ids: shallowest.map((item) => item.summary),
    tokens: tokensOf(shallowest),
  };
}

/**
 * A single summary to condense alone, so that it reaches the depth of its neighbour and both can be condensed
 * together. Used last, when room is needed.
 */
export function planLifting(items: readonly ShapeItem[], settings: PlanSettings): CondensedChunk | undefined {
  const outside = items.slice(0, freshTailStart(items, settings));
  const depthAt = (index: number) => {
    const item = outside[index];
    return item?.type === "summary" ? item.depth : -1;
  };
  const liftable = outside.flatMap((item, index) => {
    if (item.type !== "summary") return [];
    return Math.max(depthAt(index - 1), depthAt(index + 1)) > item.depth ? [item] : [];
  });
  const shallowest = liftable.toSorted((a, b) => a.depth - b.depth)[0];
  if (shallowest === undefined) return undefined;
  const { depth, summary, tokenCount: tokens } = shallowest;
  return { kind: "condensed", depth: depth + 1, ids: [summary], tokens };
}

/** The minimum number of adjacent summaries of a depth that are condensed together. */
export function fanout(depth: number, settings: PlanSettings, isHard: boolean): number {
  if (isHard) return settings.condensedMinFanoutHard;
  return depth === 0 ? settings.leafMinFanout : settings.condensedMinFanout;
}

/** Adjacent summaries of one depth. Truncations are remade instead, unless room is needed now. */
function runsOfSummaries(items: readonly ShapeItem[], isHard: boolean): SummaryItem[][] {
  const runs: SummaryItem[][] = [];
  let depth = -1;
  for (const item of items) {
    const isEligible = item.type === "summary" && (isHard || item.quality !== "fallback");
    if (isEligible && item.depth === depth) runs.at(-1)?.push(item);
    else if (isEligible) runs.push([item]);
    depth = isEligible ? item.depth : -1;
  }
  return runs;
}

/** As many as the cap allows, but at least the minimum. */
function capped(run: readonly SummaryItem[], least: number, cap: number): SummaryItem[] {
  let tokens = 0;
  return run.filter((item, index) => {
    tokens += item.tokenCount;
    return index < least || tokens <= cap;
  });
}
