/**
 * Counts uses of memories, and moves memories between tiers when due. Recall does not wait for it: uses are
 * collected and written together after the answer, or at the latest when the engine closes.
 */
import { messageOf } from "../../errors.ts";
import type { MemoryWrite, UseWrite } from "../../store/memory-store.ts";
import { isoTime } from "../../text/timestamps.ts";
import { moveTiers } from "../forget/maintain.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";

type Use = Pick<MemoryDependencies, "store" | "clock" | "background" | "log" | "agent">;

export class UseCounter {
  readonly #use: Use;
  #waiting: UseWrite[] = [];
  #flushing: Promise<void> = Promise.resolve();

  constructor(use: Use) {
    this.#use = use;
  }

  count(ids: readonly string[], how: UseWrite["how"]): void {
    if (ids.length === 0) return;
    this.#waiting.push({ kind: "use", ids, how, at: isoTime(this.#use.clock()) });
    this.#use.background?.add(`count uses of memories ${this.#use.agent}`, () => this.flush());
  }

  /** Writes the collected uses. A store that is not writable does not prevent recalls. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const writes: readonly MemoryWrite[] = this.#waiting;
    if (writes.length === 0) return;
    const ids = [...new Set(this.#waiting.flatMap(({ ids }) => ids))];
    this.#waiting = [];
    try {
      await this.#use.store.commit(writes);
      await moveTiers(await this.#use.store.memoriesById(ids), this.#use);
    } catch (error) {
      this.#use.log.warn({ problem: messageOf(error) }, "uses of memories were not counted");
    }
  }
}
