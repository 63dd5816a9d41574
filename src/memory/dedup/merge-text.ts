/** Writes one text from a candidate and the memories that it is merged with. Without a model, or when it fails, nothing is merged. */
import { isPalimpsestError } from "../../errors.ts";
import { mergeMemoriesPrompt, readMergedMemory } from "../../prompts/merge-memories.ts";
import type { StoredMemory } from "../../store/memory-store.ts";
import { newMemoryId } from "../../text/identifiers.ts";
import { tryToEmbed } from "../embed-memories.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { VerdictPlan } from "./verdict.ts";
import type { Candidate, MergedText } from "./writes-of.ts";

const ANSWER_TOKENS = 2_000;

/** Null when the plan merges nothing or no text could be written; the candidate is then stored unchanged. */
export async function mergeText(
  { effects }: VerdictPlan,
  { memory }: Candidate,
  known: readonly StoredMemory[],
  use: Pick<MemoryDependencies, "complete" | "embedder" | "log" | "random">,
  signal?: AbortSignal,
): Promise<MergedText | null> {
  const merge = effects.find((effect) => effect.kind === "merge");
  if (merge === undefined || use.complete === null) return null;
  const into = known.filter(({ id }) => merge.targets.includes(id));
  const oldest = into.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  const notes = [...oldest, memory].map((note) => ({ ...note, at: note.createdAt.slice(0, 10) }));
  try {
    const { text } = await use.complete({
      purpose: "memory",
      ...mergeMemoriesPrompt({ category: memory.category, memories: notes }),
      maxTokens: ANSWER_TOKENS,
      temperature: 0.1,
      ...(signal === undefined ? {} : { signal }),
    });
    const read = readMergedMemory(text);
    if (!read.ok) return null;
    const [vectors] = (await tryToEmbed([read.text], use, signal)) ?? [];
    return { id: newMemoryId(use.random), text: read.text, vectors };
  } catch (error) {
    if (isPalimpsestError(error, "cancelled") || isPalimpsestError(error, "model-authentication"))
      throw error;
    return null;
  }
}
