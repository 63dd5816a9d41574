/**
 * The part of the contract for long-term memory. Memories belong to a tenant and to a memory scope, which
 * determines who can see them; the holder of a `MemoryStore` can find, read and change only memories in its own scopes.
 *
 * Three promises, tested by the conformance suite:
 *  - `commit` is atomic, and acknowledged writes survive a crash.
 *  - The text of a memory never changes. At most one memory per fact key and scope is active, however many
 *    processes write: a commit that would create a second one is rejected with `busy`, and so is one that replaces
 *    a memory which is no longer active. Planning again is safe.
 *  - Erased text is gone from every row, vector, index segment and decision, and so is everything derived from it.
 *
 * Not caches: memories, their sources and relations, uses, events, decisions, how far conversations were captured.
 * Vectors and segments are caches: they can be dropped and rebuilt from the memories.
 */
import type {
  Memory,
  MemoryCategory,
  MemoryOrigin,
  MemoryRelation,
  MemorySource,
  MemoryState,
  MemoryText,
  MemoryTier,
  UNTOUCHED,
} from "../memory-types.ts";
import type { ErasedMemories } from "./rules/freed-by-erasure.ts";
import type { AuditRecord } from "./store.ts";

/** Represents all memory scopes of a tenant. No request can produce it. */
export const EVERY_SCOPE: unique symbol = Symbol("every memory scope");

export interface MemoryAccess {
  readonly tenant: string;
  /** Memory scopes of the holder. Empty: no memory is visible, and nothing can be written. */
  readonly scopes: readonly string[] | typeof EVERY_SCOPE;
}

/** A memory as the store keeps it: `number` counts up from 1 in its memory scope and is never assigned twice. */
export interface StoredMemory extends Memory {
  readonly number: number;
}

export interface MemoryRef {
  readonly scope: string;
  readonly number: number;
}

export type ChangedMemory = Pick<Memory, "id" | "updatedAt">;

export interface MemoryStore {
  readonly access: MemoryAccess;
  commit(writes: readonly MemoryWrite[]): Promise<readonly MemoryWriteResult[]>;

  memory(id: string): Promise<StoredMemory | undefined>;
  /** In the order of the ids, without unknown ones. */
  memoriesById(ids: readonly string[]): Promise<readonly StoredMemory[]>;
  /** In the order of the refs, without unknown ones. */
  memoriesAt(refs: readonly MemoryRef[]): Promise<readonly StoredMemory[]>;
  /** Newest first by `createdAt`, then by id. The default limit is 100. */
  memories(query: MemoryQuery): Promise<MemoryPage<StoredMemory>>;
  /** Of any state, most recently changed first by `updatedAt`, then by id. */
  changedMemories(limit: number): Promise<readonly ChangedMemory[]>;
  /** Memories of any state that were made from, or supported by, messages of this range; by their first such message. */
  memoriesFrom(conversation: string, range: SeqRange): Promise<readonly StoredMemory[]>;
  /**
   * For each place, in the order of the places: the memories in its scope that were made from messages right before and right
   * after it, the nearest first, at most `reach` on each side, and the time of the place. Memories more than `AROUND`
   * messages away are left out.
   */
  memoriesAround(places: readonly MemoryPlace[], reach: number): Promise<readonly MemoriesAround[]>;
  /** The chain of memories that replaced one another and that contains this one, oldest first. Includes erased ones. */
  memoryVersions(id: string): Promise<readonly StoredMemory[]>;
  /** Ids that start or end like this one, to find a typo in it, or that have it as a prefix. At most 100. */
  similarMemoryIds(id: string): Promise<readonly string[]>;
  /** Events of a memory, oldest first. */
  memoryEvents(id: string): Promise<readonly MemoryEvent[]>;
  memoryCounts(): Promise<MemoryCounts>;

  /** Decisions of captures, newest first. */
  decisions(query: DecisionQuery): Promise<MemoryPage<StoredDecision>>;
  /** The last message up to which a conversation was captured; 0 before the first capture. */
  capturedTo(conversation: string): Promise<number>;

