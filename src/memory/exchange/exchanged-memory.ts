/**
 * A memory in a file of ours: all its data and its events, without the
 * number, which every store assigns itself. Importing such a file into an empty store gives the same memories
 * with their versions, order, support and use counts. Events are listed in
 * the file but not imported, and neither is the time of the last change; sources are imported if their messages
 * exist. Of an erased memory only the tombstone is exported, and none is imported. A backup contains all of it.
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
