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
 * Truth: memories, their sources and relations, uses, events, decisions, how far conversations were captured.
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
  /** Memory scopes that exist for the holder. Empty: none, and nothing can be written. */
  readonly scopes: readonly string[] | typeof EVERY_SCOPE;
}

/** A memory as the store keeps it: `number` counts up from 1 in its memory scope and is never given out twice. */
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
  /** In the order of the ids, without those that are not there. */
  memoriesById(ids: readonly string[]): Promise<readonly StoredMemory[]>;
  /** In the order of the refs, without those that are not there. */
  memoriesAt(refs: readonly MemoryRef[]): Promise<readonly StoredMemory[]>;
  /** Newest first by `createdAt`, then by id. The default limit is 100. */
  memories(query: MemoryQuery): Promise<MemoryPage<StoredMemory>>;
  /** Of any state, those that changed last first by `updatedAt`, then by id. */
  changedMemories(limit: number): Promise<readonly ChangedMemory[]>;
  /** Those of any state that were made from, or supported by, messages of this range; by their first such message. */
  memoriesFrom(conversation: string, range: SeqRange): Promise<readonly StoredMemory[]>;
  /**
   * Of each place, the memories in its scope that were made from messages right before and right after it, the nearest
   * first, at most `reach` on each side, and when that was; in the order of the places. What lies farther away than `AROUND` messages is
   * not around it.
   */
  memoriesAround(places: readonly MemoryPlace[], reach: number): Promise<readonly MemoriesAround[]>;
  /** What took the place of one another, and this memory is one of; oldest first, itself included. Erased ones too. */
  memoryVersions(id: string): Promise<readonly StoredMemory[]>;
  /** Ids that start or end like this one, to find a slip in it, or that have it as a prefix. At most 100. */
  similarMemoryIds(id: string): Promise<readonly string[]>;
  /** Events of a memory, oldest first. */
  memoryEvents(id: string): Promise<readonly MemoryEvent[]>;
  memoryCounts(): Promise<MemoryCounts>;

  /** Decisions of captures, newest first. */
  decisions(query: DecisionQuery): Promise<MemoryPage<StoredDecision>>;
  /** Up to which message a conversation was captured; 0 before the first time. */
  capturedTo(conversation: string): Promise<number>;

  /**
   * The nearest by cosine among vectors of this model, a memory once, by its nearest passage; the nearest first, then
   * by scope and number. Superseded, archived and erased ones are left out unless `states` names them.
   */
  nearestMemories(query: NearestQuery): Promise<readonly NearMemory[]>;
  /** The passages' vectors of these memories, in the order of the refs; empty where there are none of this model. */
  memoryVectors(model: string, refs: readonly MemoryRef[]): Promise<readonly (readonly Float32Array[])[]>;
  /**
   * How near these memories are to a vector of this model, each by its nearest passage; in the order of the refs, null
   * where there is no vector of the model.
   */
  memoryCosines(
    model: string,
    vector: Float32Array,
    refs: readonly MemoryRef[],
  ): Promise<readonly (number | null)[]>;
  /** Memories with words but without vectors of this model, oldest first. */
  memoriesWithoutVectors(model: string, limit: number): Promise<readonly StoredMemory[]>;
  vectorCounts(): Promise<readonly VectorCount[]>;

  /**
   * What belongs to no memory, and vectors or signs that are not what they must be: none of it can be read by the other
   * calls. Empty when all is right.
   */
  memoryFaults(): Promise<readonly MemoryFault[]>;

  /** The word index at one moment: segments of the holder's scopes, and what none of them holds yet. */
  memoryIndex(): Promise<MemoryIndex>;
  /** Their contents, without those that are not there any more. */
  memorySegments(ids: readonly number[]): Promise<readonly MemorySegment[]>;
}

/** Messages of a conversation that a memory was made from. */
export interface MemoryPlace extends Pick<MemorySource, "conversation" | "firstSeq" | "lastSeq"> {
  readonly scope: string;
}

