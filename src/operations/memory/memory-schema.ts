/** The schema of a memory in results: all stored fields, its state and the ids of its source messages. */
import { z } from "zod";
import { shownKey } from "../../memory/dedup/fact-key.ts";
import {
  MEMORY_CATEGORIES,
  MEMORY_ORIGINS,
  MEMORY_TIERS,
  type Memory,
  type MemorySource,
  RELATION_TYPES,
  saidAt,
  stateOf,
  TEMPORAL_TYPES,
} from "../../memory-types.ts";
import { messageId } from "../../text/identifiers.ts";

const share = z.number().min(0).max(1);
const text = z.string();
const time = z.string();
const names = z.array(z.string()).readonly();

export const MEMORY_STATES = ["active", "superseded", "archived", "erased"] as const;

const sourceSchema = z.strictObject({
  conversation: text.describe("Id of the conversation."),
  firstSeq: z.int().describe("Its first message."),
  lastSeq: z.int().describe("Its last message, inclusive."),
  firstMessage: text.describe("Id of the first message."),
  lastMessage: text.describe("Id of the last message."),
  kind: z
    .enum(["origin", "support"])
    .describe("origin: the memory was derived from them. support: they confirmed it."),
});

const supportSchema = z.strictObject({
  context: text.describe("The kind of situation, such as work."),
  confirmations: z.int().describe("How often it was confirmed."),
  contradictions: z.int().describe("How often it was contradicted."),
  lastObservedAt: time.describe("Time of the last confirmation or contradiction, ISO 8601 in UTC."),
});

const relationSchema = z.strictObject({
  type: z.enum(RELATION_TYPES).describe("Relation of this memory to the other."),
  target: text.describe("Id of the other memory."),
});

export const memorySchema = z.strictObject({
  id: text.describe("mem_ and 16 hex digits."),
  state: z
    .enum(MEMORY_STATES)
    .describe(
      "active; superseded (replaced by another value); archived; or erased (its text was permanently removed).",
    ),
  scope: text.describe("Memory scope: who can see it."),
  category: z.enum(MEMORY_CATEGORIES).describe("What kind of fact it is."),
  tier: z.enum(MEMORY_TIERS).describe("How fast it fades: core slowly, peripheral quickly."),
  abstract: text.describe("The fact in one sentence; empty once erased."),
  overview: text.describe("A structured overview; may be empty."),
  content: text.describe("The full text; may be empty."),
  importance: share.describe("Importance, 0 to 1."),
  confidence: share.describe("Confidence, 0 to 1."),
  temporalType: z
    .enum(TEMPORAL_TYPES)
    .describe("dynamic: true only for a while, fades faster. static: no end is expected."),
  factKey: text.nullable().describe("Subject of the fact. One value per key is active."),
  tags: names.describe("Words to find it by."),
  support: z.array(supportSchema).readonly().describe("Confirmations and contradictions, by situation."),
  relations: z.array(relationSchema).readonly().describe("Relations to other memories."),
  sources: z.array(sourceSchema).readonly().describe("Messages that it came from or that confirmed it."),
  origin: z.enum(MEMORY_ORIGINS).describe("Who wrote it: a caller, a model, rules, a merge or an import."),
  speaker: text.nullable().describe("Who said it: user, assistant or a name; null if unknown."),
  saidAt: time.describe(
    "When it was said: the time of the message that it was captured from; otherwise when it was stored. ISO 8601 in UTC.",
  ),
  createdAt: time.describe("When it was stored or captured, ISO 8601 in UTC."),
  updatedAt: time.describe("When it last changed, apart from its use."),
  validFrom: time.describe("Start of its validity."),
  validUntil: time.nullable().describe("Expected end of its validity; ranked lower afterwards."),
  invalidatedAt: time.nullable().describe("When it was replaced."),
  supersedes: names.describe("Ids of the memories that it replaced."),
  supersededBy: text.nullable().describe("Id of the memory that replaced it."),
  archivedAt: time.nullable().describe("When it was archived."),
  archivedReason: text.nullable().describe("Why it was archived."),
  erasedAt: time.nullable().describe("When its text was erased."),
  accessCount: z.int().describe("How often it was recalled on request."),
  lastAccessedAt: time.nullable().describe("When that was last."),
  injectedCount: z.int().describe("How often it was added to a context automatically."),
  lastInjectedAt: time.nullable().describe("When that was last."),
});
export type MemoryAnswer = z.infer<typeof memorySchema>;

/** Without the internal number of the store. */
export function toMemory(memory: Memory & { readonly number?: number }): MemoryAnswer {
  const { number: _, sources, ...known } = memory;
  return {
    ...known,
    factKey: shownKey(memory),
    saidAt: saidAt(memory),
    state: stateOf(memory),
    sources: sources.map(toSource),
  };
}

export function toSource(source: MemorySource): MemoryAnswer["sources"][number] {
  const { conversation, firstSeq, lastSeq, kind } = source;
  const [firstMessage, lastMessage] = [messageId(conversation, firstSeq), messageId(conversation, lastSeq)];
  return { conversation, firstSeq, lastSeq, firstMessage, lastMessage, kind };
}

/** When it was replaced, archived or erased; null while it is active. It may be before the memory's validity begins. */
export function validityEnd({
  invalidatedAt,
  archivedAt,
  erasedAt,
}: Pick<MemoryAnswer, "invalidatedAt" | "archivedAt" | "erasedAt">): string | null {
  return invalidatedAt ?? archivedAt ?? erasedAt;
}
