/**
 * The inputs of callers, shared by the library and every interface: unknown or invalid fields are rejected by name,
 * before anything happens.
 */

import { z } from "zod";
import { RECALL_MODES } from "../config/schema.ts";
import { MEMORY_CATEGORIES, MEMORY_ORIGINS, MEMORY_TIERS } from "../memory-types.ts";
import { VERDICTS } from "../prompts/judge-duplicates.ts";
import { askedTime } from "../text/asked-time.ts";
import { givenFunction, givenId, whileRunning } from "../text/given.ts";
import { trimSpaces } from "../text/spaces.ts";
import { isStorableText, NOT_STORABLE } from "../text/utf8.ts";

const LONGEST_ABSTRACT = 2_000;
export const LONGEST_CONTENT = 200_000;
const LONGEST_QUERY = 10_000;
const MOST_RECALLED = 200;

const RECALL_SOURCES = ["manual", "cli", "tool", "auto"] as const;
export type RecallSource = (typeof RECALL_SOURCES)[number];

export type RecallMode = (typeof RECALL_MODES)[number];

const time = z
  .string()
  .refine(
    (text) => askedTime(text) !== undefined,
    "must be a time such as 2026-11-16 or 2026-11-16T08:30:00Z",
  )
  .overwrite((text) => askedTime(text) ?? text);
const share = z.number().min(0).max(1);
const id = givenId.describe("mem_…, or a unique prefix.");
const scope = z.string().min(1);
const category = z.enum(MEMORY_CATEGORIES);
const project = z
  .string()
  .min(1)
  .describe(
    "Only memories from conversations that were started in this folder or below it; . is the current folder.",
  );
/** Text that every store returns unchanged. */
const words = z.string().refine(isStorableText, NOT_STORABLE);
const tags = z.array(words.min(1).max(100)).max(20).readonly();
const trimmed = words.overwrite(trimSpaces);
const abstract = trimmed.min(1).max(LONGEST_ABSTRACT);
const factKey = trimmed.min(1).max(200);

export const storeInput = z.strictObject({
  text: abstract.describe("The fact, in one sentence that is understandable on its own."),
  overview: words.max(LONGEST_CONTENT).exactOptional().describe("A structured overview in Markdown."),
  content: words.max(LONGEST_CONTENT).exactOptional().describe("The full text: everything known about it."),
  category: category
    .exactOptional()
    .describe("Category of the fact. Default: inferred from the text, otherwise events."),
  importance: share.exactOptional().describe("Importance, 0 to 1. Default: by category."),
  scope: scope
    .exactOptional()
    .describe("Who can see it: global, agent:<id>, project:<id>, user:<id>, custom:<name>."),
  factKey: factKey
    .exactOptional()
    .describe("What the fact is about, such as `editor`. Each key has one current value: the latest."),
  tags: tags.exactOptional().describe("Words to find it by."),
  sources: z.array(givenId).max(50).readonly().exactOptional().describe("Ids of its source messages: msg_…"),
  speaker: trimmed
    .min(1)
    .max(100)
    .exactOptional()
    .describe("Who said it: user, assistant or a name. Default: the speaker of the first source."),
  validFrom: time.exactOptional().describe("Start of its validity (ISO 8601). Default: now."),
  validUntil: time
    .exactOptional()
    .describe("End of its validity (ISO 8601). The memory ranks lower afterwards."),
  force: z.boolean().exactOptional().describe("Store it even if the same fact is already known."),
});
export type StoreInput = z.input<typeof storeInput>;

