/** The fields of a memory in archives and in exported memories. */
import { z } from "zod";
import {
  MEMORY_CATEGORIES,
  MEMORY_ORIGINS,
  MEMORY_TIERS,
  RELATION_TYPES,
  TEMPORAL_TYPES,
} from "../memory-types.ts";
import { MEMORY_ACTIONS } from "./memory-store.ts";

export const text = z.string();
export const count = z.int().nonnegative();
export const time = z.iso.datetime({ precision: 3 });
export const conversationId = z.string().regex(/^conv_[0-9a-f]{16}$/);
export const memoryId = z.string().regex(/^mem_[0-9a-f]{16}$/);
const share = z.number().min(0).max(1);

/** In the order in which they are written. */
export const memoryFields = {
  id: memoryId,
  scope: text,
  category: z.enum(MEMORY_CATEGORIES),
  abstract: text,
  overview: text,
  content: text,
  tier: z.enum(MEMORY_TIERS),
  importance: share,
  confidence: share,
  temporalType: z.enum(TEMPORAL_TYPES),
  speaker: text.nullable(),
  factKey: text.nullable(),
  tags: z.array(text),
  support: z.array(
    z.strictObject({ context: text, confirmations: count, contradictions: count, lastObservedAt: time }),
  ),
  relations: z.array(z.strictObject({ type: z.enum(RELATION_TYPES), target: memoryId })),
  sources: z.array(
    z.strictObject({
      conversation: conversationId,
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
  supersedes: z.array(memoryId),
  supersededBy: memoryId.nullable(),
  archivedAt: time.nullable(),
  archivedReason: text.nullable(),
  erasedAt: time.nullable(),
  accessCount: count,
  lastAccessedAt: time.nullable(),
  injectedCount: count,
  lastInjectedAt: time.nullable(),
  events: z.array(z.strictObject({ at: time, action: z.enum(MEMORY_ACTIONS), detail: text })),
};
