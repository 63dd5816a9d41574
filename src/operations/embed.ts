import { z } from "zod";
import { PalimpsestError } from "../errors.ts";
import { count, counted } from "../text/counted.ts";
import { bar } from "../text/terminal/table.ts";
import { defineOperation } from "./operation.ts";

/** The progress of a run. */
export interface EmbedSaidStep {
  readonly done: number;
  readonly total: number;
  readonly unit: "messages";
}

const inputSchema = z.strictObject({});
const outputSchema = z.strictObject({
  model: z.string().describe("The embedding model."),
  looked: z.int().describe("Messages that were processed in this run."),
  embedded: z.int().describe("Messages that have embeddings from this model; the others contain no text."),
  vectors: z.int().describe("Number of embeddings; a long message has several."),
  notEmbedded: z.int().describe("Messages that arrived meanwhile and are pending."),
});

export const embedSaid = defineOperation<
  z.infer<typeof inputSchema>,
  z.infer<typeof outputSchema>,
  EmbedSaidStep
>({
  name: "embed",
  summary: "Create missing embeddings for semantic search.",
  input: inputSchema,
  output: outputSchema,
  command: {
    examples: [
      ["lcm embed", "after enabling searchByMeaning; re-running resumes where it left off"],
      ['lcm grep --mode hybrid "how we ship it"', "then searches by words and semantically"],
    ],
    progress: ({ done, total }) => `${bar(done, total)} ${count(done)} of ${counted(total, "message")}`,
    text: ({ looked, embedded, vectors, model }) => {
      const all = `(${count(vectors)} in all, ${model})`;
      return looked === 0
        ? `No embeddings are missing: ${counted(embedded, "message has", "messages have")} embeddings ${all}.`
        : `${counted(looked, "message")} processed: ${count(embedded)} now ${embedded === 1 ? "has" : "have"} embeddings ${all}.`;
    },
    stopped: (error, { again }, last) => {
      if (error.code !== "cancelled") return error;
      const looked = counted(last?.done ?? 0, "message was", "messages were");
      return new PalimpsestError("cancelled", `stopped; ${looked} processed, and their embeddings are kept`, {
        advice: `Resume with: ${again()}`,
        cause: error,
      });
    },
  },
  run: async ({ context }, _, { signal, onProgress }) => {
    const before = await context.index.embeddings();
    const looked = await context.index.embed({
      signal,
      onProgress: ({ messages: done }) =>
        onProgress?.({ done, total: Math.max(done, before?.notEmbedded ?? 0), unit: "messages" }),
    });
    const after = await context.index.embeddings();
    if (after === null) throw new PalimpsestError("internal", "no embedding model is configured");
    return { looked, ...after };
  },
});