export interface MemoriesAround {
  readonly before: readonly NeighbouringMemory[];
  readonly after: readonly NeighbouringMemory[];
  /** When the first message of the place was said; null where it is not there. */
  readonly saidAt: string | null;
}

/** The words of a memory and who said them. */
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
  /** Only these of the holder's scopes. */
  readonly scopes?: readonly string[];
  readonly categories?: readonly MemoryCategory[];
  readonly tiers?: readonly MemoryTier[];
  /** Default: `active`. */
  readonly states?: readonly MemoryState[];
  readonly origins?: readonly MemoryOrigin[];
  readonly factKey?: string;
  /** Only what has a key that begins so. */
  readonly factKeyPrefix?: string;
  /** Only those whose first line tells the same as this one, by a key that few others share. */
  readonly saying?: string;
  /** All of them must be there. */
  readonly tags?: readonly string[];
  /** Only what came from messages of these conversations. */
  readonly conversations?: readonly string[];
  /** By `createdAt`: from this time on, and until before that one. */
  readonly since?: string;
  readonly before?: string;
  /** As it was known then: created by then, and not replaced, set aside or erased at that time. `states` is ignored. */
  readonly at?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface MemoryCounts {
  readonly total: number;
  readonly byState: Readonly<Record<MemoryState, number>>;
  /** Of active ones. */
  readonly byCategory: Readonly<Record<MemoryCategory, number>>;
  readonly byTier: Readonly<Record<MemoryTier, number>>;
  /** Those that have active ones, by name. */
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
export type MemoryAction = (typeof MEMORY_ACTIONS)[number];

export interface MemoryEvent {
  readonly at: string;
  readonly action: MemoryAction;
  /** JSON text that says why and with which numbers; never words of a memory. */
  readonly detail: string;
}

/** A decision of a capture stage about a candidate, with the reason. */
export interface NewDecision {
  readonly at: string;
  readonly agent: string;
  readonly stage: "extract" | "admit" | "dedup";
  /** Such as `rejected`, `create`, `merge`, `throttled`. */
  readonly verdict: string;
  /** In one sentence. */
  readonly reason: string;
  /** JSON text with the features and their weights, and the candidate's words where it was not kept. */
  readonly detail: string;
  /** Of the memory that came of it or that it met. */
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
  /** Leave out what is less near. Default: nothing. */
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
  /** Rows of this kind belong to a memory that is not there. */
  | { readonly kind: "stray"; readonly what: MemoryPart; readonly ref: MemoryRef }
  /** Its number was not given out, and so may be given to another one. */
  | { readonly kind: "number"; readonly ref: MemoryRef }
  | {
      readonly kind: "vectors";
      readonly model: string;
      /** Null where it is not known whose they were. */
      readonly ref: MemoryRef | null;
      /** Of no memory with words, of another length than the model's, or with signs that are not theirs. */
      readonly fault: "stray" | "length" | "signs";
    };

/** Data that is stored separately from a memory and belongs to it. */
export const MEMORY_PARTS = ["sources", "relations", "uses", "events"] as const;
export type MemoryPart = (typeof MEMORY_PARTS)[number];

export interface MemoryIndex {
  readonly segments: readonly Omit<MemorySegment, "content">[];
  /** Numbers of memories that no segment holds, in runs. */
  readonly unindexed: readonly MemoryRun[];
}

export interface MemoryRun {
  readonly scope: string;
  readonly first: number;
  readonly last: number;
}

/** Words of the memories of one run, packed by the index; the store does not look into it. */
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
 * A new memory, and what it takes the place of. Refused with `conflict` when its id is taken, with `not-found` when its
 * scope is none of the holder's or a conversation that it was made from was deleted, and with `busy` when something
 * that it was made from was erased meanwhile: a message of its origin, or a memory that it was merged from.
 */
export interface RememberWrite {
  readonly kind: "remember";
  readonly memory: NewMemory;
  /**
   * These are not in force from its `createdAt` on, and name the new one as what superseded them. Each must be in force
   * and lie in the same scope, or the commit is refused with `busy`.
   */
  readonly supersedes: readonly string[];
  /**
   * It comes late: this one is in force already and stays so, and the new one is on record as what it superseded. It must
   * be in force and lie in the same scope, or the commit is refused with `busy`.
   */
  readonly supersededBy?: Successor;
  /** Vectors of its passages, if they are known already. */
  readonly vectors?: PassageVectors;
  /** Why, as JSON text. */
  readonly detail: string;
}

/** What took the place of a memory, and when that was. */
export type Successor = Pick<Memory, "id" | "createdAt">;

/** All that can be said of a memory before anything happens to it. */
export type NewMemory = Omit<Memory, keyof typeof UNTOUCHED | "updatedAt" | "supersedes">;

export interface PassageVectors {
  readonly model: string;
  /** At least one, all of the same length, which is that of the model's other ones: else `invalid-input`. */
  readonly vectors: readonly Float32Array[];
}

/**
 * Changes what is known about a memory, never its words; `updatedAt` becomes the event's time. Other tags drop the
 * segment of the word index that holds it. Refused with `not-found`
 * when it is not there, or erased, and with `busy` when it would be a second one in force of its fact key.
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
    /** A time sets it aside, null brings it back. */
    readonly archivedAt?: string | null;
    readonly archivedReason?: string | null;
  };
  readonly addSources?: readonly MemorySource[];
  readonly addRelations?: readonly MemoryRelation[];
  /** Given: refused with `busy` unless this is its `updatedAt`. */
  readonly unchangedSince?: string;
  /** Given: refused with `busy` unless it is in force. */
  readonly whileInForce?: true;
  readonly event: MemoryEvent;
}

