import { z } from "zod";
import type { Engine } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { type ForgetInput, forgetInput } from "../../memory/inputs.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { idIn, kindOfId } from "../../text/identifiers.ts";
import { list } from "../../text/terminal/list.ts";
import { quoted } from "../../text/terminal/quoted.ts";
import { afterErasing, cleanUpAfterErasing } from "../after-erasing.ts";
import type { View } from "../command.ts";
import { renderCopies } from "../copies-page.ts";
import { defineOperation } from "../operation.ts";
import { toolCall } from "../tool-call.ts";
import { FORGET_ALIASES } from "./memory-aliases.ts";
import { renderMemory as pageOf } from "./memory-page.ts";
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
  summary: "Archive a memory so that it is no longer recalled, or erase its text permanently.",
  input: forgetInput,
  output: outputSchema,
  command: {
    positional: ["idOrWords"],
    flags: { id: false, query: false },
    also: {
      idOrWords: {
        value: "id-or-words",
        description: "mem_…, or words that only one memory fits.",
        toInput: (text) => (kindOfId(idIn(text)) === "memory" ? { id: text } : { query: text }),
      },
    },
    examples: [
      ["lcm memory forget mem_0123456789abcdef", "set aside; lcm memory update … --restore brings it back"],
      ['lcm memory forget "the old office"', "by words, where only one memory fits"],
      ["lcm memory forget mem_0123456789abcdef --erase", "its words are removed for good"],
    ],
    refuse: ({ id, query = "", erase }) => (erase === true && id === undefined ? needsId(query) : undefined),
    question,
    outcome: ({ ids, erasure }) => {
      if (erasure !== null) return erasure.filesCleaned ? undefined : "busy";
      return ids.length === 0 ? "not-found" : undefined;
    },
    text: renderForPeople,
  },
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

function needsId(query: string): PalimpsestError {
  return new PalimpsestError(
    "invalid-input",
    "erasing needs the id of a memory, so that nothing else is erased",
    { advice: `Find it with: lcm memory recall ${quoted(query)}` },
  );
}

/** Only an erasure cannot be undone. */
async function question({ memory }: Engine, { id = "", erase }: Input): Promise<string | null> {
  if (erase !== true) return null;
  const found = await memory.get(id);
  return `Erase ${found.id} "${oneLine(found.abstract)}" for good, with everything that was made from it?`;
}

function renderErasure({ ids, restored, erasure }: Output, again: string): string {
  const done = ids.length === 0 ? "Nothing was left to erase there." : `Erased ${ids.join(", ")}.`;
  const copies = erasure === null ? [] : renderCopies(erasure, again);
  const back = list("Memories that are in force again without what was erased:", restored);
  return [
    done,
    ...back,
    ...copies,
    "The messages that it came from are not touched; lcm erase removes those.",
  ].join("\n");
}

function renderForPeople(output: Output, { input, look, suggest }: View<Input, Engine>): string {
  const { action, ids, candidates } = output;
  if (input.erase === true) return renderErasure(output, suggest(`memory forget ${input.id} --erase --yes`));
  const [id] = ids;
  if (action === "archived")
    return `Set aside ${ids.join(", ")}.\nBring it back with: ${suggest(`memory update ${id} --restore`)}`;
  if (candidates.length === 0)
    return input.id !== undefined
      ? `${input.id} is not in force any more; nothing was changed. See: ${suggest(`memory show ${input.id}`)}`
      : "Nothing is remembered about it, and nothing was forgotten.";
  return [
    "Nothing was forgotten: it is not clear which of these was meant.",
    ...candidates.map((memory) => pageOf(memory, look)),
    `Name one by its id: ${suggest(`memory forget ${candidates[0]?.id ?? "mem_…"}`)}`,
  ].join("\n\n");
}
