/** The question as a vector. Where that does not work, words alone answer, and it is said. */
import { isPalimpsestError, messageOf } from "../../errors.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { PoolQuery } from "./gather-pool.ts";

/** Null where there is no embedder, or it does not answer. */
export async function embedQuestion(
  question: string,
  { embedder, log }: Pick<MemoryDependencies, "embedder" | "log">,
  notes: string[],
  signal?: AbortSignal,
): Promise<PoolQuery["vector"]> {
  if (embedder === null) {
    notes.push("Only words were searched: embeddingModel is off.");
    return null;
  }
  try {
    const [values] = await embedder.embed([question], {
      purpose: "query",
      ...(signal === undefined ? {} : { signal }),
    });
    return values === undefined ? null : { model: embedder.model, values };
  } catch (error) {
    if (isPalimpsestError(error, "cancelled")) throw error;
    log.warn({ model: embedder.model, problem: messageOf(error) }, "a question was not embedded");
    notes.push(`Only words were searched, because the embedder did not answer: ${messageOf(error)}.`);
    return null;
  }
}
