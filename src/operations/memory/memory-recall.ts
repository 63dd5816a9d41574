import { z } from "zod";
import type { Engine } from "../../engine.ts";
import { recallInput } from "../../memory/inputs.ts";
import { idIn, isMemoryId } from "../../text/identifiers.ts";
import { defineOperation } from "../operation.ts";
import { RECALL_ALIASES } from "./memory-aliases.ts";
import { toMemory } from "./memory-schema.ts";
import { type RecallAnswer, recallOutput, toRecallAnswer } from "./recall-schema.ts";
import { renderRecall } from "./recall-text.ts";

export type RecallArguments = z.infer<typeof inputSchema>;
const inputSchema = recallInput.extend({
  query: recallInput.shape.query.describe(
    "What is wanted, in plain words; or the id of a memory, to see that one.",
  ),
  full: z
    .boolean()
    .exactOptional()
    .describe("All that is known of each, not only its sentence. Default false."),
});

export const recallMemories = defineOperation({
  name: "memory-recall",
  summary: "What is remembered that matters for a question, best first.",
  input: inputSchema,
  output: recallOutput,
  tool: {
    name: "memory_recall",
    description: [
      "Look up what is remembered from earlier conversations: preferences, people, projects, decisions, lessons. Ask in plain words, before you ask the user again or decide against what was settled.",
      "Each memory has an id and names the messages it came from: lcm_read gives their exact words.",
      "What is not remembered may still have been said: lcm_grep searches every word.",
    ].join(" "),
    sets: { source: "tool" },
    aliases: RECALL_ALIASES,
    text: renderRecall,
  },
  run: async (engine, { full: _, ...input }, { signal }) => {
    const id = idIn(input.query);
    if (isMemoryId(id)) return recallOne(engine, id);
    const result = await engine.memory.recall(input, signal === undefined ? {} : { signal });
    // Uses are written down in the background; where nothing runs there, a server would keep them until its end.
    if (engine.background === null) await engine.memory.flush();
    return toRecallAnswer(result);
  },
});

/** Asked for by its id, a memory is what fits. */
async function recallOne({ memory, config }: Engine, id: string): Promise<RecallAnswer> {
  const found = { memory: toMemory(await memory.get(id)), score: 1, parts: {} };
  return { memories: [found], mode: config.recallMode, searched: 1, notes: [], isCut: false, trace: [] };
}
