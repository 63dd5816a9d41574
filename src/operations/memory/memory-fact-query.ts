import { z } from "zod";
import { factInput } from "../../memory/inputs.ts";
import { counted } from "../../text/counted.ts";
import { quoteName } from "../../text/quote-text.ts";
import { defineOperation } from "../operation.ts";
import { TIME_FLAGS } from "../time-flags.ts";
import { toolCall } from "../tool-call.ts";
import { eitherOr, renderHeld } from "./facts-page.ts";
import { type MemoryAnswer, memorySchema, toMemory, validityEnd } from "./memory-schema.ts";
import { dayOf, memoryAnswer, REMEMBERED, renderMemory, sourceHint } from "./memory-text.ts";

type Input = z.infer<typeof factInput>;
export type FactsOutput = z.infer<typeof outputSchema>;
type Fact = FactsOutput["facts"][number];
const outputSchema = z.strictObject({
  at: z.string().describe("The requested time."),
  facts: z
    .array(
      z.strictObject({
        memory: memorySchema.describe("The version that was valid then; if none was, the newest version."),
        held: z.boolean().describe("Whether this version was valid at that time."),
        history: z.array(memorySchema).readonly().describe("All versions, oldest first, if requested."),
      }),
    )
    .readonly()
    .describe("One entry per fact."),
  isCut: z.boolean().describe("Whether there are more facts than `limit`."),
});

export const queryFacts = defineOperation({
  name: "memory-fact-query",
  summary: "Look up the value of a fact, now or at any time, with its history.",
  input: factInput,
  output: outputSchema,
  command: {
    positional: ["query"],
    flags: { ...TIME_FLAGS, query: { value: "words" }, factKey: "key", includeHistory: "history" },
    examples: [
      ["lcm memory facts --key editor", "by its key, which lcm memory show prints"],
      ['lcm memory facts "which editor" --history', "by words, with all earlier values"],
      ['lcm memory facts "where do they live" --at 2026-05-01'],
    ],
    paged: true,
    outcome: ({ facts }) => (facts.length === 0 ? "not-found" : undefined),
    text: (output, { look }) => renderHeld(output, look),
    refuse: ({ query, factKey }) =>
      (query === undefined) === (factKey === undefined) ? eitherOr() : undefined,
  },
  tool: {
    name: "memory_fact_query",
    description: [
      "Look up the value of a fact now, or at a time (at), by its key or by words of the key and the text. The match is literal, not semantic.",
      "includeHistory returns every version with the time in which it was valid. Use it for questions such as which editor was used in May.",
    ].join(" "),
    text: render,
  },
  run: async (engine, input) => {
    const { facts, ...rest } = await engine.memory.facts(input);
    return {
      ...rest,
      facts: facts.map(({ memory, held, history }) => ({
        memory: toMemory(memory),
        held,
        history: history.map(toMemory),
      })),
    };
  },
});

function render({ at, facts, isCut }: FactsOutput, input: Input): string {
  const asked = input.factKey ?? input.query ?? "";
  if (facts.length === 0)
    return `No fact ${JSON.stringify(asked)} was valid at ${at}. Try ${toolCall("memory_fact_query", { query: asked, includeHistory: true })}, or ${toolCall("memory_recall", { query: asked })}.`;
  return memoryAnswer(
    `${counted(facts.length, "fact")} for ${JSON.stringify(asked)} at ${at}. ${REMEMBERED}`,
    facts.map(renderFact),
    [...(isCut ? ["More exist: use a higher limit."] : []), ...sourceHint(facts.map(({ memory }) => memory))],
  );
}

function renderFact({ memory, held, history }: Fact): string {
  const key = memory.factKey === null ? "" : `fact ${quoteName(memory.factKey)}, `;
  const versions = history.length < 2 ? [] : ["versions, oldest first:", ...history.map(renderVersion)];
  return [`${key}${held ? "held then" : "not in force then"}:`, renderMemory(memory), ...versions].join("\n");
}

function renderVersion(version: MemoryAnswer): string {
  const end = validityEnd(version);
  const from = dayOf(version.validFrom);
  // Replaced before it began.
  if (end !== null && end < version.validFrom)
    return `planned from ${from}, never valid:\n${renderMemory(version)}`;
  return `${from} to ${end === null ? "now" : dayOf(end)}:\n${renderMemory(version)}`;
}
