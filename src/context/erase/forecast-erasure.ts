/** Counts what an erasure removes besides messages and lines, before anything is removed. */
import type { MemoryStore } from "../../store/memory-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import type { ErasurePlan } from "./erasure-plan.ts";

export async function forecastErasure(
  { store, memories }: { readonly store: ScopedStore; readonly memories: MemoryStore | null },
  plan: ErasurePlan,
): Promise<{ readonly summaries: number; readonly memories: number }> {
  const summaryIds = new Set<string>();
  const memoryIds = new Set(plan.memories);
  for (const conversation of plan.conversations) {
    const { seqs, retold } = plan.of(conversation);
    for (const seq of new Set([...seqs, ...retold])) {
      const { above } = await store.lineage(conversation, { seq });
      for (const { summary } of above) if (!summary.isErased) summaryIds.add(summary.id);
    }
    for (const seq of memories === null ? [] : seqs)
      for (const { id, erasedAt } of (await memories?.memoriesFrom(conversation, { from: seq, to: seq })) ??
        [])
        if (erasedAt === null) memoryIds.add(id);
  }
  return { summaries: summaryIds.size, memories: memoryIds.size };
}
