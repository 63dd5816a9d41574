/**
 * Which items stay as they were said: the newest messages, by number and by tokens, never half of a tool pair.
 * Planning and assembling ask here, so that there is one rule.
 */
import type { Config } from "../../../config/schema.ts";
import type { ShapeItem } from "../../../store/store.ts";

export interface TailSettings {
  /** Newest messages that stay raw. */
  readonly freshTailCount: number;
  /** Tokens that they may take together; the newest message stays in any case. */
  readonly freshTailMaxTokens: number;
}

/** Share of the budget that the newest messages may take, unless the configuration says how much. */
const FRESH_TAIL_SHARE = 0.4;

export function freshTailTokens(
  { freshTailMaxTokens }: Pick<Config, "freshTailMaxTokens">,
  budget: number,
): number {
  return freshTailMaxTokens ?? Math.floor(budget * FRESH_TAIL_SHARE);
}

/** Index of the first item of the tail; the length of the list when there is none. */
export function freshTailStart(items: readonly ShapeItem[], settings: TailSettings): number {
  let start = items.length;
  let messages = 0;
  let tokens = 0;
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (item === undefined || item.type === "summary") break;
    tokens += item.tokenCount;
    if (messages >= settings.freshTailCount || (messages > 0 && tokens > settings.freshTailMaxTokens)) break;
    messages++;
    start = index;
  }
  return moveToSafeCut(items, start);
}

/** Later, until no tool pair lies on both sides; a pair that would empty the tail pulls it back instead. */
function moveToSafeCut(items: readonly ShapeItem[], start: number): number {
  const isSafe = safeCuts(items);
  for (let index = start; index < items.length; index++) if (isSafe(index)) return index;
  for (let index = start; index >= 0; index--) if (isSafe(index)) return index;
  return start;
}

/** Whether the list can be cut before an index without parting a tool call from its result. */
export function safeCuts(items: readonly ShapeItem[]): (index: number) => boolean {
  const spanning = new Int32Array(items.length + 1);
  for (const [first, last] of toolPairs(items)) {
    spanning[first + 1] = (spanning[first + 1] ?? 0) + 1;
    spanning[last + 1] = (spanning[last + 1] ?? 0) - 1;
  }
  for (let index = 1; index < spanning.length; index++)
    spanning[index] = (spanning[index] ?? 0) + (spanning[index - 1] ?? 0);
  return (index) => spanning[index] === 0;
}

/** Indexes of the first and last item that speak of one tool call, in whichever order they stand. */
function toolPairs(items: readonly ShapeItem[]): Iterable<readonly [number, number]> {
  const spans = new Map<string, [number, number]>();
  items.forEach((item, index) => {
    if (item.type === "summary") return;
    for (const id of [...item.toolCalls, ...item.toolResults]) {
      const span = spans.get(id);
      if (span === undefined) spans.set(id, [index, index]);
      else span[1] = index;
    }
  });
  return spans.values();
}
