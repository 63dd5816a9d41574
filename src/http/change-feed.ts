/**
 * Tells viewers what changed, by whatever process. One reader looks at what is newest of a tenant and agent twice a second
 * for all of their viewers, and not at all while there are none. So a viewer costs nothing but the bytes that it is sent,
 * and both databases work alike.
 */
import type { Engine } from "../engine.ts";
import { type Change, StoreChanges } from "../operations/store/store-changes.ts";

const PAUSE_MS = 500;
/** Is given the event as it is sent, which is written once for all viewers. */
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

  /** Resolves once later changes will be told. */
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
      // The next look may succeed; a store that is closed or busy says so to every other call as well.
      this.#report(error);
    }
    // Whoever left and came meanwhile has begun another round.
    if (own !== undefined && this.#timer === own) this.#timer = setTimeout(() => this.#turn(), PAUSE_MS);
  }

  #tell(change: Change): void {
    const event = `event: change\ndata: ${JSON.stringify(change)}\n\n`;
    for (const listener of this.#listeners) listener(event);
  }
}
