/** Captures automatically after turns, in the background. A conversation is never captured twice at a time. */
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { CaptureInput } from "./capture.ts";

export class AutoCapture {
  readonly #use: Pick<MemoryDependencies, "background" | "settings" | "store">;
  readonly #capture: (input: CaptureInput) => Promise<unknown>;

  constructor(
    use: Pick<MemoryDependencies, "background" | "settings" | "store">,
    capture: (input: CaptureInput) => Promise<unknown>,
  ) {
    this.#use = use;
    this.#capture = capture;
  }

  afterTurn(conversation: string): void {
    const { background, settings, store } = this.#use;
    const { scopes } = store.access;
    if (!settings.autoCapture || (Array.isArray(scopes) && scopes.length === 0)) return;
    background?.add(`capture ${conversation}`, async (signal) => {
      await this.#capture({ conversation, signal });
    });
  }
}