  /**
   * The nearest memories by cosine among vectors of this model, each once, by its nearest passage; the nearest first, then by
   * scope and number. Superseded, archived and erased ones are left out unless `states` includes them.
   */
  nearestMemories(query: NearestQuery): Promise<readonly NearMemory[]>;
  /** The vectors of the passages of these memories, in the order of the refs; empty for a memory without vectors of this model. */
  memoryVectors(model: string, refs: readonly MemoryRef[]): Promise<readonly (readonly Float32Array[])[]>;
  /**
   * The cosine of these memories with a vector of this model, each by its nearest passage; in the order of the refs, null for
   * a memory without vectors of the model.
   */
  memoryCosines(
    model: string,
    vector: Float32Array,
    refs: readonly MemoryRef[],
  ): Promise<readonly (number | null)[]>;
  /** Memories with text but without vectors of this model, oldest first. */
  memoriesWithoutVectors(model: string, limit: number): Promise<readonly StoredMemory[]>;
  vectorCounts(): Promise<readonly VectorCount[]>;

  /**
   * Rows that belong to no memory, and vectors or sign bits with a wrong value: the other calls cannot read them. Empty if
   * there are no faults.
   */
  memoryFaults(): Promise<readonly MemoryFault[]>;

  /** A snapshot of the word index: segments of the holder's scopes, and the memories that no segment contains yet. */
  memoryIndex(): Promise<MemoryIndex>;
  /** Their contents, without segments that no longer exist. */
  memorySegments(ids: readonly number[]): Promise<readonly MemorySegment[]>;
}

/** Messages of a conversation that a memory was made from. */
export interface MemoryPlace extends Pick<MemorySource, "conversation" | "firstSeq" | "lastSeq"> {
  readonly scope: string;
}

export interface MemoriesAround {
  readonly before: readonly NeighbouringMemory[];
  readonly after: readonly NeighbouringMemory[];
  /** Time of the place's first message; null if it does not exist. */
  readonly saidAt: string | null;
}

/** The text of a memory and its speaker. */
export interface NeighbouringMemory extends MemoryText {
  readonly ref: MemoryRef;
  readonly speaker: string | null;
}

/** In messages. */
export const AROUND = 8;

export interface MemoryPage<Row> {
  readonly rows: readonly Row[];
  /** Pass it as `cursor` to continue; null at the end. */
  readonly next: string | null;
}

export interface SeqRange {
  readonly from: number;
  readonly to: number;
}