/** Counts uses of memories. Unknown ones are skipped. */
export interface UseWrite {
  readonly kind: "use";
  readonly ids: readonly string[];
  readonly how: "access" | "injection";
  readonly at: string;
  /** How often each of them was. Default 1. */
  readonly times?: number;
}

export interface DecideWrite {
  readonly kind: "decide";
  readonly decision: NewDecision;
}

/** How far a conversation was captured. Refused with `busy` unless it stood at `from`, with `not-found` once deleted. */
export interface CapturedWrite {
  readonly kind: "captured";
  readonly conversation: string;
  readonly from: number;
  readonly to: number;
  readonly at: string;
}

/** Replaces the vectors of this model; those of others stay. Passed over where the memory is gone or erased. */
export interface VectorWrite {
  readonly kind: "vectors";
  readonly ref: MemoryRef;
  readonly vectors: PassageVectors;
}

/** Removes vectors of a model, also of memories that are gone, and makes the signs of those that stay anew. */
export interface DropVectorsWrite {
  readonly kind: "drop-vectors";
  readonly model: string;
  readonly refs: readonly MemoryRef[];
}

/**
 * Removes vectors of all models but `keep`, and only of memories that have vectors of that one: so whatever others write
 * meanwhile, nothing loses the last vectors that it has.
 */
export interface PruneVectorsWrite {
  readonly kind: "prune-vectors";
  readonly keep: string;
  readonly refs: readonly MemoryRef[];
}

/**
 * Adds a segment, and removes those that it was merged from. Refused with `busy` when one of these is gone, when a
 * number is in a segment already, or when one was erased since `erased` were counted in its run; with `invalid-input`
 * when a number was not given out yet.
 */
export interface MemoryIndexWrite {
  readonly kind: "memory-index";
  readonly replaces: readonly number[];
  readonly segment: (Omit<MemorySegment, "id"> & { readonly erased: number }) | null;
}

/**
 * Removes words for good, also of every memory of the tenant that was merged, consolidated or edited from one of these,
 * whatever its scope. What stays is the id, the scope, the number, the times and what superseded what. Events stay without their
 * details; decisions that name an erased memory go. What was merged into one that was in force, and is not erased
 * itself, comes back in force in the same commit, unless something else is in force under its fact key. Ids that are not
 * there are passed over. The audit record names all that lost their words, and all that came back.
 */
export interface EraseMemoryWrite {
  readonly kind: "erase-memories";
  readonly ids: readonly string[];
  readonly at: string;
  /** The agent that the audit record is written under. */
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
