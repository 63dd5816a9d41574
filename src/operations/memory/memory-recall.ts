import { z } from "zod";
import { type Engine, internalsOf } from "../../engine.ts";
import { recallInput } from "../../memory/inputs.ts";
import { count, counted } from "../../text/counted.ts";
import { escapeControls, oneLine } from "../../text/escape-controls.ts";
import { idIn, isMemoryId } from "../../text/identifiers.ts";
import { quoted } from "../../text/terminal/quoted.ts";
import { indented } from "../../text/terminal/table.ts";
import type { View } from "../command.ts";
import { defineOperation } from "../operation.ts";
import { TIME_FLAGS } from "../time-flags.ts";
import { RECALL_ALIASES } from "./memory-aliases.ts";
import { renderMemory } from "./memory-page.ts";
import { toMemory } from "./memory-schema.ts";
import { type RecallAnswer, recallOutput, toRecallAnswer } from "./recall-schema.ts";
import { renderRecall } from "./recall-text.ts";

export type RecallArguments = z.infer<typeof inputSchema>;
const inputSchema = recallInput.extend({
  query: recallInput.shape.query.describe("The question, in plain words; or the id of a memory, to show it."),
  full: z
    .boolean()
    .exactOptional()
    .describe("Show each memory in full, not only its sentence. Default false."),
});

export const recallMemories = defineOperation({
  name: "memory-recall",
  summary: "Recall memories that are relevant to a question, best first.",
  input: inputSchema,
  output: recallOutput,
  command: {
    positional: ["query"],
    flags: { ...TIME_FLAGS, query: { value: "question" }, maxTokens: { value: "tokens" } },
    sets: { source: "cli" },
    examples: [
      ['lcm memory recall "which editor do I use"'],
      ['lcm memory recall "deploy" --category cases,patterns --limit 10 --full'],
      ['lcm memory recall "where do they live" --at 2026-05-01', "as known at that date"],
    ],
    paged: true,
    outcome: ({ memories }) => (memories.length === 0 ? "not-found" : undefined),
    text: renderFound,
  },
  tool: {
    name: "memory_recall",
    description: [
      "Recall memories from earlier conversations: preferences, people, projects, decisions, lessons. Ask in plain words, before you ask the user again or go against an earlier decision.",
      "Each memory has an id and names the messages it came from: lcm_read gives their exact words.",
      "What is not in memory may still be in a conversation: lcm_grep searches every word.",
    ].join(" "),
    sets: { source: "tool" },
    aliases: RECALL_ALIASES,
    text: renderRecall,
  },
  run: async (engine, { full: _, ...input }, { signal }) => {
    const id = idIn(input.query);
    if (isMemoryId(id)) return recallOne(engine, id);
    const result = await engine.memory.recall(input, { signal });
    // Uses are written in the background; without it, a server would keep them until it ends.
    if (engine.background === null) await internalsOf(engine).turnMemory.flush();
    return toRecallAnswer(result);
  },
});

/** A memory requested by its id is the only hit. */
async function recallOne({ memory, config }: Engine, id: string): Promise<RecallAnswer> {
  const found = { memory: toMemory(await memory.get(id)), score: 1, parts: {} };
  return { memories: [found], mode: config.recallMode, searched: 1, notes: [], isCut: false, trace: [] };
}

function renderFound(output: RecallAnswer, { input, look, suggest, again }: View<RecallArguments, Engine>) {
  const { memories, searched, notes, isCut } = output;
  const looked = counted(searched, "memory", "memories");
  const remarks = notes.map((note) => look.style("yellow", `! ${oneLine(note)}`));
  if (memories.length === 0) {
    const hint = `To search the messages themselves: ${suggest(`grep ${quoted(input.query)}`)}`;
    return [`No memory matches; ${looked} searched.`, ...remarks, hint].join("\n");
  }
  const shown = memories.map(({ memory, score }) => {
    const whole = input.full === true ? [memory.overview, memory.content].filter((text) => text !== "") : [];
    const lead = `${look.style("bold", score.toFixed(2))}  `;
    const words = whole.map((text) => indented(escapeControls(text)));
    return [renderMemory(memory, look, lead), ...words].join("\n\n");
  });
  const more = isCut ? " More exist: use a higher --limit." : "";
  const why = look.style("dim", `explain this ranking: ${again({ full: undefined }, "memory explain")}`);
  const closing = [`${count(memories.length)} of ${looked}.${more}`, ...remarks, why].join("\n");
  return [...shown, closing].join("\n\n");
}
