/** A token bucket for each name. Full buckets are removed, so that names cannot exhaust memory. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

const MOST_BUCKETS = 10_000;

export class RateLimit {
  readonly #rate: Rate;
  readonly #clock: () => number;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(rate: Rate, clock: () => number) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** Seconds to wait; 0 if the call is allowed. */
  take(name: string): number {
    const { perSecond, burst } = this.#rate;
    const now = this.#clock();
    const bucket = this.#buckets.get(name) ?? { left: burst, at: now };
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond);
    bucket.at = now;
    if (!this.#buckets.has(name)) this.#add(name, bucket);
    if (bucket.left < 1) return Math.ceil((1 - bucket.left) / perSecond);
    bucket.left--;
    return 0;
  }

  #add(name: string, bucket: { left: number; at: number }): void {
    if (this.#buckets.size >= MOST_BUCKETS) {
      const [oldest = name] = this.#buckets.keys();
      this.#buckets.delete(oldest);
    }
    this.#buckets.set(name, bucket);
  }
}
