import { z } from "zod";
import type { Engine } from "../../engine.ts";
import { type ForgetInput, forgetInput } from "../../memory/inputs.ts";
import { toolCall } from "../advice-for-models.ts";
import { afterErasing, cleanUpAfterErasing } from "../after-erasing.ts";
import { defineOperation } from "../operation.ts";
import { FORGET_ALIASES } from "./memory-aliases.ts";
import { memorySchema, toMemory } from "./memory-schema.ts";
import { memoryAnswer, REMEMBERED, renderMemory } from "./memory-text.ts";

type Input = z.infer<typeof forgetInput>;
type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  action: z
    .enum(["archived", "erased", "candidates", "nothing"])
    .describe("Set aside; erased for good; not clear which was meant; or there is nothing to forget."),
  ids: z.array(z.string()).readonly().describe("Ids of those that were set aside or erased."),
  restored: z
    .array(z.string())
    .readonly()
    .describe("Ids of those that are in force again, since what they were merged into was erased."),
  candidates: z.array(memorySchema).readonly().describe("What may have been meant; nothing was done to it."),
  erasure: z.strictObject(afterErasing).nullable().describe("Of an erasure: what it could not reach."),
});

export const forgetMemory = defineOperation({
  name: "memory-forget",
  summary: "Set a memory aside, so that it does not come back by itself; or erase its words for good.",
  input: forgetInput,
  output: outputSchema,
  tool: {
    name: "memory_forget",
    description: [
      "Forget a memory, by its id or by words that only one fits. It is set aside: it does not come back by itself, and memory_update with restore brings it back.",
      "erase removes the words for good, with everything made from them: only when the user asks for exactly that.",
    ].join(" "),
    writes: "erases",
    aliases: FORGET_ALIASES,
    text: render,
  },
  run: async (engine, input) => {
    const { candidates, ...outcome } = await engine.memory.forget(input);
    const isErased = outcome.action === "erased" || (await wasErased(engine, input));
    const erasure = isErased ? await cleanUpAfterErasing(engine) : null;
    return { ...outcome, candidates: candidates.map(toMemory), erasure };
  },
});

/** Erasing again changes nothing, so that a clean-up of the files that failed can be repeated. */
async function wasErased(engine: Engine, { id, erase }: ForgetInput): Promise<boolean> {
  return erase === true && id !== undefined && (await engine.memory.get(id)).erasedAt !== null;
}

function render({ action, ids, restored, candidates, erasure }: Output, input: Input): string {
  if (action === "archived")
    return `Set aside: ${ids.join(", ")}. It can be brought back: ${toolCall("memory_update", { id: ids[0], restore: true })}.`;
  if (action === "erased")
    return [`Erased for good: ${ids.join(", ")}.`, ...broughtBack(restored), ...copies(erasure)].join("\n");
  if (action === "nothing") return nothing(input);
  return memoryAnswer(
    `Nothing was forgotten: it is not clear which of these was meant. ${REMEMBERED}`,
    candidates.map((memory) => renderMemory(memory)),
    [`Name one by its id: ${toolCall("memory_forget", { id: candidates[0]?.id })}.`],
  );
}

function broughtBack(ids: readonly string[]): string[] {
  return ids.length === 0
    ? []
    : [`In force again, since it was merged into what is erased: ${ids.join(", ")}.`];
}

function copies(erasure: Output["erasure"]): string[] {
  if (erasure === null) return [];
  const kept = erasure.backups.length + erasure.missingBackups.length;
  return [
    ...(erasure.filesCleaned
      ? []
      : ["The store's own files still hold the words; a person must run the erasure again."]),
    ...(kept === 0 ? [] : ["Backups made earlier still contain it."]),
    "The messages that it came from are not touched: only a person can erase those.",
  ];
}

function nothing({ id, query }: Input): string {
  if (id !== undefined) return `${id} is not in force any more, and nothing was changed.`;
  return `Nothing is remembered about ${JSON.stringify(query ?? "")}, and nothing was forgotten.`;
}
