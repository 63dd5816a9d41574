import { PalimpsestError } from "../../errors.ts";
import { Thread } from "../../threads/thread.ts";
import { storeClosed } from "../store-errors.ts";
import type { DatabaseOptions } from "./database.ts";

/** A thread's values live for one request; a larger nursery would only hold more of what is done with. */
const YOUNG_GENERATION_MB = 8;

/** Starts a thread that owns one connection. `calls.ts` and `worker.ts` say what it can be asked. */
export function startThread(options: DatabaseOptions): Promise<Thread> {
  return Thread.start({
    file: "./worker",
    beside: import.meta.url,
    name: "palimpsest-sqlite",
    data: options,
    youngGenerationMb: YOUNG_GENERATION_MB,
    closed: storeClosed,
    stopped: (cause) => new PalimpsestError("store-unavailable", "the store's thread has stopped", { cause }),
  });
}

/** The threads that work on a store, as its callers see them. */
export interface StoreThreads {
  readonly writer: Thread;
  /** Whichever thread is free to read. */
  reader(): Promise<Thread>;
  /** The one that only reads, and holds what searching by vectors needs. */
  searcher(): Promise<Thread>;
}
