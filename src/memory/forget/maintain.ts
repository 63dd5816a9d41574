/** Moves memories between tiers as they are used or decay. Each move is recorded with its reason and numbers. */
import { isPalimpsestError } from "../../errors.ts";
import { MEMORY_TIERS } from "../../memory-types.ts";
import type { ReviseWrite, StoredMemory } from "../../store/memory-store.ts";
import { isoTime } from "../../text/timestamps.ts";
import { eachMemory } from "../every-memory.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { decideTier, type TierDecision } from "./tiers.ts";

type Use = Pick<MemoryDependencies, "store" | "clock">;

export interface TierMove {
  readonly id: string;
  readonly decision: TierDecision;
}

/** Pure. The move that a memory is due for; null when it stays. */
function tierMove(memory: StoredMemory, now: number): TierMove | null {
  const decision = decideTier(memory, now);
  return decision.to === decision.from ? null : { id: memory.id, decision };
}

/** Moves those that are due. A concurrent change of one must not make the counting of uses fail. */
export async function moveTiers(memories: readonly StoredMemory[], use: Use): Promise<readonly TierMove[]> {
  const now = use.clock();
  const moved: TierMove[] = [];
  for (const memory of memories) {
    const move = tierMove(memory, now);
    if (move !== null && (await applied(writeOf(memory, move, now), use))) moved.push(move);
  }
  return moved;
}

interface MaintainReport {
  readonly looked: number;
  readonly moves: readonly TierMove[];
}

/** Checks all current memories once. */
export async function moveAllTiers(
  use: Use,
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal?: AbortSignal },
): Promise<MaintainReport> {
  const moves: TierMove[] = [];
  let looked = 0;
  for await (const memory of eachMemory(use.store, { limit: 500 })) {
    signal?.throwIfAborted();
    looked++;
    const move = tierMove(memory, use.clock());
    if (move === null) continue;
    if (dryRun || (await applied(writeOf(memory, move, use.clock()), use))) moves.push(move);
  }
  return { looked, moves };
}

function writeOf(memory: StoredMemory, { decision }: TierMove, now: number): ReviseWrite {
  const { from, to, reason, numbers } = decision;
  const isUp = MEMORY_TIERS.indexOf(to) < MEMORY_TIERS.indexOf(from);
  return {
    kind: "revise",
    id: memory.id,
    changes: { tier: to },
    unchangedSince: memory.updatedAt,
    event: {
      at: isoTime(now),
      action: isUp ? "promoted" : "demoted",
      detail: JSON.stringify({ from, to, reason, numbers }),
    },
  };
}

async function applied(write: ReviseWrite, { store }: Pick<Use, "store">): Promise<boolean> {
  try {
    await store.commit([write]);
    return true;
  } catch (error) {
    if (isPalimpsestError(error, "busy") || isPalimpsestError(error, "not-found")) return false;
    throw error;
  }
}
