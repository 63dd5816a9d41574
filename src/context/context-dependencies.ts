/** The dependencies of a context. */
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
  /** Adds a time limit, logging and our error codes to a host's function. */
  readonly wrapModel: (complete: Complete) => Complete;
  /** Describes prose files. Null: they keep the description that was made without a model. */
  readonly fileModel: Complete | null;
  /** Builds segments of the search index. */
  readonly segments: MessageSegmentMaker;
  /** Embeds messages for semantic search. Null: only words are searched. */
  readonly embedder: Embedder | null;
  /** A host's semantic ranking, used instead of these embeddings. */
  readonly rankByMeaning: RankByMeaning | null;
  /** Null: no work starts automatically. */
  readonly background: Background | null;
  /** The part of long-term memory that this agent can access, which may contain copies of erased text; null if there is none. */
  readonly memories: MemoryStore | null;
  /** Called when a conversation has grown. */
  readonly onGrown?: (conversation: string) => void;
  /** Recalls memories that are relevant to a prompt; null if there are none. */
  readonly recallFor?: RecallFor;
  /** Restores memories as they were given before. */
  readonly recallAgain?: RecallAgain;
}
