/** Translates the metadata of a row of memory-lancedb-pro. */
import { z } from "zod";
import {
  MEMORY_CATEGORIES,
  MEMORY_TIERS,
  type MemoryCategory,
  type MemoryRelation,
  type MemoryText,
  type SupportSlice,
  TEMPORAL_TYPES,
} from "../../memory-types.ts";
import {
  anyText,
  type ForeignFields,
  foreignCount,
  foreignName,
  foreignShare,
  foreignText,
  foreignTime,
} from "./foreign-fields.ts";
import { type ImportedMemory, idFromForeign } from "./imported-memory.ts";
import { wordsFromText } from "./words-from-text.ts";

/** Its older categories. `fact` maps to two of ours, which the sentence decides. */
const LEGACY_CATEGORIES: Readonly<Record<string, MemoryCategory>> = {
  preference: "preferences",
  entity: "entities",
  decision: "events",
  fact: "cases",
  other: "patterns",
  reflection: "patterns",
};
const ABOUT_THE_USER = /\b(?:my|i am|i'm|name is|the user is|user'?s)\b|叫我|我的|我是/iu;

export function lancedbCategory(smart: string | null, legacy: string | null, text: string): MemoryCategory {
  const known = MEMORY_CATEGORIES.find((category) => category === smart);
  if (known !== undefined) return known;
  if (legacy === "fact" && ABOUT_THE_USER.test(text)) return "profile";
  return LEGACY_CATEGORIES[legacy ?? ""] ?? "patterns";
}

/** Levels that only repeat the abstract are its defaults; a text that no level contains is kept whole. */
export function lancedbWords(text: string, facts: ForeignFields): MemoryText {
  const abstract = facts.take("l0_abstract", foreignText);
  const overview = facts.take("l1_overview", anyText) ?? "";
  const content = facts.take("l2_content", anyText) ?? "";
  if (abstract === null) return wordsFromText(text);
  const isKept = [abstract, overview, content].some((level) => level.includes(text.trim()));
  return {
    abstract,
    overview: overview === `- ${abstract}` || overview === abstract ? "" : overview,
    content: [content === abstract ? "" : content, isKept ? "" : text].filter(Boolean).join("\n\n"),
  };
}

const tierSchema = z.enum(MEMORY_TIERS);
const temporalTypeSchema = z.enum(TEMPORAL_TYPES);

export function lancedbFacts(facts: ForeignFields, createdAt: string | null): Partial<ImportedMemory> {
  const accessCount = facts.take("access_count", foreignCount) ?? 0;
  const lastAccessedAt = facts.take("last_accessed_at", foreignTime);
  const injectedCount = facts.take("injected_count", foreignCount) ?? 0;
  return {
    tier: facts.take("tier", tierSchema),
    confidence: facts.take("confidence", foreignShare),
    temporalType: facts.take("memory_temporal_type", temporalTypeSchema),
    factKey: facts.take("fact_key", foreignText),
    support: supportOf(facts, createdAt),
    validFrom: facts.take("valid_from", foreignTime) ?? createdAt,
    validUntil: facts.take("valid_until", foreignTime),
    invalidatedAt: facts.take("invalidated_at", foreignTime),
    accessCount,
    // Without an access, it stores the time of creation.
    lastAccessedAt: accessCount === 0 ? null : lastAccessedAt,
    injectedCount,
    lastInjectedAt: facts.take("last_injected_at", foreignTime),
    ...archivedOf(facts, createdAt),
  };
}

function archivedOf(facts: ForeignFields, createdAt: string | null): Partial<ImportedMemory> {
  const at = facts.take("archived_at", foreignTime) ?? createdAt;
  const reason = facts.take("archive_reason", foreignText) ?? "archived in memory-lancedb-pro";
  return facts.take("state", anyText) === "archived" ? { archivedAt: at, archivedReason: reason } : {};
}

const sliceSchema = z.object({
  context: foreignText,
  confirmations: foreignCount,
  contradictions: foreignCount,
  last_observed_at: foreignTime.optional(),
});

const supportSchema = z.object({ slices: z.array(sliceSchema) });

function supportOf(facts: ForeignFields, createdAt: string | null): SupportSlice[] {
  const slices = facts.take("support_info", supportSchema)?.slices ?? [];
  return slices.flatMap(({ context, confirmations, contradictions, last_observed_at }) => {
    const lastObservedAt = last_observed_at ?? createdAt;
    return lastObservedAt === null ? [] : [{ context, confirmations, contradictions, lastObservedAt }];
  });
}

const RELATIONS: Readonly<Record<string, MemoryRelation["type"]>> = {
  contextualizes: "contextualizes",
  contradicts: "contradicts",
  merged_from: "merged-from",
  "merged-from": "merged-from",
  consolidated_from: "consolidated-from",
  "consolidated-from": "consolidated-from",
};

const linkSchema = z.array(z.object({ type: z.string(), targetId: foreignName }));

/** Links to other rows, by their new ids. */
export function lancedbLinks(
  facts: ForeignFields,
): Pick<ImportedMemory, "supersedes" | "supersededBy" | "relations" | "notTaken"> {
  const links = facts.take("relations", linkSchema) ?? [];
  const targets = (type: string) => links.filter((link) => link.type === type).map((link) => link.targetId);
  const supersedes = [facts.take("supersedes", foreignName), ...targets("supersedes")].filter(
    (id) => id !== null,
  );
  const supersededBy = facts.take("superseded_by", foreignName) ?? targets("superseded_by")[0];
  return {
    supersedes: [...new Set(supersedes)].map(idFromForeign),
    supersededBy: supersededBy === undefined ? null : idFromForeign(supersededBy),
    relations: links.flatMap(({ type, targetId }) =>
      RELATIONS[type] === undefined ? [] : [{ type: RELATIONS[type], target: idFromForeign(targetId) }],
    ),
    notTaken: links
      .filter(({ type }) => RELATIONS[type] === undefined && !/^supersede[sd]/.test(type))
      .map(({ type }) => `relation of type ${JSON.stringify(type.slice(0, 40))}`),
  };
}
