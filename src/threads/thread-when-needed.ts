/**
 * A thread that starts with the first work for it, and again after it stopped by itself. Null where no thread can be started:
 * the work then runs on the caller's thread, which delays everything else there.
 */
import type { Log } from "../log.ts";
import { Thread, type ThreadOptions } from "./thread.ts";

export class ThreadWhenNeeded {
  readonly #options: ThreadOptions;
  readonly #log: Log;
  #thread: Promise<Thread | null> | undefined;
  #resting: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: ThreadOptions, log: Log) {
    this.#options = options;
    this.#log = log;
  }

  async started(): Promise<Thread | null> {
    if (this.#closed) throw this.#options.closed();
    this.#thread ??= this.#start();
    const started = this.#thread;
    const thread = await started;
    if (thread === null || thread.isOpen) return thread;
    if (this.#thread === started) this.#thread = undefined;
    return this.started();
  }

  /** Ends the thread until there is work for it again: for threads that use much memory while idle. */
  rest(): Promise<void> {
    return this.#letGo((thread) => thread.terminate());
  }

  /** Terminates it immediately. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#letGo((thread) => (thread.isIdle ? thread.close() : thread.terminate()));
  }

  #letGo(end: (thread: Thread) => Promise<void>): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    const ended = thread?.then((started) => (started === null ? undefined : end(started)));
    this.#resting = Promise.all([this.#resting, ended]).then(() => {});
    return this.#resting;
  }

  async #start(): Promise<Thread | null> {
    try {
      return await Thread.start(this.#options);
    } catch (error) {
      this.#log.warn(
        { err: error, thread: this.#options.name },
        "a thread could not be started; its work is done here",
      );
      return null;
    }
  }
}
