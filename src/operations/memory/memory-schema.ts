/** A memory as operations give it: all that the store knows, with its state and the ids of the messages it came from. */
import { z } from "zod";
import {
  MEMORY_CATEGORIES,
  MEMORY_ORIGINS,
  MEMORY_TIERS,
  type Memory,
  type MemorySource,
  RELATION_TYPES,
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
  kind: z.enum(["origin", "support"]).describe("Whether it was made from them, or they said it again."),
});

const supportSchema = z.strictObject({
  context: text.describe("The kind of situation, such as work."),
  confirmations: z.int().describe("Times that it was said again."),
  contradictions: z.int().describe("Times that it was contradicted."),
  lastObservedAt: time.describe("When that was last, ISO 8601 in UTC."),
});

const relationSchema = z.strictObject({
  type: z.enum(RELATION_TYPES).describe("What this memory is to the other."),
  target: text.describe("Id of the other memory."),
});

export const memorySchema = z.strictObject({
  id: text.describe("mem_ and 16 hex digits."),
  state: z
    .enum(MEMORY_STATES)
    .describe("In force; replaced by another value; set aside; or its words are gone for good."),
  scope: text.describe("Who may see it."),
  category: z.enum(MEMORY_CATEGORIES).describe("What kind of fact it is."),
  tier: z.enum(MEMORY_TIERS).describe("How fast it fades: core hardly, peripheral soon."),
  abstract: text.describe("The fact in one sentence; empty once erased."),
  overview: text.describe("A structured overview; may be empty."),
  content: text.describe("All that is known; may be empty."),
  importance: share.describe("How much it matters, 0 to 1."),
  confidence: share.describe("How sure it is, 0 to 1."),
  temporalType: z.enum(TEMPORAL_TYPES).describe("dynamic: true for a while, and fades faster."),
  factKey: text.nullable().describe("What it says something about; one value of a key is in force."),
  tags: names.describe("Words to find it by."),
  support: z.array(supportSchema).readonly().describe("How often it was said again, by situation."),
  relations: z.array(relationSchema).readonly().describe("What it has to do with other memories."),
  sources: z.array(sourceSchema).readonly().describe("Where it was said."),
  origin: z.enum(MEMORY_ORIGINS).describe("Who wrote it: a caller, a model, rules, a merge or an import."),
  speaker: text.nullable().describe("Who said it: user, assistant, or a name; null where nobody is known."),
  createdAt: time.describe("When it was stored, ISO 8601 in UTC."),
  updatedAt: time.describe("When anything of it changed last, uses aside."),
  validFrom: time.describe("From when on it holds."),
  validUntil: time.nullable().describe("Until when it is thought to hold; ranked lower afterwards."),
  invalidatedAt: time.nullable().describe("Since when something else holds instead."),
  supersedes: names.describe("Ids of the memories that it took the place of."),
  supersededBy: text.nullable().describe("Id of the memory that took its place."),
  archivedAt: time.nullable().describe("When it was set aside."),
  archivedReason: text.nullable().describe("Why it was set aside."),
  erasedAt: time.nullable().describe("When its words were removed for good."),
  accessCount: z.int().describe("Times that it was recalled on request."),
  lastAccessedAt: time.nullable().describe("When that was last."),
  injectedCount: z.int().describe("Times that it was put in front of a model unasked."),
  lastInjectedAt: time.nullable().describe("When that was last."),
});
export type MemoryAnswer = z.infer<typeof memorySchema>;

/** Without the number that the store counts by. */
export function toMemory(memory: Memory & { readonly number?: number }): MemoryAnswer {
  const { number: _, sources, ...known } = memory;
  return { ...known, state: stateOf(memory), sources: sources.map(toSource) };
}

export function toSource(source: MemorySource): MemoryAnswer["sources"][number] {
  const { conversation, firstSeq, lastSeq, kind } = source;
  const [firstMessage, lastMessage] = [messageId(conversation, firstSeq), messageId(conversation, lastSeq)];
  return { conversation, firstSeq, lastSeq, firstMessage, lastMessage, kind };
}
