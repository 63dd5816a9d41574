/**
 * A memory in a file of ours: all its data and its events, without the
 * number, which every store assigns itself. Importing such a file into an empty store gives the same memories
 * with their versions, order, support and use counts. Events are listed in
 * the file but not imported, and neither is the time of the last change; sources are imported if their messages
 * exist. Of an erased memory only the tombstone is exported, and none is imported. A backup contains all of it.
 */
import { z } from "zod";
import type { Memory } from "../../memory-types.ts";
import { memoryFields } from "../../store/memory-fields.ts";
import type { MemoryEvent } from "../../store/memory-store.ts";
import { describeMisfits, sentenceOf } from "../../text/describe-misfit.ts";

export interface ExchangedMemory extends Memory {
  /** Its events, oldest first. */
  readonly events: readonly MemoryEvent[];
}

/** Drops what is not exported: the number, and all of an erased memory but the tombstone. */
export function exchangedMemory(memory: Memory, events: readonly MemoryEvent[]): ExchangedMemory {
  return inOrder({ ...memory, ...(memory.erasedAt === null ? {} : WITHOUT_WORDS), events });
}

const WITHOUT_WORDS = {
  abstract: "",
  overview: "",
  content: "",
  factKey: null,
  tags: [],
  support: [],
  relations: [],
  sources: [],
  archivedReason: null,
};

/** Parses a memory. An error message does not repeat its words. */
export function exchangedMemoryOf(value: unknown): { memory: ExchangedMemory } | { problem: string } {
  const { success, data, error } = exchangedMemorySchema.safeParse(value);
  if (success) return { memory: data };
  const misfits = describeMisfits(error, value, { isPrivate: true });
  const left = misfits.length - SHOWN_MISFITS;
  return { problem: sentenceOf(misfits.slice(0, SHOWN_MISFITS)) + (left > 0 ? `; and ${left} more` : "") };
}

const SHOWN_MISFITS = 3;

const KINDS_OF_SCOPE = /^(global|(agent|project|user|custom|reflection:agent):.*\S.*)$/su;
export const memoryScopeSchema = z.string().regex(KINDS_OF_SCOPE);
const word = z.string().min(1);

const shape = {
  ...memoryFields,
  scope: memoryScopeSchema,
  factKey: word.nullable(),
  tags: z.array(word),
  sources: z.array(memoryFields.sources.element.extend({ conversation: word })),
};

/** Rejects unknown fields by name, since ignoring a field would lose it. */
const exchangedMemorySchema: z.ZodType<ExchangedMemory> = z
  .strictObject(shape)
  .refine(({ abstract, erasedAt }) => erasedAt !== null || abstract !== "", {
    path: ["abstract"],
    message: "must not be empty",
  })
  .refine((memory) => memory.erasedAt === null || wordsOf(memory) === "", {
    path: ["abstract"],
    message: "must be empty, because it was erased",
  });

function wordsOf({ abstract, overview, content, tags }: Memory): string {
  return abstract + overview + content + tags.join("");
}

/** Only known fields, in a fixed order, so that equal memories are equal lines. */
function inOrder(memory: ExchangedMemory): ExchangedMemory {
  const keys = Object.keys(shape) as (keyof typeof shape)[];
  return Object.fromEntries(keys.map((key) => [key, memory[key]])) as unknown as ExchangedMemory;
}
