/** Yields to the event loop when work has blocked it for a while. */
import { setImmediate } from "node:timers/promises";

const LONGEST_MS = 8;

export class GiveWay {
  #since = performance.now();

  async ifDue(): Promise<void> {
    if (performance.now() - this.#since < LONGEST_MS) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
