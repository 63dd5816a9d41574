/** What a context is built from. */
import type { Background } from "../jobs/background.ts";
import type { Complete } from "../model/complete.ts";
import type { Embedder } from "../model/embed/embedder.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import type { RecallAgain } from "./assemble/assemble.ts";
import type { RecallFor } from "./assemble/recalled.ts";
import type { CompactDependencies } from "./compact/compact-dependencies.ts";
import type { IngestDependencies } from "./ingest/ingest-dependencies.ts";
import type { MessageSegmentMaker } from "./retrieve/index/message-indexer.ts";
import type { RankByMeaning } from "./retrieve/meaning/host-ranking.ts";

export interface ContextDependencies
  extends IngestDependencies,
    Omit<CompactDependencies, "describeFiles" | "calls"> {
  readonly settings: IngestDependencies["settings"] &
    CompactDependencies["settings"] & { readonly newSessionRetainDepth: number };
  /** Makes a host's function dependable: bounded in time, recorded, failing in our words. */
  readonly wrapModel: (complete: Complete) => Complete;
  /** Describes files of prose. Null: they keep the description that was made without a model. */
  readonly fileModel: Complete | null;
  /** Makes segments of the search index. */
  readonly segments: MessageSegmentMaker;
  /** Makes vectors of what is said, for searching by meaning. Null: only words are searched. */
  readonly embedder: Embedder | null;
  /** A host's ranking, instead of these vectors. */
  readonly rankByMeaning: RankByMeaning | null;
  /** Null: nothing starts by itself. */
  readonly background: Background | null;
  /** What this agent may see of long-term memory, where copies of erased words may be; null where there is none. */
  readonly memories: MemoryStore | null;
  /** Is told that a conversation has grown. */
  readonly onGrown?: (conversation: string) => void;
  /** What is known beyond the conversation and matters for a prompt; null when there is nothing. */
  readonly recallFor?: RecallFor;
  /** Memories that were given before, as they were given. */
  readonly recallAgain?: RecallAgain;
}
