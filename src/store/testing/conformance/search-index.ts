import { beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_SCOPE } from "../../../types.ts";
import type { DocumentRun, NewSegment } from "../../search-store.ts";
import type { ScopedStore } from "../../store.ts";
import {
  AT,
  conversationIdFor,
  sampleAppend,
  sampleMessage,
  samplePublish,
  sampleSummary,
} from "../sample.ts";
import type { StoreInUse } from "./store-in-use.ts";

const term = (...values: number[]) => Uint8Array.from(values);

function segmentOf(...runs: (DocumentRun & { readonly erased?: number })[]): NewSegment {
  const documents = runs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return {
    documents,
    words: 10,
    earliest: 1_000,
    latest: 2_000,
    columns: term(7, 0, 255),
    runs,
    pages: [
      { firstTerm: term(1, 10), page: term(1) },
      { firstTerm: term(1, 20), page: term(2) },
      { firstTerm: term(2, 0, 255), page: new Uint8Array(10_000).fill(3) },
    ],
  };
}

export function describeSearchIndex(use: StoreInUse): void {
  describe("the search index", () => {
    let scoped: ScopedStore;
    let sessions = 0;

    beforeAll(() => {
      scoped = use.store.scoped({ tenant: "search", agent: "one" });
    });

    /** A conversation with this many messages; its id. */
    async function conversationOf(count: number): Promise<string> {
      const session = `search-${++sessions}`;
      const messages = Array.from({ length: count }, (_, i) => sampleMessage(`${session} ${i}`));
      await scoped.commit([sampleAppend(session, messages)]);
      return conversationIdFor(session);
    }

    async function add(segment: NewSegment | null, replaces: readonly number[] = []): Promise<number> {
      const [result] = await scoped.commit([{ kind: "index", replaces, segment }]);
      return result?.kind === "index" ? (result.segment ?? 0) : 0;
    }

    const messages = (conversation: string, first: number, last: number): DocumentRun => ({
      conversation,
      kind: "message",
      first,
      last,
    });
    const open = async (conversation: string) => (await scoped.searchIndex({ conversation })).unindexed;
    const idsIn = async (store: ScopedStore, conversation?: string) =>
      (await store.searchIndex(conversation === undefined ? {} : { conversation })).segments.map(
        ({ id }) => id,
      );

    it("lists what no segment holds, also between two of them", async () => {
      const id = await conversationOf(10);
      expect(await open(id)).toEqual([messages(id, 1, 10)]);
      await add(segmentOf(messages(id, 3, 5)));
      expect(await open(id)).toEqual([messages(id, 1, 2), messages(id, 6, 10)]);
      await add(segmentOf(messages(id, 8, 8)));
      expect(await open(id)).toEqual([messages(id, 1, 2), messages(id, 6, 7), messages(id, 9, 10)]);
      await add(segmentOf(messages(id, 1, 2), messages(id, 6, 7), messages(id, 9, 10)));
      expect(await open(id)).toEqual([]);
      await scoped.commit([sampleAppend("", [sampleMessage("more")], { address: { id }, create: null })]);
      expect(await open(id)).toEqual([messages(id, 11, 11)]);
    });

    it("gives a segment back as it was", async () => {
      const [a, b] = [await conversationOf(3), await conversationOf(2)];
      const runs = [messages(b, 1, 2), messages(a, 2, 3)];
      const id = await add(segmentOf(...runs));
      expect((await scoped.searchIndex({ conversation: a })).segments).toEqual([
        { id, documents: 4, words: 10, earliest: 1_000, latest: 2_000 },
      ]);
      expect(await idsIn(scoped)).toContain(id);
      const [documents] = await scoped.segmentDocuments([id]);
      expect(documents).toMatchObject({ id, documents: 4, runs });
      expect(Buffer.from(documents?.columns ?? []).equals(term(7, 0, 255))).toBe(true);
    });

    it("finds the pages on which a term may stand", async () => {
      const id = await add(segmentOf(messages(await conversationOf(1), 1, 1)));
      const pagesFor = async (...ranges: [Uint8Array, Uint8Array][]) => {
        const pages = await scoped.searchPages(
          [id],
          ranges.map(([from, to]) => ({ from, to })),
        );
        expect(pages?.every(({ segment }) => segment === id)).toBe(true);
        return pages?.map(({ page }) => page[0]);
      };
      expect(await pagesFor([term(1, 10), term(1, 10)])).toEqual([1]);
      expect(await pagesFor([term(1, 15), term(1, 15)])).toEqual([1]);
      expect(await pagesFor([term(1, 15), term(1, 25)])).toEqual([1, 2]);
      expect(await pagesFor([term(0), term(0, 9)])).toEqual([]);
      expect(await pagesFor([term(0), term(1, 10)])).toEqual([1]);
      expect(await pagesFor([term(9), term(9)])).toEqual([3]);
      expect(await pagesFor([term(), term(255)])).toEqual([1, 2, 3]);
      expect(await pagesFor([term(1, 10), term(1, 11)], [term(1, 12), term(1, 12)])).toEqual([1]);
      const [, , large] = (await scoped.searchPages([id], [{ from: term(), to: term(255) }])) ?? [];
      expect(large?.page.length).toBe(10_000);
      expect(Buffer.from(large?.firstTerm ?? []).equals(term(2, 0, 255))).toBe(true);
    });

    it("puts a merged segment in the place of its parts, once", async () => {
      const id = await conversationOf(4);
      const parts = [await add(segmentOf(messages(id, 1, 2))), await add(segmentOf(messages(id, 3, 4)))];
      const merged = await add(segmentOf(messages(id, 1, 4)), parts);
      expect(await idsIn(scoped, id)).toEqual([merged]);
      expect(await open(id)).toEqual([]);
      await expect(add(segmentOf(messages(id, 1, 4)), parts)).rejects.toMatchObject({ code: "busy" });
      expect(await idsIn(scoped, id)).toEqual([merged]);
      expect(await scoped.searchPages(parts, [{ from: term(), to: term(255) }])).toBeUndefined();
      expect(await scoped.searchPages([merged, ...parts], [])).toBeUndefined();
      expect(await scoped.segmentDocuments(parts)).toEqual([]);
    });

    it("refuses documents of a conversation that was deleted meanwhile", async () => {
      const [id, kept] = [await conversationOf(2), await conversationOf(2)];
      const segment = segmentOf(messages(kept, 1, 2), messages(id, 1, 2));
      const audit = { at: "2026-01-01T00:00:00.000Z", action: "delete", conversation: id, detail: "{}" };
      await scoped.commit([{ kind: "delete-conversation", id, audit }]);
      await expect(add(segment)).rejects.toMatchObject({ code: "busy" });
      expect(await open(kept)).toEqual([messages(kept, 1, 2)]);
    });

    it("refuses a document that another segment holds", async () => {
      const id = await conversationOf(4);
      await add(segmentOf(messages(id, 1, 3)));
      await expect(add(segmentOf(messages(id, 3, 4)))).rejects.toMatchObject({ code: "busy" });
      expect(await open(id)).toEqual([messages(id, 4, 4)]);
    });

    const erase = (id: string, seqs: number[]) =>
      scoped.commit([
        {
          kind: "erase",
          id,
          seqs,
          retold: [],
          lines: [],
          title: null,
          at: AT,
          audit: { at: AT, action: "erase", conversation: id, detail: "{}" },
        },
      ]);

    it("drops every segment that holds something erased, with all its documents (promise: erasable)", async () => {
      const [a, b] = [await conversationOf(3), await conversationOf(3)];
      const summary = sampleSummary([1, 2]);
      await scoped.commit([samplePublish(a, summary)]);
      const ofSummary = { conversation: a, kind: "summary", first: 1, last: 1 } as const;
      const kept = await add(segmentOf(messages(b, 3, 3), messages(a, 3, 3)));
      await add(segmentOf(messages(a, 1, 2), messages(b, 1, 2)));
      await add(segmentOf(ofSummary));
      expect([...(await open(a)), ...(await open(b))]).toEqual([]);
      await erase(a, [2]);
      expect(await idsIn(scoped, a)).toEqual([kept]);
      expect(await open(a)).toEqual([messages(a, 1, 2), ofSummary]);
      expect(await open(b)).toEqual([messages(b, 1, 2)]);
    });

    it("refuses words that were erased while they were read", async () => {
      const id = await conversationOf(3);
      await erase(id, [2]);
      await expect(add(segmentOf({ ...messages(id, 1, 3), erased: 0 }))).rejects.toMatchObject({
        code: "busy",
      });
      await add(segmentOf({ ...messages(id, 1, 3), erased: 1 }));
      expect(await open(id)).toEqual([]);
    });

    it("drops what a deleted conversation was in", async () => {
      const [a, b] = [await conversationOf(2), await conversationOf(2)];
      await add(segmentOf(messages(a, 1, 2), messages(b, 1, 2)));
      const audit = { at: AT, action: "delete-conversation", conversation: a, detail: "{}" };
      await scoped.commit([{ kind: "delete-conversation", id: a, audit }]);
      expect(await idsIn(scoped, b)).toEqual([]);
      expect(await open(b)).toEqual([messages(b, 1, 2)]);
    });

    it("gives documents in the order they are asked for", async () => {
      const [a, b] = [await conversationOf(2), await conversationOf(1)];
      const summary = sampleSummary([1, 2]);
      await scoped.commit([samplePublish(a, summary)]);
      await erase(b, [1]);
      const refs = [
        { conversation: a, kind: "message", number: 2 },
        { conversation: a, kind: "summary", number: 1 },
        { conversation: b, kind: "message", number: 1 },
        { conversation: a, kind: "message", number: 9 },
        { conversation: "conv_0000000000000000", kind: "message", number: 1 },
        { conversation: a, kind: "message", number: 1 },
      ] as const;
      const found = await scoped.documents(refs);
      expect(found.map(({ ref }) => ref)).toEqual([refs[0], refs[1], refs[5]]);
      expect(found.map((one) => ("message" in one ? one.message.seq : one.summary.id))).toEqual([
        2,
        summary.id,
        1,
      ]);
      const texts = await scoped.texts(refs);
      expect(texts.map(({ ref }) => ref)).toEqual([refs[0], refs[1], refs[5]]);
      expect(texts.map(({ format, content }) => [format, content])).toEqual(
        found.map((one) =>
          "message" in one ? [one.message.format, one.message.content] : [null, one.summary.content],
        ),
      );
    });

    it("keeps the index of one agent from every other (promise: scoped)", async () => {
      const id = await conversationOf(1);
      const segment = await add(segmentOf(messages(id, 1, 1)));
      for (const scope of [
        DEFAULT_SCOPE,
        { tenant: "search", agent: "two" },
        { tenant: "other", agent: "one" },
      ]) {
        const other = use.store.scoped(scope);
        expect(await idsIn(other, id)).toEqual([]);
        expect(await other.segmentDocuments([segment])).toEqual([]);
        expect(await other.searchPages([segment], [{ from: term(), to: term(255) }])).toBeUndefined();
        expect((await other.searchIndex({ conversation: id })).unindexed).toEqual([]);
        expect(await other.documents([{ conversation: id, kind: "message", number: 1 }])).toEqual([]);
        expect(await other.texts([{ conversation: id, kind: "message", number: 1 }])).toEqual([]);
        const replace = { kind: "index", replaces: [segment], segment: null } as const;
        await expect(other.commit([replace])).rejects.toMatchObject({ code: "busy" });
      }
      expect(await idsIn(scoped, id)).toEqual([segment]);
    });
  });
}
