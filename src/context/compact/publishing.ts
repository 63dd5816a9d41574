/**
 * Publishes summaries. Each is checked and published separately; those that are waiting together are made durable
 * together, so several can be pending. The caller that waits sees a failure.
 */
export type Published = "published" | "conflict";

/** More would only mean more to throw away after a conflict. */
const MOST = 4;

export class Publishing {
  readonly #running: Promise<Published>[] = [];
  #hasConflict = false;

  add(publish: Promise<Published>): void {
    // Until somebody waits for it, the next summary may take minutes.
    publish.catch(() => {});
    this.#running.push(publish);
  }

  /** Waits until one more may be added. */
  room(): Promise<Published> {
    return this.#downTo(MOST - 1);
  }

  all(): Promise<Published> {
    return this.#downTo(0);
  }

  /** Whatever went wrong with one, the others are waited for: what they published is known then. */
  async #downTo(left: number): Promise<Published> {
    let failure: { readonly error: unknown } | undefined;
    while (this.#running.length > (failure === undefined && !this.#hasConflict ? left : 0)) {
      try {
        if ((await this.#running.shift()) === "conflict") this.#hasConflict = true;
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure !== undefined) throw failure.error;
    return this.#hasConflict ? "conflict" : "published";
  }
}
