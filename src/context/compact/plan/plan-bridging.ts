/**
 * Short runs of messages between leaves. A summary of one saves little or nothing, so it is made only as a step:
 * if the leaves on both sides are enough for condensing with it and too few without it. Pure.
 */
import type { ShapeItem } from "../../../store/store.ts";
import type { LeafChunk } from "./chunk.ts";
import { fanout, leafChunks, type PlanSettings } from "./plan-compaction.ts";

export function planBridging(
  items: readonly ShapeItem[],
  settings: PlanSettings,
  isHard: boolean,
): LeafChunk[] {
  const short = new Map(
    leafChunks(items, settings).flatMap((chunk) => (chunk.isShort ? [[chunk.seqs[0], chunk] as const] : [])),
  );
  return stretches(items, short, isHard)
    .filter(({ leaves, bridges }) => leaves + bridges.length >= fanout(0, settings, isHard))
    .flatMap(({ bridges }) => bridges);
}

/** Short runs directly before a summary of any depth: summarised if that is shorter and room is needed. */
export function planShortening(items: readonly ShapeItem[], settings: PlanSettings): LeafChunk[] {
  const beforeSummary = new Set(
    items.flatMap((item, index) =>
      item.type === "message" && items[index + 1]?.type === "summary" ? [item.seq] : [],
    ),
  );
  return leafChunks(items, settings).filter(
    (chunk) => chunk.isShort && beforeSummary.has(chunk.seqs.at(-1) ?? 0),
  );
}

/** Adjacent leaves, once the short runs between them are leaves as well. */
interface Stretch {
  leaves: number;
  readonly bridges: LeafChunk[];
}

function stretches(
  items: readonly ShapeItem[],
  short: ReadonlyMap<number | undefined, LeafChunk>,
  isHard: boolean,
): Stretch[] {
  const found: Stretch[] = [];
  let current: Stretch | undefined;
  // A run counts only if a leaf follows it: at the end of a stretch it separates nothing.
  let waiting: LeafChunk | undefined;
  for (const item of items) {
    if (isLeaf(item, isHard)) {
      if (current === undefined) {
        current = { leaves: 0, bridges: [] };
        found.push(current);
      }
      current.leaves++;
      if (waiting !== undefined) current.bridges.push({ ...waiting, isBridge: true });
      waiting = undefined;
    } else if (item.type !== "message" || waiting?.seqs.includes(item.seq) !== true) {
      waiting =
        item.type === "message" && waiting === undefined && current !== undefined
          ? short.get(item.seq)
          : undefined;
      if (waiting === undefined) current = undefined;
    }
  }
  return found;
}

/** Truncations are remade instead, unless room is needed now. */
function isLeaf(item: ShapeItem, isHard: boolean): boolean {
  return item.type === "summary" && item.depth === 0 && (isHard || item.quality !== "fallback");
}
