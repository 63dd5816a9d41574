/**
 * Publishes summaries. Each is checked and published separately; those that are waiting together are made durable
 * together, so several can be pending. A failure is reported to the caller that waits.
 */
export type Published = "published" | "conflict";

/** More would only increase the work lost after a conflict. */
const MOST = 4;

export class Publishing {
  readonly #running: Promise<Published>[] = [];
  #hasConflict = false;

  add(publish: Promise<Published>): void {
    // Avoids an unhandled rejection: the next summary may take minutes before the result is awaited.
    publish.catch(() => {});
    this.#running.push(publish);
  }

  /** Waits until another summary may be added. */
  room(): Promise<Published> {
    return this.#downTo(MOST - 1);
  }

  all(): Promise<Published> {
    return this.#downTo(0);
  }

  /** After a failure the others are still awaited, so that their results are known. */
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
