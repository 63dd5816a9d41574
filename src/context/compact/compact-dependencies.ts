/** The dependencies of a compaction. */
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

/** Why a compaction runs, as reported in events and logs. */
export type CompactionTrigger = "manual" | "threshold" | "overflow" | "incremental";

export interface CompactDependencies {
  readonly store: ScopedStore;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly countTokens: CountTokens;
  readonly complete: Complete | null;
  /** The values that the host passed with its calls. */
  readonly calls: CallFacts;
  readonly chunkOpener: ChunkOpener;
  readonly settings: CompactionSettings;
  readonly log: Log;
  readonly observe: Observe;
  /** If given, a model first describes the files shown in the context, because a compaction changes the prefix anyway. */
  readonly describeFiles?: (conversation: string, limits: DescribeLimits) => Promise<void>;
}
