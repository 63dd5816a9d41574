/**
 * A memory as it stands in a file of ours: all that the store knows about it and what was done to it, without the
 * number, which every store gives out itself. Whatever goes out in this form and comes into an empty store says the same
 * there, with its versions and their order, what supports it, and how often it was of use. What was done to it is told in
 * the file and begins anew with the import, as does the time of its last change; sources come along where their messages
 * are. Of an erased one only the tombstone goes out, and none comes in. A backup carries all of it.
 */
import { z } from "zod";
import {
  MEMORY_CATEGORIES,
  MEMORY_ORIGINS,
  MEMORY_TIERS,
  type Memory,
  RELATION_TYPES,
  TEMPORAL_TYPES,
} from "../../memory-types.ts";
import { MEMORY_ACTIONS, type MemoryEvent } from "../../store/memory-store.ts";
import { describeMisfits, sentenceOf } from "../../text/describe-misfit.ts";

export interface ExchangedMemory extends Memory {
  /** What was done to it, oldest first. */
  readonly events: readonly MemoryEvent[];
}

/** Drops what does not leave the store: its number, and of an erased one everything but the tombstone. */
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

/** The memory that a value is, or why it is none, without repeating its words. */
export function exchangedMemoryOf(value: unknown): { memory: ExchangedMemory } | { problem: string } {
  const { success, data, error } = exchangedMemorySchema.safeParse(value);
  if (success) return { memory: data };
  const misfits = describeMisfits(error, value, { isPrivate: true });
  const left = misfits.length - SHOWN_MISFITS;
  return { problem: sentenceOf(misfits.slice(0, SHOWN_MISFITS)) + (left > 0 ? `; and ${left} more` : "") };
}

const SHOWN_MISFITS = 3;

const memoryIdSchema = z.string().regex(/^mem_[0-9a-f]{16}$/);
const KINDS_OF_SCOPE = /^(global|(agent|project|user|custom|reflection:agent):.*\S.*)$/su;
export const memoryScopeSchema = z.string().regex(KINDS_OF_SCOPE);
const time = z.iso.datetime({ precision: 3 });
const share = z.number().min(0).max(1);
const count = z.int().min(0);

const shape = {
  id: memoryIdSchema,
  scope: memoryScopeSchema,
  category: z.enum(MEMORY_CATEGORIES),
  abstract: z.string(),
  overview: z.string(),
  content: z.string(),
  tier: z.enum(MEMORY_TIERS),
  importance: share,
  confidence: share,
  temporalType: z.enum(TEMPORAL_TYPES),
  speaker: z.string().nullable(),
  factKey: z.string().min(1).nullable(),
  tags: z.array(z.string().min(1)),
  support: z.array(
    z.strictObject({
      context: z.string(),
      confirmations: count,
      contradictions: count,
      lastObservedAt: time,
    }),
  ),
  relations: z.array(z.strictObject({ type: z.enum(RELATION_TYPES), target: memoryIdSchema })),
  sources: z.array(
    z.strictObject({
      conversation: z.string().min(1),
      firstSeq: count,
      lastSeq: count,
      kind: z.enum(["origin", "support"]),
    }),
  ),
  origin: z.enum(MEMORY_ORIGINS),
  createdAt: time,
  updatedAt: time,
  validFrom: time,
  validUntil: time.nullable(),
  invalidatedAt: time.nullable(),
  supersedes: z.array(memoryIdSchema),
  supersededBy: memoryIdSchema.nullable(),
  archivedAt: time.nullable(),
  archivedReason: z.string().nullable(),
  erasedAt: time.nullable(),
  accessCount: count,
  lastAccessedAt: time.nullable(),
  injectedCount: count,
  lastInjectedAt: time.nullable(),
  events: z.array(z.strictObject({ at: time, action: z.enum(MEMORY_ACTIONS), detail: z.string() })),
};

/** Refuses fields that it does not know by their names: to pass over one would be to lose it. */
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

/** The fields in one order, and no others, so that equal memories are equal lines. */
function inOrder(memory: ExchangedMemory): ExchangedMemory {
  const keys = Object.keys(shape) as (keyof typeof shape)[];
  return Object.fromEntries(keys.map((key) => [key, memory[key]])) as unknown as ExchangedMemory;
}
