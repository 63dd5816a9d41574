/** What held of each key at each time that anything happened, as the rows say and as memory answers. */
import type { AgentMemory } from "../../src/memory/memory.ts";
import type { MemoryModel, ModelMemory } from "./memory-model.ts";

export async function compareFacts(memory: AgentMemory, model: MemoryModel): Promise<string[]> {
  const keys = new Map(model.memories.map((one) => [`${one.scope} ${one.factKey}`, one]));
  const times = new Set(
    model.memories.flatMap(({ createdAt, archivedAt }) => [createdAt, archivedAt ?? createdAt]),
  );
  const problems: string[] = [];
  for (const { scope, factKey } of keys.values())
    for (const at of factKey === null ? [] : times) {
      const { facts } = await memory.facts({ factKey: factKey ?? "", scope, at, limit: 100 });
      const has = facts.map((fact) => fact.memory.id).toSorted();
      const must = heldAt(model, { scope, factKey, at });
      if (has.join() !== must.join()) problems.push(`of ${factKey} held ${has} and not ${must} at ${at}`);
    }
  return problems;
}

/** Of each chain of versions with this key the last one that held then. */
function heldAt(
  model: MemoryModel,
  { scope, factKey, at }: Pick<ModelMemory, "scope" | "factKey"> & { at: string },
) {
  const keyed = model.memories.filter((one) => one.scope === scope && one.factKey === factKey);
  const chains = new Map(
    keyed.map(({ id }) => model.versionsOf(id)).map((versions) => [versions.at(-1)?.id, versions]),
  );
  return [...chains.values()]
    .flatMap((versions) => versions.findLast((version) => isHeld(version, at))?.id ?? [])
    .toSorted();
}

function isHeld({ createdAt, invalidatedAt, archivedAt, isErased }: ModelMemory, at: string): boolean {
  const isOver = [invalidatedAt, archivedAt].some((end) => end !== null && end <= at);
  return !isErased && createdAt <= at && !isOver;
}
