/** The dependencies of memory, provided by the engine. Memory does not depend on a database, a provider or a host. */
import type { Config } from "../config/schema.ts";
import type { Observe } from "../events.ts";
import type { Background } from "../jobs/background.ts";
import type { Log } from "../log.ts";
import type { Complete } from "../model/complete.ts";
import type { Embedder } from "../model/embed/embedder.ts";
import type { Rerank } from "../model/rerank/rerank.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import type { CountTokens } from "../text/estimate-tokens.ts";
import type { Clock, RandomBytes, Role } from "../types.ts";

export type MemorySettings = Pick<
  Config,
  | "memoryScope"
  | "memoryAccess"
  | "autoCapture"
  | "captureAssistant"
  | "captureMinMessages"
  | "captureMaxTokens"
  | "captureMaxPerHour"
  | "captureSkipLowValue"
  | "admission"
  | "autoRecall"
  | "autoRecallMaxItems"
  | "autoRecallMaxTokens"
  | "autoRecallTimeoutMs"
  | "recallMode"
  | "recallDiversity"
>;

/** A message, for capturing and for showing the source of a memory. */
export interface Said {
  /** msg_… */
  readonly id: string;
  readonly conversation: string;
  readonly seq: number;
  readonly role: Role;
  readonly createdAt: string;
  /** Its text without tool calls, results and reasoning. Null once erased. */
  readonly text: string | null;
}

/** Messages of a range, oldest first; missing ones are left out. Throws `not-found` for an unknown conversation. */
/** `isEnough` is called with each page and can end the reading. */
type ReadSaid = (
  conversation: string,
  range: {
    readonly from: number;
    readonly to?: number;
    readonly isEnough?: (page: readonly Said[]) => boolean;
  },
) => Promise<readonly Said[]>;

export interface MemoryDependencies {
  readonly store: MemoryStore;
  /** The agent that the memory belongs to; its own scope is `agent:<agent>`. */
  readonly agent: string;
  readonly settings: MemorySettings;
  /** Null: only words are searched. */
  readonly embedder: Embedder | null;
  /** The embedder of stored embeddings, by their model name; null when it cannot be reached. */
  readonly reopenEmbedder: (model: string) => Embedder | null;
  readonly rerank: Rerank | null;
  /** Null: capture uses rules, and no data leaves the machine. */
  readonly complete: Complete | null;
  readonly readSaid: ReadSaid;
  /** The id of a conversation, by its id or its session id. Throws `not-found`. */
  readonly findConversation: (reference: string) => Promise<string>;
  /** Ids of the conversations started in this folder or below it. */
  readonly conversationsOf: (project: string) => Promise<ReadonlySet<string>>;
  /** The folder that a conversation was started in; null when it is unknown. */
  readonly projectOf: (conversation: string) => Promise<string | null>;
  /** Null: nothing runs in the background. */
  readonly background: Background | null;
  readonly countTokens: CountTokens;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly observe: Observe;
}