export const recallInput = z.strictObject({
  query: z.string().trim().min(1).max(LONGEST_QUERY).describe("What to look for, in plain words."),
  limit: z.int().min(1).max(MOST_RECALLED).exactOptional().describe("Maximum number of memories. Default 5."),
  maxTokens: z
    .int()
    .min(1)
    .exactOptional()
    .describe("Maximum tokens of all memories together; the first one is always returned."),
  scopes: z.array(scope).min(1).readonly().exactOptional().describe("Only these scopes."),
  project: project.exactOptional(),
  categories: z.array(category).min(1).readonly().exactOptional().describe("Only these categories."),
  tags: tags.exactOptional().describe("Only memories that have all of these tags."),
  since: time.exactOptional().describe("Only memories from this time on (ISO 8601)."),
  before: time.exactOptional().describe("Only memories from before this time (ISO 8601)."),
  at: time.exactOptional().describe("Recall what was known at this time (ISO 8601)."),
  archived: z.boolean().exactOptional().describe("Include archived and replaced memories. Default false."),
  mode: z
    .enum(RECALL_MODES)
    .exactOptional()
    .describe("How results are ranked. Default: the setting recallMode."),
  source: z.enum(RECALL_SOURCES).exactOptional().describe("What triggers the recall. Default manual."),
});
export type RecallInput = z.input<typeof recallInput>;

export const updateInput = z.strictObject({
  id,
  text: abstract
    .exactOptional()
    .describe("The new text. The old text stays on record as an earlier version."),
  overview: words.max(LONGEST_CONTENT).exactOptional().describe("The new overview, in Markdown."),
  content: words.max(LONGEST_CONTENT).exactOptional().describe("The new full text."),
  category: category.exactOptional().describe("What kind of fact it is."),
  importance: share.exactOptional().describe("Importance, 0 to 1."),
  tags: tags.exactOptional().describe("Tags that replace the current ones."),
  validUntil: time.nullable().exactOptional().describe("End of its validity (ISO 8601); null removes it."),
  restore: z.literal(true).exactOptional().describe("Restore an archived memory."),
  merge: z
    .array(givenId)
    .min(1)
    .max(20)
    .readonly()
    .exactOptional()
    .describe("Ids of memories to merge into it. One new version replaces all of them; they stay on record."),
});
export type UpdateInput = z.input<typeof updateInput>;

export const forgetInput = z.strictObject({
  id: id.exactOptional(),
  query: z
    .string()
    .trim()
    .min(1)
    .max(LONGEST_QUERY)
    .exactOptional()
    .describe(
      "Words that identify it. Only a single clear match is forgotten; otherwise candidates are listed.",
    ),
  scope: scope.exactOptional().describe("Only search in this scope, if words are given."),
  erase: z
    .boolean()
    .exactOptional()
    .describe("Erase the text permanently, with everything derived from it. Default: archive it."),
  reason: words
    .min(1)
    .max(500)
    .exactOptional()
    .describe("The reason, for the record. It must not repeat the erased words."),
});
export type ForgetInput = z.input<typeof forgetInput>;

export const listInput = z.strictObject({
  scopes: z.array(scope).min(1).readonly().exactOptional().describe("Only these scopes."),
  project: project.exactOptional(),
  categories: z.array(category).min(1).readonly().exactOptional().describe("Only these categories."),
  tiers: z
    .array(z.enum(MEMORY_TIERS))
    .min(1)
    .readonly()
    .exactOptional()
    .describe("Only these tiers, which decide how fast a memory fades."),
  states: z
    .array(z.enum(["active", "superseded", "archived", "erased"]))
    .min(1)
    .readonly()
    .exactOptional()
    .describe("Only memories in these states. Default: active."),
  origins: z
    .array(z.enum(MEMORY_ORIGINS))
    .min(1)
    .readonly()
    .exactOptional()
    .describe("Only memories of these origins."),
  factKey: words
    .min(1)
    .exactOptional()
    .describe("Only facts with this key, such as editor, or preferences:* for every key with that prefix."),
  tags: tags.exactOptional().describe("Only memories that have all of these tags."),
  since: time.exactOptional().describe("Only memories that were stored from this time on (ISO 8601)."),
  before: time.exactOptional().describe("Only memories that were stored before this time (ISO 8601)."),
  limit: z.int().min(1).max(1_000).exactOptional().describe("Maximum number of memories. Default 50."),
  cursor: z.string().min(1).exactOptional().describe("`next` from the previous page."),
});
export type ListInput = z.input<typeof listInput>;

