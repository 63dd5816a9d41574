/** What a compaction works with. */
import type { Observe } from "../../events.ts";
import type { Log } from "../../log.ts";
import type { Complete } from "../../model/complete.ts";
import type { ScopedStore } from "../../store/store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import type { Clock, RandomBytes } from "../../types.ts";
import type { CallFacts } from "../call-facts.ts";
import type { DescribeLimits } from "../files/describe-by-model.ts";
import type { ChunkOpener } from "./chunks/chunk-opener.ts";
import type { CompactionSettings } from "./plan/compaction-settings.ts";

/** Why a compaction runs, as its events and logs say it. */
export type CompactionTrigger = "manual" | "threshold" | "overflow" | "incremental";

export interface CompactDependencies {
  readonly store: ScopedStore;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly countTokens: CountTokens;
  readonly complete: Complete | null;
  /** What the host said with its calls. */
  readonly calls: CallFacts;
  readonly chunkOpener: ChunkOpener;
  readonly settings: CompactionSettings;
  readonly log: Log;
  readonly observe: Observe;
  /** Given: a model first describes the files shown in the context, because a compaction changes what is sent in any case. */
  readonly describeFiles?: (conversation: string, limits: DescribeLimits) => Promise<void>;
}
