import type { z } from "zod";
import { recallInput } from "../../memory/inputs.ts";
import { defineOperation } from "../operation.ts";
import { TIME_FLAGS } from "../time-flags.ts";
import { renderExplanation as renderForPeople } from "./explain-page.ts";
import { RECALL_ALIASES } from "./memory-aliases.ts";
import { type RecallAnswer, recallOutput, toRecallAnswer } from "./recall-schema.ts";
import { renderExplanation } from "./recall-text.ts";

const { includeFullText: _, maxCharsPerItem: __, ...aliases } = RECALL_ALIASES;

export const explainRecall = defineOperation<z.infer<typeof recallInput>, RecallAnswer>({
  name: "memory-explain",
  summary:
    "Explain a recall: what each stage did, and how each score was computed. It does not count as a use of the memories.",
  input: recallInput,
  output: recallOutput,
  command: {
    positional: ["query"],
    flags: { ...TIME_FLAGS, query: { value: "question" }, maxTokens: { value: "tokens" } },
    sets: { source: "cli" },
    examples: [
      ['lcm memory explain "which editor do I use"'],
      ['lcm memory explain "deploy" --mode seed --limit 10'],
    ],
    paged: true,
    outcome: ({ memories }) => (memories.length === 0 ? "not-found" : undefined),
    text: (output, { look }) => renderForPeople(output, look),
  },
  tool: {
    name: "memory_explain",
    description:
      "Explain a recall: the input and output of each stage, what was dropped and why, and how each score came about. Takes the arguments of memory_recall.",
    sets: { source: "tool" },
    aliases,
    text: renderExplanation,
  },
  run: async (engine, input, { signal }) =>
    toRecallAnswer(await engine.memory.recall(input, { explain: true, signal })),
});
