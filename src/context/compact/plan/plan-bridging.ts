/**
 * Short runs of messages that keep leaves apart. A summary of one saves little or nothing, so it is made only as a step:
 * when the leaves on both sides are enough to be condensed with it, and too few without. Pure.
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

/** Short runs right before a summary, whatever its depth: worth a summary where that is shorter, and room is needed. */
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

/** Leaves side by side, once the short runs between them are leaves too. */
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
  // A run counts once a leaf follows it: at the end of a stretch it keeps nothing apart.
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

/** Truncations are left to be made again, unless room is needed now. */
function isLeaf(item: ShapeItem, isHard: boolean): boolean {
  return item.type === "summary" && item.depth === 0 && (isHard || item.quality !== "fallback");
}
