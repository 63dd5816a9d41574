/**
 * The nouns of long-term memory. A memory is a durable fact that was distilled from conversations, or told outright.
 * Its words never change: whatever says something else is a new memory that takes the place of the old one, and the
 * old one stays readable. What changes is what is known about it: how much it matters, how often it was of use, and
 * until when it held.
 */

export const MEMORY_CATEGORIES = [
  "profile",
  "preferences",
  "entities",
  "events",
  "cases",
  "patterns",
] as const;
export type MemoryCategory = (typeof MEMORY_CATEGORIES)[number];

/** How fast it fades: `core` hardly, `peripheral` soon. */
export const MEMORY_TIERS = ["core", "working", "peripheral"] as const;
export type MemoryTier = (typeof MEMORY_TIERS)[number];

/** `dynamic`: true for a while, such as what somebody works on this week. It fades three times as fast. */
export const TEMPORAL_TYPES = ["static", "dynamic"] as const;
export type TemporalType = (typeof TEMPORAL_TYPES)[number];

/** Who wrote it: a caller, a model that read a conversation, rules that did, or an import. */
export const MEMORY_ORIGINS = ["manual", "model", "rules", "merge", "consolidation", "import"] as const;
export type MemoryOrigin = (typeof MEMORY_ORIGINS)[number];

/** Three levels of one fact: a line to find it by, an overview in Markdown, and all that is known. */
export interface MemoryText {
  /** L0: one sentence. Never empty. */
  readonly abstract: string;
  /** L1: a structured overview; may be empty. */
  readonly overview: string;
  /** L2: the full narrative; may be empty. */
  readonly content: string;
}

/** The exact words that it came from. */
export interface MemorySource {
  readonly conversation: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** `origin`: it was made from them, and is erased with them. `support`: they said it again. */
  readonly kind: "origin" | "support";
}

/** How often it was said again or contradicted, in one kind of situation. */
export interface SupportSlice {
  /** A label such as `general`, `work` or `evening`. */
  readonly context: string;
  readonly confirmations: number;
  readonly contradictions: number;
  readonly lastObservedAt: string;
}

/** One memory is made of the other's words, and is erased with it. */
export const MADE_FROM_TYPES = ["merged-from", "consolidated-from", "edited-from"] as const;
export const RELATION_TYPES = ["contextualizes", "contradicts", ...MADE_FROM_TYPES] as const;
type RelationType = (typeof RELATION_TYPES)[number];

export function isMadeFrom({ type }: { readonly type: RelationType }): boolean {
  return (MADE_FROM_TYPES as readonly RelationType[]).includes(type);
}

export interface MemoryRelation {
  readonly type: RelationType;
  /** Id of the other memory. */
  readonly target: string;
}

/** How often it was of use. Kept apart from the memory, so that counting rewrites nothing else. */
interface MemoryUse {
  /** Times that it was recalled on request. */
  readonly accessCount: number;
  readonly lastAccessedAt: string | null;
  /** Times that it was put in front of a model unasked. */
  readonly injectedCount: number;
  readonly lastInjectedAt: string | null;
}

export interface Memory extends MemoryText, MemoryUse {
  /** `mem_` and 16 hex digits. */
  readonly id: string;
  /** Who may see it: `global`, `agent:<id>`, `project:<id>`, `user:<id>`, `custom:<name>` or `reflection:agent:<id>`. */
  readonly scope: string;
  readonly category: MemoryCategory;
  readonly tier: MemoryTier;
  /** 0 to 1. */
  readonly importance: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly temporalType: TemporalType;
  /** What it says something about. Of one key at most one memory of a scope is in force. Null where there is no such thing. */
  readonly factKey: string | null;
  readonly tags: readonly string[];
  readonly support: readonly SupportSlice[];
  readonly relations: readonly MemoryRelation[];
  readonly sources: readonly MemorySource[];
  readonly origin: MemoryOrigin;
  /** Who said it: `user`, `assistant`, or a name. Null where nobody is known. */
  readonly speaker: string | null;
  readonly createdAt: string;
  /** When any of it changed last, uses aside. */
  readonly updatedAt: string;
  /** From when on it holds. */
  readonly validFrom: string;
  /** Until when it is thought to hold. Then it is ranked lower; it is never hidden for that. */
  readonly validUntil: string | null;
  /** Since when something else holds instead. */
  readonly invalidatedAt: string | null;
  readonly supersedes: readonly string[];
  readonly supersededBy: string | null;
  /** Set aside: found only when archived ones are asked for. */
  readonly archivedAt: string | null;
  readonly archivedReason: string | null;
  /** Its words are gone for good. */
  readonly erasedAt: string | null;
}

/** What is known of a memory to which nothing has happened yet. */
export const UNTOUCHED = {
  invalidatedAt: null,
  supersededBy: null,
  archivedAt: null,
  archivedReason: null,
  erasedAt: null,
  accessCount: 0,
  lastAccessedAt: null,
  injectedCount: 0,
  lastInjectedAt: null,
} as const satisfies Partial<Memory>;

/** In force: neither replaced, nor set aside, nor erased. */
export type MemoryState = "active" | "superseded" | "archived" | "erased";

export function stateOf({
  erasedAt,
  invalidatedAt,
  archivedAt,
}: Pick<Memory, "erasedAt" | "invalidatedAt" | "archivedAt">): MemoryState {
  if (erasedAt !== null) return "erased";
  if (invalidatedAt !== null) return "superseded";
  return archivedAt === null ? "active" : "archived";
}