export interface MemoryQuery {
  /** Only memories in these of the holder's scopes. */
  readonly scopes?: readonly string[];
  readonly categories?: readonly MemoryCategory[];
  readonly tiers?: readonly MemoryTier[];
  /** Default: `active`. */
  readonly states?: readonly MemoryState[];
  readonly origins?: readonly MemoryOrigin[];
  readonly factKey?: string;
  /** Only memories with one of these keys; not together with `factKey` or `saying`. */
  readonly factKeys?: readonly string[];
  /** Only memories with a key that starts with this: as it is stored, without its category, or with the memory's own. */
  readonly factKeyPrefix?: string;
  /** Only memories whose first line says the same as this one, found by a key that few others share. */
  readonly saying?: string;
  /** All of these tags. */
  readonly tags?: readonly string[];
  /** Only memories from messages of these conversations. */
  readonly conversations?: readonly string[];
  /** By `createdAt`: from `since` on, and before `until`. */
  readonly since?: string;
  readonly before?: string;
  /** The state at this time: created by then, and not replaced, archived or erased at that time. `states` is ignored. */
  readonly at?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface MemoryCounts {
  readonly total: number;
  readonly byState: Readonly<Record<MemoryState, number>>;
  /** Of active memories. */
  readonly byCategory: Readonly<Record<MemoryCategory, number>>;
  readonly byTier: Readonly<Record<MemoryTier, number>>;
  /** Scopes with active memories, by name. */
  readonly byScope: readonly { readonly scope: string; readonly active: number }[];
}

export const MEMORY_ACTIONS = [
  "created",
  "supported",
  "contradicted",
  "superseded",
  "archived",
  "restored",
  "promoted",
  "demoted",
  "revised",
  "erased",
] as const;
type MemoryAction = (typeof MEMORY_ACTIONS)[number];

export interface MemoryEvent {
  readonly at: string;
  readonly action: MemoryAction;
  /** JSON text with the reason and its numbers; never text of a memory. */
  readonly detail: string;
}

/** A decision of a capture stage about a candidate, with the reason. */
export interface NewDecision {
  readonly at: string;
  readonly agent: string;
  readonly stage: "extract" | "admit" | "dedup";
  /** For example `rejected`, `create`, `merge`. */
  readonly verdict: string;
  /** One sentence. */
  readonly reason: string;
  /** JSON text with the features and their weights, and the candidate's text if it was not stored. */
  readonly detail: string;
  /** The memory that was created from it or that it was compared with. */
  readonly memory: string | null;
  readonly scope: string;
  readonly conversation: string | null;
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
}

export interface StoredDecision extends NewDecision {
  readonly position: number;
}

export interface DecisionQuery {
  readonly stages?: readonly NewDecision["stage"][];
  readonly verdicts?: readonly string[];
  readonly conversation?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface NearestQuery {
  readonly model: string;
  /** Of length 1. */
  readonly vector: Float32Array;
  readonly limit: number;
  readonly scopes?: readonly string[];
  readonly states?: readonly MemoryState[];
  /** Leave out vectors with a lower cosine. Default: none. */
  readonly least?: number;
}

export interface NearMemory {
  readonly ref: MemoryRef;
  readonly cosine: number;
}

export interface VectorCount {
  readonly model: string;
  readonly dimensions: number;
  readonly memories: number;
  readonly vectors: number;
}

export type MemoryFault =
  /** Rows of this kind belong to a memory that does not exist. */
  | { readonly kind: "stray"; readonly what: MemoryPart; readonly ref: MemoryRef }
  /** Its number was not assigned by its scope, so it may be assigned to another memory. */
  | { readonly kind: "number"; readonly ref: MemoryRef }
  | {
      readonly kind: "vectors";
      readonly model: string;
      /** Null if their memory is not known. */
      readonly ref: MemoryRef | null;
      /** They belong to no memory with text, differ from the model in length, or have wrong sign bits. */
      readonly fault: "stray" | "length" | "signs";
    };

/** Data that is stored separately from a memory and belongs to it. */
export const MEMORY_PARTS = ["sources", "relations", "uses", "events"] as const;
export type MemoryPart = (typeof MEMORY_PARTS)[number];

export interface MemoryIndex {
  readonly segments: readonly Omit<MemorySegment, "content">[];
  /** Numbers of memories that no segment contains, in runs. */
  readonly unindexed: readonly MemoryRun[];
}

export interface MemoryRun {
  readonly scope: string;
  readonly first: number;
  readonly last: number;
}

/** Words of the memories of one run, packed by the index; the store does not read it. */
export interface MemorySegment extends MemoryRun {
  readonly id: number;
  readonly content: Uint8Array;
}

export type MemoryWrite =
  | RememberWrite
  | ReviseWrite
  | UseWrite
  | DecideWrite
  | CapturedWrite
  | VectorWrite
  | DropVectorsWrite
  | PruneVectorsWrite
  | MemoryIndexWrite
  | EraseMemoryWrite;

/**
 * A new memory, and the memories that it replaces. Refused with `conflict` when its id is taken, with `not-found` when its
 * scope is not one of the holder's or a source conversation was deleted, and with `busy` when a source was erased meanwhile:
 * a message of its origin, or a memory that it was merged from.
 */
export interface RememberWrite {
  readonly kind: "remember";
  readonly memory: NewMemory;
  /**
   * These are superseded by the new memory from its `createdAt` on. Each must be active and in the same scope, or the commit
   * is refused with `busy`.
   */
  readonly supersedes: readonly string[];
  /**
   * For a memory that arrives late: this one is active and stays so, and the new one is stored as superseded by it. It must
   * be active and in the same scope, or the commit is refused with `busy`.
   */
  readonly supersededBy?: Successor;
  /** Vectors of its passages, if they are already known. */
  readonly vectors?: PassageVectors;
  /** The reason, as JSON text. */
  readonly detail: string;
}

/** The memory that replaced another one, and when. */
export type Successor = Pick<Memory, "id" | "createdAt">;

/** The fields of a memory that are known when it is created. */
export type NewMemory = Omit<Memory, keyof typeof UNTOUCHED | "updatedAt" | "supersedes">;

export interface PassageVectors {
  readonly model: string;
  /** At least one, all of the same length as the model's other vectors: else `invalid-input`. */
  readonly vectors: readonly Float32Array[];
}

/**
 * Changes the metadata of a memory, never its text; `updatedAt` becomes the event's time. Changed tags drop the segment of
 * the word index that contains it. Refused with `not-found` when it does not exist or is erased, and with `busy` when it
 * would be a second active memory of its fact key.
 */
export interface ReviseWrite {
  readonly kind: "revise";
  readonly id: string;
  readonly changes: Partial<
    Pick<
      NewMemory,
      | "category"
      | "tier"
      | "importance"
      | "confidence"
      | "temporalType"
      | "factKey"
      | "tags"
      | "support"
      | "validUntil"
    >
  > & {
    /** A time archives it, null restores it. */
    readonly archivedAt?: string | null;
    readonly archivedReason?: string | null;
  };
  readonly addSources?: readonly MemorySource[];
  readonly addRelations?: readonly MemoryRelation[];
  /** If set: refused with `busy` unless this is its `updatedAt`. */
  readonly unchangedSince?: string;
  /** If set: refused with `busy` unless it is active. */
  readonly whileInForce?: true;
  readonly event: MemoryEvent;
}

/** Counts uses of memories. Unknown ones are skipped. */
export interface UseWrite {
  readonly kind: "use";
  readonly ids: readonly string[];
  readonly how: "access" | "injection";
  readonly at: string;
  /** How often each one was used. Default 1. */
  readonly times?: number;
}

export interface DecideWrite {
  readonly kind: "decide";
  readonly decision: NewDecision;
}

/** How far a conversation was captured. Refused with `busy` unless that was `from` before, with `not-found` once deleted. */
export interface CapturedWrite {
  readonly kind: "captured";
  readonly conversation: string;
  readonly from: number;
  readonly to: number;
  readonly at: string;
}

/** Replaces the vectors of this model; those of other models stay. Ignored if the memory is gone or erased. */
export interface VectorWrite {
  readonly kind: "vectors";
  readonly ref: MemoryRef;
  readonly vectors: PassageVectors;
}

/** Removes vectors of a model, also of memories that are gone, and recomputes the sign bits of the remaining memories. */
export interface DropVectorsWrite {
  readonly kind: "drop-vectors";
  readonly model: string;
  readonly refs: readonly MemoryRef[];
}

/**
 * Removes vectors of all models but `keep`, and only of memories that have vectors of that model: whatever other processes
 * write meanwhile, no memory loses its last vectors.
 */
export interface PruneVectorsWrite {
  readonly kind: "prune-vectors";
  readonly keep: string;
  readonly refs: readonly MemoryRef[];
}

/**
 * Adds a segment, and removes those that it was merged from. Refused with `busy` when one of these is gone, when a number is
 * already in a segment, or when one was erased since `erased` were counted in its run; with `invalid-input` when a number was
 * not assigned yet.
 */
export interface MemoryIndexWrite {
  readonly kind: "memory-index";
  readonly replaces: readonly number[];
  readonly segment: (Omit<MemorySegment, "id"> & { readonly erased: number }) | null;
}

/**
 * Erases text permanently, also of every memory of the tenant that was merged, consolidated or edited from one of these, in
 * any scope. The id, the scope, the number, the times and the links between versions stay. Events stay without their details;
 * decisions that name an erased memory are deleted. A memory that was merged into an active one, and is not erased itself,
 * becomes active again in the same commit, unless another one is active under its fact key. Unknown ids are ignored. The
 * audit record names all erased and all restored memories.
 */
export interface EraseMemoryWrite {
  readonly kind: "erase-memories";
  readonly ids: readonly string[];
  readonly at: string;
  /** The agent in the audit record. */
  readonly agent: string;
  readonly audit: AuditRecord;
}

export type MemoryWriteResult =
  | { readonly kind: "remember"; readonly memory: StoredMemory }
  | { readonly kind: "revise"; readonly memory: StoredMemory }
  | { readonly kind: "use"; readonly memories: number }
  | { readonly kind: "decide" }
  | { readonly kind: "captured" }
  | { readonly kind: "vectors"; readonly written: boolean }
  | { readonly kind: "drop-vectors" }
  | { readonly kind: "prune-vectors"; readonly vectors: number }
  | { readonly kind: "memory-index"; readonly segment: number | null }
  | ({ readonly kind: "erase-memories" } & ErasedMemories);
