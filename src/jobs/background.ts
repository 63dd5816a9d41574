/**
 * Background work that no caller waits for. One job per name runs at a time; of the jobs waiting under one name, only the
 * newest is kept. A host can let it run automatically, run it, await it, or turn it off.
 */
import { isPalimpsestError } from "../errors.ts";
import type { Log } from "../log.ts";

type Job = (signal: AbortSignal) => Promise<void>;

interface BackgroundOptions {
  /** `auto`: jobs start by themselves. `manual`: they wait for `run()`. */
  readonly mode: "auto" | "manual";
  readonly log: Log;
}

export class Background {
  readonly #options: BackgroundOptions;
  readonly #abort = new AbortController();
  readonly #waiting = new Map<string, Job>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** Jobs that wait or run. */
  get size(): number {
    return this.#waiting.size + this.#running.size;
  }

  /** Replaces a waiting job of this name, because the newer one knows more. */
  add(name: string, job: Job): void {
    if (this.#abort.signal.aborted) return;
    const isNew = !this.#waiting.has(name);
    this.#waiting.set(name, job);
    if (isNew && this.#options.mode === "auto") setImmediate(() => this.#start(name));
  }

  /** Runs the waiting jobs, and resolves when none is left. */
  async run(): Promise<void> {
    while (this.size > 0 && !this.#abort.signal.aborted) {
      for (const name of [...this.#waiting.keys()]) this.#start(name);
      await Promise.all(this.#running.values());
    }
  }

  /** Resolves when a job of this name neither waits nor runs. */
  async finished(name: string): Promise<void> {
    while (this.#waiting.has(name) || this.#running.has(name)) {
      this.#start(name);
      await this.#running.get(name);
    }
  }

  /** Stops running jobs at their next safe point and drops the waiting ones. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }

  #start(name: string): void {
    const job = this.#waiting.get(name);
    if (job === undefined || this.#running.has(name)) return;
    this.#waiting.delete(name);
    const ended = job(this.#abort.signal)
      .catch((error: unknown) => this.#report(name, error))
      .finally(() => {
        this.#running.delete(name);
        if (this.#options.mode === "auto") this.#start(name);
      });
    this.#running.set(name, ended);
  }

  /** No caller waits for the result, so it is logged. Another process doing the same work is not a problem. */
  #report(name: string, error: unknown): void {
    const { log } = this.#options;
    if (isPalimpsestError(error, "busy") || isPalimpsestError(error, "cancelled"))
      log.debug({ job: name, code: error.code }, "background work left to others");
    else log.warn({ job: name, err: error }, "background work failed");
  }
}
