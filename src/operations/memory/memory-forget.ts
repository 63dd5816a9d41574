import { z } from "zod";
import type { Engine } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { type ForgetInput, forgetInput } from "../../memory/inputs.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { idIn, kindOfId } from "../../text/identifiers.ts";
import { quoted } from "../../text/terminal/quoted.ts";
import { list } from "../../text/terminal/table.ts";
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
    .describe("Archived; erased; no clear match, so that nothing was done; or nothing matched."),
  ids: z.array(z.string()).readonly().describe("Ids of the memories that were archived or erased."),
  restored: z
    .array(z.string())
    .readonly()
    .describe("Ids of memories that are active again, because the memory they were merged into was erased."),
  archived: z.array(memorySchema).readonly().describe("The memories that were archived, with their text."),
  candidates: z
    .array(memorySchema)
    .readonly()
    .describe("The closest memories, if no memory clearly matches; they were not changed."),
  erasure: z.strictObject(afterErasing).nullable().describe("For an erasure: what it could not remove."),
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
        description: "mem_…, or words that match only one memory.",
        toInput: (text) => (kindOfId(idIn(text)) === "memory" ? { id: text } : { query: text }),
      },
    },
    examples: [
      ["lcm memory forget mem_0123456789abcdef", "archive it; lcm memory update … --restore restores it"],
      ['lcm memory forget "the old office"', "by words that match only one memory"],
      ["lcm memory forget mem_0123456789abcdef --erase", "erase its text permanently"],
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
      "Forget a memory, by its id or by words that match only one. It is archived and no longer recalled; memory_update with restore restores it.",
      "erase removes its text permanently, with everything derived from it: use it only when the user asks for exactly that.",
    ].join(" "),
    writes: "erases",
    aliases: FORGET_ALIASES,
    text: render,
  },
  run: async (engine, input) => {
    const { archived, candidates, ...outcome } = await engine.memory.forget(input);
    const isErased = outcome.action === "erased" || (await wasErased(engine, input));
    const erasure = isErased ? await cleanUpAfterErasing(engine) : null;
    return {
      ...outcome,
      archived: archived.map(toMemory),
      candidates: candidates.map(toMemory),
      erasure,
    };
  },
});

/** Erasing again changes nothing, so that a failed clean-up of the files can be repeated. */
async function wasErased(engine: Engine, { id, erase }: ForgetInput): Promise<boolean> {
  return erase === true && id !== undefined && (await engine.memory.get(id)).erasedAt !== null;
}

const UNCLEAR = "Nothing was forgotten: it is not clear which memory is meant. Closest:";

function render({ action, ids, restored, archived, candidates, erasure }: Output, input: Input): string {
  if (action === "archived")
    return memoryAnswer(
      `Archived, and no longer recalled. ${REMEMBERED}`,
      archived.map((memory) => renderMemory(memory)),
      [`Restore it with: ${toolCall("memory_update", { id: ids[0], restore: true })}.`],
    );
  if (action === "erased")
    return [`Permanently erased: ${ids.join(", ")}.`, ...broughtBack(restored), ...copies(erasure)].join(
      "\n",
    );
  if (action === "nothing") return nothing(input);
  return memoryAnswer(
    `${UNCLEAR}\n${REMEMBERED}`,
    candidates.map((memory) => renderMemory(memory)),
    [`Choose one by its id: ${toolCall("memory_forget", { id: candidates[0]?.id })}.`],
  );
}

function broughtBack(ids: readonly string[]): string[] {
  return ids.length === 0
    ? []
    : [`Active again, because the memory it was merged into was erased: ${ids.join(", ")}.`];
}

function copies(erasure: Output["erasure"]): string[] {
  if (erasure === null) return [];
  const kept = erasure.backups.length + erasure.missingBackups.length;
  return [
    ...(erasure.filesCleaned
      ? []
      : ["The store's files still contain the text; a person must run the erasure again."]),
    ...(kept === 0 ? [] : ["Earlier backups still contain it."]),
    "Its source messages were not changed: only a person can erase those.",
  ];
}

function nothing({ id, query }: Input): string {
  if (id !== undefined) return `${id} is not active, so nothing was changed.`;
  return `No memory matches ${JSON.stringify(query ?? "")}; nothing was forgotten.`;
}

function needsId(query: string): PalimpsestError {
  return new PalimpsestError(
    "invalid-input",
    "erasing needs the id of a memory, so that nothing else is erased",
    { advice: `Find it with: lcm memory recall ${quoted(query)}` },
  );
}

/** Asks only for an erasure, which cannot be undone. */
async function question({ memory }: Engine, { id = "", erase }: Input): Promise<string | null> {
  if (erase !== true) return null;
  const found = await memory.get(id);
  return `Erase ${found.id} "${oneLine(found.abstract)}" permanently, with everything derived from it?`;
}

function renderErasure({ ids, restored, erasure }: Output, again: string): string {
  const done = ids.length === 0 ? "Nothing to erase: it is already erased." : `Erased ${ids.join(", ")}.`;
  const copies = erasure === null ? [] : renderCopies(erasure, again);
  const back = list("Memories that are active again after the erasure:", restored);
  return [done, ...back, ...copies, "Its source messages were not changed; lcm erase erases them."].join(
    "\n",
  );
}

function renderForPeople(output: Output, { input, look, suggest }: View<Input, Engine>): string {
  const { action, ids, archived, candidates } = output;
  if (input.erase === true) return renderErasure(output, suggest(`memory forget ${input.id} --erase --yes`));
  const [id] = ids;
  if (action === "archived")
    return [
      "Archived, and no longer recalled:",
      ...archived.map((memory) => pageOf(memory, look)),
      `Restore it with: ${suggest(`memory update ${id} --restore`)}`,
    ].join("\n\n");
  if (candidates.length === 0)
    return input.id !== undefined
      ? `${input.id} is not active; nothing was changed. See: ${suggest(`memory show ${input.id}`)}`
      : "No memory matches; nothing was forgotten.";
  return [
    UNCLEAR,
    ...candidates.map((memory) => pageOf(memory, look)),
    `Choose one by its id: ${suggest(`memory forget ${candidates[0]?.id ?? "mem_…"}`)}`,
  ].join("\n\n");
}
