/**
 * Takes transcripts in as they grow: one import of a file at a time, and however many events ask for it meanwhile, one
 * more after it. Nobody has to wait for it, and a failure is made good by the next one.
 */
import { existsSync } from "node:fs";
import type { Engine } from "../engine.ts";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";

export class Captures {
  readonly #open: () => Promise<Engine>;
  readonly #log: Log;
  readonly #running = new Map<string, Promise<void>>();
  /** Every file that was asked for. */
  readonly files = new Set<string>();
  readonly #next = new Map<string, Promise<void>>();

  constructor(open: () => Promise<Engine>, log: Log) {
    this.#open = open;
    this.#log = log;
  }

  /** Resolves when everything that is in the file now is on record, or has failed. Never throws. */
  capture(file: string): Promise<void> {
    this.files.add(file);
    const running = this.#running.get(file);
    if (running === undefined) return this.#start(file);
    const known = this.#next.get(file);
    if (known !== undefined) return known;
    const next = running.then(() => {
      this.#next.delete(file);
      return this.#start(file);
    });
    this.#next.set(file, next);
    return next;
  }

  /** Until nothing is being taken in. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values(), ...this.#next.values()]);
  }

  #start(file: string): Promise<void> {
    const started = this.#import(file).finally(() => this.#running.delete(file));
    this.#running.set(file, started);
    return started;
  }

  async #import(file: string): Promise<void> {
    // A host names the file before it writes to it.
    if (!existsSync(file)) return;
    try {
      const engine = await this.#open();
      await engine.context.conversations.import(file, { follow: true });
    } catch (error) {
      this.#log.warn(
        { file, problem: messageOf(error) },
        "a transcript was not taken in; the next event tries again",
      );
    }
  }
}
