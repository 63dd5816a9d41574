import { PalimpsestError } from "../../errors.ts";
import { Thread } from "../../threads/thread.ts";
import { storeClosed } from "../store-errors.ts";
import type { DatabaseOptions } from "./database.ts";

/** A thread's values live for one request; a larger nursery would only keep more garbage. */
const YOUNG_GENERATION_MB = 8;

/** Starts a thread that owns one connection. `calls.ts` and `worker.ts` define its calls. */
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

/** The threads of a store, for its callers. */
export interface StoreThreads {
  readonly writer: Thread;
  /** Any thread that is free to read. */
  reader(): Promise<Thread>;
  /** The read-only one, which caches the data for vector searches. */
  searcher(): Promise<Thread>;
}
