/**
 * The types of long-term memory. A memory is a durable fact that was captured from conversations or stored explicitly.
 * Its text never changes: different text is a new memory that replaces the old one, and the old one stays readable.
 * Only its metadata changes: importance, use, and the end of its validity.
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

/** How fast it fades: `core` slowly, `peripheral` quickly. */
export const MEMORY_TIERS = ["core", "working", "peripheral"] as const;
export type MemoryTier = (typeof MEMORY_TIERS)[number];

/** `dynamic`: true only for a while, for example this week's work. It fades three times as fast. */
export const TEMPORAL_TYPES = ["static", "dynamic"] as const;
export type TemporalType = (typeof TEMPORAL_TYPES)[number];

/** Who created it: a caller, a model or rules that captured a conversation, or an import. */
export const MEMORY_ORIGINS = ["manual", "model", "rules", "merge", "consolidation", "import"] as const;
export type MemoryOrigin = (typeof MEMORY_ORIGINS)[number];

/** Three levels of one fact: one sentence, an overview in Markdown, and the full text. */
export interface MemoryText {
  /** L0: one sentence. Never empty. */
  readonly abstract: string;
  /** L1: a structured overview; may be empty. */
  readonly overview: string;
  /** L2: the full narrative; may be empty. */
  readonly content: string;
}

/** Its source messages. */
export interface MemorySource {
  readonly conversation: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** `origin`: it was derived from them and is erased with them. `support`: they confirmed it. */
  readonly kind: "origin" | "support";
}

/** How often it was confirmed or contradicted, in one kind of situation. */
export interface SupportSlice {
  /** A label such as `general`, `work` or `evening`. */
  readonly context: string;
  readonly confirmations: number;
  readonly contradictions: number;
  readonly lastObservedAt: string;
}

/** One memory is derived from the text of the other and is erased with it. */
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

/** How often it was used. Stored separately from the memory, so that counting rewrites nothing else. */
interface MemoryUse {
  /** How often it was recalled on request. */
  readonly accessCount: number;
  readonly lastAccessedAt: string | null;
  /** How often it was added to a context automatically. */
  readonly injectedCount: number;
  readonly lastInjectedAt: string | null;
}

export interface Memory extends MemoryText, MemoryUse {
  /** `mem_` and 16 hex digits. */
  readonly id: string;
  /** Who can see it: `global`, `agent:<id>`, `project:<id>`, `user:<id>`, `custom:<name>` or `reflection:agent:<id>`. */
  readonly scope: string;
  readonly category: MemoryCategory;
  readonly tier: MemoryTier;
  /** 0 to 1. */
  readonly importance: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly temporalType: TemporalType;
  /** Subject of the fact. At most one memory per key and scope is active. Null if it has no key. */
  readonly factKey: string | null;
  readonly tags: readonly string[];
  readonly support: readonly SupportSlice[];
  readonly relations: readonly MemoryRelation[];
  readonly sources: readonly MemorySource[];
  readonly origin: MemoryOrigin;
  /** Who said it: `user`, `assistant`, or a name. Null if unknown. */
  readonly speaker: string | null;
  readonly createdAt: string;
  /** When it last changed, apart from its use. */
  readonly updatedAt: string;
  /** Start of its validity. */
  readonly validFrom: string;
  /** Expected end of its validity. Afterwards it is ranked lower, but never hidden. */
  readonly validUntil: string | null;
  /** When it was replaced. */
  readonly invalidatedAt: string | null;
  readonly supersedes: readonly string[];
  readonly supersededBy: string | null;
  /** When it was archived. It is then found only if archived memories are requested. */
  readonly archivedAt: string | null;
  readonly archivedReason: string | null;
  /** When its text was permanently erased. */
  readonly erasedAt: string | null;
}

/** The state of a new memory. */
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

/** When it was said: the time of the message that a captured memory came from. Otherwise when it was stored. */
export function saidAt({
  origin,
  createdAt,
  validFrom,
}: Pick<Memory, "origin" | "createdAt" | "validFrom">): string {
  const isCaptured = origin === "rules" || origin === "model" || origin === "merge";
  return isCaptured && validFrom < createdAt ? validFrom : createdAt;
}

/** Active: neither replaced, archived nor erased. */
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
