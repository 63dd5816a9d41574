/**
 * Reports changes by any process to viewers. One reader polls the newest rows of a tenant and agent twice a second
 * for all of their viewers, and only while there are any. So a viewer costs only the bytes that it is sent,
 * and both databases work alike.
 */
import type { Engine } from "../engine.ts";
import { type Change, StoreChanges } from "../operations/store/store-changes.ts";

const PAUSE_MS = 500;
/** Receives the serialised event, which is created once for all viewers. */
type Listener = (event: string) => void;

export class ChangeFeed {
  readonly #changes: StoreChanges;
  readonly #report: (error: unknown) => void;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | undefined;

  constructor(engine: Engine, report: (error: unknown) => void) {
    this.#changes = new StoreChanges(engine);
    this.#report = report;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** Resolves when all later changes will be reported. */
  async listen(listener: Listener): Promise<() => void> {
    if (this.#listeners.size === 0) await this.#changes.look();
    this.#listeners.add(listener);
    this.#timer ??= setTimeout(() => this.#turn(), PAUSE_MS);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #turn(): Promise<void> {
    const own = this.#timer;
    try {
      const change = await this.#changes.look();
      if (Object.values(change).some((changed) => changed.length > 0)) this.#tell(change);
    } catch (error) {
      // The next poll may succeed; other calls also report a store that is closed or busy.
      this.#report(error);
    }
    // If all viewers left and new ones came meanwhile, another timer is running.
    if (own !== undefined && this.#timer === own) this.#timer = setTimeout(() => this.#turn(), PAUSE_MS);
  }

  #tell(change: Change): void {
    const event = `event: change\ndata: ${JSON.stringify(change)}\n\n`;
    for (const listener of this.#listeners) listener(event);
  }
}
