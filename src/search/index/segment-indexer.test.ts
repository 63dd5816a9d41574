import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../errors.ts";
import { type NumberRun, SegmentIndexer } from "./segment-indexer.ts";

/** Ten documents; each step indexes two of them. The test decides when a step ends. */
class SteppedIndexer extends SegmentIndexer<never, NumberRun> {
  next = 1;
  steps = 0;
  failure: PalimpsestError | undefined;
  readonly #mayGoOn: Promise<void>;

  constructor(mayGoOn: Promise<void> = Promise.resolve()) {
    super();
    this.#mayGoOn = mayGoOn;
  }

  protected async readIndex() {
    return { segments: [], unindexed: this.next > 10 ? [] : [{ first: this.next, last: 10 }] };
  }

  protected async indexFirst(): Promise<number> {
    this.steps++;
    await this.#mayGoOn;
    if (this.failure !== undefined) throw this.failure;
    this.next += 2;
    return 2;
  }

  protected chooseMerge() {
    return [];
  }

  protected async merge() {}
}

describe("bringing an index up to date", () => {
  it("is done once when two ask for it at the same time", async () => {
    const indexer = new SteppedIndexer();
    expect(await Promise.all([indexer.catchUp(), indexer.catchUp()])).toEqual([10, 0]);
    expect(indexer.steps).toBe(5);
  });

  it("is not waited for by whoever cancels, and goes on for the other", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const indexer = new SteppedIndexer(promise);
    const first = indexer.catchUp();
    const abort = new AbortController();
    const second = indexer.catchUp({ signal: abort.signal });
    abort.abort();
    await expect(second).rejects.toMatchObject({ code: "cancelled" });
    expect(indexer.next).toBe(1);
    resolve();
    expect(await first).toBe(10);
  });

  it("goes on after a run that failed", async () => {
    const indexer = new SteppedIndexer();
    indexer.failure = new PalimpsestError("internal", "a fault");
    await expect(indexer.catchUp()).rejects.toThrow("a fault");
    indexer.failure = undefined;
    expect(await indexer.catchUp()).toBe(10);
  });

  it("leaves a store alone that may only be read, before a search", async () => {
    const indexer = new SteppedIndexer();
    indexer.failure = new PalimpsestError("store-readonly", "only for reading");
    await indexer.catchUpIfWritable({});
    await expect(indexer.catchUp()).rejects.toMatchObject({ code: "store-readonly" });
    indexer.failure = new PalimpsestError("internal", "a fault");
    await expect(indexer.catchUpIfWritable({})).rejects.toThrow("a fault");
  });
});