export const factInput = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(LONGEST_QUERY)
    .exactOptional()
    .describe("Words of the fact, or of its key."),
  factKey: factKey.exactOptional().describe("The key of the fact."),
  at: time.exactOptional().describe("What was valid at this time (ISO 8601). Default: now."),
  scope: scope.exactOptional().describe("Only facts of this scope."),
  includeHistory: z.boolean().exactOptional().describe("Include earlier and later versions. Default false."),
  limit: z.int().min(1).max(100).exactOptional().describe("Maximum number of facts. Default 10."),
});
export type FactInput = z.input<typeof factInput>;

/** What capture decides: about its reading, a candidate that it drops, and one that it compares with known memories. */
export const DECISION_VERDICTS = [
  "read",
  "unreadable",
  "refused",
  "repeated",
  "replaced",
  "rejected",
  ...VERDICTS,
] as const;
export type DecisionVerdict = (typeof DECISION_VERDICTS)[number];

export const decisionInput = z.strictObject({
  stages: z
    .array(z.enum(["extract", "admit", "dedup"]))
    .min(1)
    .readonly()
    .exactOptional()
    .describe("Only decisions of this stage: extract, admit or dedup."),
  verdicts: z
    .array(z.enum(DECISION_VERDICTS))
    .min(1)
    .readonly()
    .exactOptional()
    .describe("Only these verdicts."),
  conversation: givenId.exactOptional().describe("Only about this conversation: conv_…"),
  since: time.exactOptional().describe("Only from this time on (ISO 8601)."),
  limit: z.int().min(1).max(1_000).exactOptional().describe("Maximum number of decisions. Default 50."),
  cursor: z.string().min(1).exactOptional().describe("`next` from the previous page."),
});
export type DecisionInput = z.input<typeof decisionInput>;

export const recallOptions = z.strictObject({
  signal: whileRunning.signal,
  explain: z
    .boolean()
    .exactOptional()
    .describe("Also return what each stage did, and do not count it as a use. Default false."),
  rankedBy: z.enum(["words", "vectors"]).exactOptional().describe("Rank by one side alone, for benchmarks."),
});

export const storeManyInput = storeInput.extend({
  vectors: z
    .strictObject({
      model: z.string().min(1),
      vectors: z.array(z.instanceof(Float32Array)).min(1).readonly(),
    })
    .exactOptional()
    .describe("Vectors of its passages, if the caller has them."),
});
export const storeManyOptions = z.strictObject(whileRunning);

export const captureInput = z.strictObject({
  conversation: z.string().min(1).describe("Its id, or its session id."),
  flush: z
    .boolean()
    .exactOptional()
    .describe("Capture even if there are only a few new messages. Default false."),
});

/** The input of maintenance at every interface; the library adds signals and callbacks. */
export const consolidateInput = z.strictObject({
  dryRun: z.boolean().exactOptional().describe("Only report what would be done. Default false."),
  threshold: share.exactOptional().describe("Minimum cosine similarity of duplicates, 0 to 1. Default 0.88."),
});

export const reembedInput = z.strictObject({
  prune: z
    .boolean()
    .exactOptional()
    .describe(
      "Also remove the embeddings of all other models once none of this model is missing. A process that uses another embeddingModel on this store loses its embeddings. Default: keep them.",
    ),
});

export const indexInput = z.strictObject({ signal: whileRunning.signal });

export const verifyInput = z.strictObject({ findMessages: givenFunction, ...whileRunning });

export const repairInput = z.array(
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("remake-segment"), segment: z.int() }),
    z.strictObject({
      kind: z.literal("remake-vectors"),
      model: z.string(),
      ref: z.object({ scope: z.string(), number: z.int() }).nullable(),
    }),
  ]),
);

export const exportInput = listInput.pick({ scopes: true, categories: true, states: true });

export const importOptions = z.strictObject({
  scope: scope.exactOptional().describe("Scope of all of them. Default: that of the file."),
  dryRun: consolidateInput.shape.dryRun,
  ...whileRunning,
});
