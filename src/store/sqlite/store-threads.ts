/** The threads that work on a store, as its callers see them. */
import type { Thread } from "../../threads/thread.ts";

export interface StoreThreads {
  readonly writer: Thread;
  /** Whichever thread is free to read. */
  reader(): Promise<Thread>;
  /** The one that only reads, and holds what searching by vectors needs. */
  searcher(): Promise<Thread>;
}
