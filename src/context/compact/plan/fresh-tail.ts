/**
 * Which items stay unchanged: the newest messages, limited by number and tokens, without splitting a tool pair.
 * Both planning and assembling use this rule.
 */
import type { Config } from "../../../config/schema.ts";
import type { ShapeItem } from "../../../store/store.ts";

export interface TailSettings {
  /** Number of newest messages that stay raw. */
  readonly freshTailCount: number;
  /** Most tokens of these messages; the newest message always stays. */
  readonly freshTailMaxTokens: number;
}

/** Share of the budget for the newest messages, unless configured. */
const FRESH_TAIL_SHARE = 0.4;

export function freshTailTokens(
  { freshTailMaxTokens }: Pick<Config, "freshTailMaxTokens">,
  budget: number,
): number {
  return freshTailMaxTokens ?? Math.floor(budget * FRESH_TAIL_SHARE);
}

/** The index of the first item in the tail, or the length of the list if the tail is empty. */
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

/** Moves the start until no tool pair is split: later, or earlier if the tail would become empty. */
function moveToSafeCut(items: readonly ShapeItem[], start: number): number {
  const isSafe = safeCuts(items);
  for (let index = start; index < items.length; index++) if (isSafe(index)) return index;
  for (let index = start; index >= 0; index--) if (isSafe(index)) return index;
  return start;
}

/** Whether the list can be cut before an index without splitting a tool pair. */
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

/** Indexes of the first and last item of each tool call, in either order. */
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
