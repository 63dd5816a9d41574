/** Embeds the question with each model in use. If that fails, only words are searched, and a note reports it. */
import { setTimeout } from "node:timers/promises";
import { isPalimpsestError, messageOf } from "../../errors.ts";
import type { Embedder } from "../../model/embed/embedder.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { QuestionVector } from "./gather-pool.ts";
import type { OlderEmbedders } from "./older-embedders.ts";

type Use = Pick<MemoryDependencies, "embedder" | "log"> & { readonly older: OlderEmbedders };

export interface EmbedOptions {
  readonly signal?: AbortSignal | undefined;
  /** The timeout after which only words are searched, such as while a model loads. Default: none. */
  readonly milliseconds?: number;
}

/** The current model first. Empty without an embedder, or on a timeout. */
export async function embedQuestion(
  question: string,
  use: Use,
  notes: string[],
  { signal, milliseconds }: EmbedOptions = {},
): Promise<readonly QuestionVector[]> {
  const vectors = embedByAll(question, use, notes, signal);
  if (milliseconds === undefined) return vectors;
  // A late result is ignored, but its rejection must not end the process.
  vectors.catch(() => {});
  const late = setTimeout(milliseconds, undefined, { ref: false });
  const found = await Promise.race([vectors, late]);
  if (found === undefined)
    notes.push("Only words were searched: the question could not be embedded in time.");
  return found ?? [];
}

async function embedByAll(
  question: string,
  use: Use,
  notes: string[],
  signal: AbortSignal | undefined,
): Promise<readonly QuestionVector[]> {
  if (use.embedder === null) {
    notes.push("Only words were searched: embeddingModel is off.");
    return [];
  }
  const older = await use.older.serving();
  if (older.length > 0)
    notes.push(
      `Some memories only have embeddings from ${older.map(({ model }) => model).join(", ")}; these are used until new ones exist.`,
    );
  const vectors = await Promise.all(
    [use.embedder, ...older].map((one) => embedWith(one, question, use, notes, signal)),
  );
  return vectors.filter((vector) => vector !== null);
}

async function embedWith(
  embedder: Embedder,
  question: string,
  { log }: Use,
  notes: string[],
  signal: AbortSignal | undefined,
): Promise<QuestionVector | null> {
  try {
    const [values] = await embedder.embed([question], {
      purpose: "query",
      ...(signal === undefined ? {} : { signal }),
    });
    return values === undefined ? null : { model: embedder.model, values };
  } catch (error) {
    if (isPalimpsestError(error, "cancelled")) throw error;
    log.warn({ model: embedder.model, problem: messageOf(error) }, "a question was not embedded");
    notes.push(`Semantic search with ${embedder.model} failed: ${messageOf(error)}.`);
    return null;
  }
}
