/**
 * Notes for a semantic search: memories without embeddings, or with embeddings of a different length, can
 * be found by their words only. The note says what to do.
 */
import type { MemoryStore, VectorCount } from "../../store/memory-store.ts";
import { counted } from "../../text/counted.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { PoolEntry, QuestionVector } from "./gather-pool.ts";

/** Embeddings are counted only if none was usable, and memories only if nothing was found. */
export async function noteMissingVectors(
  vectors: readonly QuestionVector[],
  found: readonly Pick<PoolEntry, "cosine">[],
  { store, embedder }: Pick<MemoryDependencies, "store" | "embedder">,
): Promise<readonly string[]> {
  const present = vectors.find(({ model }) => model === embedder?.model);
  if (present === undefined) return [];
  const unmeasured = found.filter(({ cosine }) => cosine === null).length;
  const ofThose = () => noteMissing(unmeasured, "candidate ");
  if (unmeasured < found.length) return ofThose();
  const made = (await store.vectorCounts()).find(({ model }) => model === present.model);
  if (made !== undefined && made.dimensions !== present.values.length) return [noteLength(made, present)];
  if (found.length > 0) return ofThose();
  return noteMissing(await missingIn(store, made), "");
}

function noteMissing(missing: number, kind: "candidate " | ""): readonly string[] {
  if (missing === 0) return [];
  const which = counted(
    missing,
    `${kind}memory has no embedding yet and was`,
    `${kind}memories have no embeddings yet and were`,
  );
  const them = missing === 1 ? "it" : "them";
  return [`${which} compared by words only. Create ${them} with: lcm memory reembed`];
}

/** With the same model name nothing counts as missing; only another name leads to new embeddings. */
function noteLength({ model, dimensions }: VectorCount, { values: { length } }: QuestionVector): string {
  return (
    `Stored embeddings from ${model} have ${dimensions} dimensions, but the model now returns ${length}, so only words ` +
    `were compared: set embeddingDimensions to ${length}, or give a host's own embedder another name, then ` +
    "run lcm memory reembed to create new ones."
  );
}

async function missingIn(store: MemoryStore, made: VectorCount | undefined): Promise<number> {
  const { byState } = await store.memoryCounts();
  return Math.max(0, byState.active + byState.superseded + byState.archived - (made?.memories ?? 0));
}
