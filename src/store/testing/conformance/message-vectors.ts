import { beforeAll, describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { limitScope } from "../../limited-store.ts";
import { EVERY_SCOPE } from "../../memory-store.ts";
import type { EmbeddedMessage, NearestMessagesQuery } from "../../message-vectors.ts";
import type { DocumentRef } from "../../search-store.ts";
import type { ScopedStore } from "../../store.ts";
import { AT, conversationIdFor, sampleAppend, sampleMessage } from "../sample.ts";
import { remember, sampleMemory } from "../sample-memory.ts";
import { clusteredVectors, cosine, unitVector } from "../sample-vectors.ts";
import type { StoreInUse } from "./store-in-use.ts";

const MANY = 2_500;
const TENANT = "message-vectors";

export function describeMessageVectors(use: StoreInUse): void {
  describe("vectors of messages", () => {
    let store: ScopedStore;
    let sessions = 0;

    beforeAll(() => {
      store = use.store.scoped({ tenant: TENANT, agent: "one" });
    });

    async function conversationOf(count: number, of = store): Promise<string> {
      const session = `embedded-${++sessions}`;
      const messages = Array.from({ length: count }, (_, i) => sampleMessage(`${session} ${i}`));
      await of.commit([sampleAppend(session, messages)]);
      return conversationIdFor(session);
    }

    const embed = async (
      id: string,
      [first, last]: readonly [number, number],
      messages: readonly EmbeddedMessage[],
      { model = "one", of = store } = {},
    ) => {
      const [result] = await of.commit([{ kind: "embed", id, model, first, last, messages }]);
      return result;
    };
    const passages = (...vectors: Float32Array[]) => vectors;
    const refTo = (conversation: string, number: number): DocumentRef => ({
      conversation,
      kind: "message",
      number,
    });
    const nearest = async (query: Partial<NearestMessagesQuery> & Pick<NearestMessagesQuery, "vector">) =>
      (await store.nearestMessages({ model: "one", limit: 10, ...query })).map(({ ref, cosine }) => [
        ref.conversation,
        ref.number,
        Number(cosine.toFixed(3)),
      ]);
    const erase = (id: string, seqs: readonly number[]) =>
      store.commit([
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
    const remove = (id: string) =>
      store.commit([
        {
          kind: "delete-conversation",
          id,
          audit: { at: AT, action: "delete-conversation", conversation: id, detail: "{}" },
        },
      ]);

    it("come in their order, and how far that has come is known for each model", async () => {
      const id = await conversationOf(5);
      const open = (model: string) => store.unembedded(model, { conversations: [id] });
      expect(await open("one")).toEqual([{ conversation: id, first: 1, last: 5 }]);
      const vectors = passages(unitVector(1, 8), unitVector(2, 8));
      expect(await embed(id, [1, 3], [{ seq: 2, vectors }])).toEqual({ kind: "embed", messages: 1 });
      expect(await open("one")).toEqual([{ conversation: id, first: 4, last: 5 }]);
      expect(await open("other")).toEqual([{ conversation: id, first: 1, last: 5 }]);
      expect(await embed(id, [4, 5], [])).toEqual({ kind: "embed", messages: 0 });
      expect(await open("one")).toEqual([]);
      expect(await embed(id, [1, 2], [], { model: "wordless" })).toEqual({ kind: "embed", messages: 0 });
      expect(await open("wordless")).toEqual([{ conversation: id, first: 3, last: 5 }]);
      const refs = [refTo(id, 1), refTo(id, 2), { ...refTo(id, 2), kind: "summary" as const }];
      expect(await store.messageVectors("one", refs)).toEqual([[], vectors, []]);
      expect(await store.messageVectors("wordless", refs)).toEqual([[], [], []]);
      await store.commit([sampleAppend(`embedded-${sessions}`, [sampleMessage("one more")])]);
      expect(await open("one")).toEqual([{ conversation: id, first: 6, last: 6 }]);
    });

    it("lists the oldest conversations first, as many as wanted", async () => {
      const other = use.store.scoped({ tenant: TENANT, agent: "waiting" });
      const ids = [await conversationOf(1, other), await conversationOf(2, other)];
      expect((await other.unembedded("one")).map(({ conversation }) => conversation)).toEqual(ids);
      expect(await other.unembedded("one", { limit: 1 })).toHaveLength(1);
      expect(await other.unembedded("one", { conversations: [] })).toEqual([]);
    });

    it("are refused where others were faster, where there is nothing, and where lengths differ", async () => {
      const id = await conversationOf(4);
      await embed(id, [1, 2], [{ seq: 1, vectors: [unitVector(3, 8)] }]);
      for (const range of [
        [1, 2],
        [2, 3],
        [4, 4],
        [3, 5],
      ] as const)
        await expect(embed(id, range, [])).rejects.toSatisfy((error) => isPalimpsestError(error, "busy"));
      const longer = embed(id, [3, 3], [{ seq: 3, vectors: [unitVector(3, 16)] }]);
      await expect(longer).rejects.toSatisfy((error) => isPalimpsestError(error, "invalid-input"));
      expect(await store.unembedded("one", { conversations: [id] })).toEqual([
        { conversation: id, first: 3, last: 4 },
      ]);
      const foreign = use.store.scoped({ tenant: TENANT, agent: "two" });
      const theirs = embed(id, [3, 3], [], { of: foreign });
      await expect(theirs).rejects.toSatisfy((error) => isPalimpsestError(error, "not-found"));
    });

    it("are found by the nearest passage, within the conversations and the agent that are asked for", async () => {
      const [a, b] = [await conversationOf(3), await conversationOf(3)];
      const question = unitVector(50, 8);
      const far = question.map((value) => -value);
      await embed(a, [1, 3], [{ seq: 1, vectors: [far, question] }]);
      await embed(b, [1, 3], [{ seq: 3, vectors: [question] }]);
      expect((await nearest({ vector: question, limit: 2 })).toSorted()).toEqual(
        [
          [a, 1, 1],
          [b, 3, 1],
        ].toSorted(),
      );
      expect(await nearest({ vector: question, conversations: [b] })).toEqual([[b, 3, 1]]);
      expect(await nearest({ vector: question, conversations: [] })).toEqual([]);
      expect(await nearest({ vector: question, model: "unknown" })).toEqual([]);
      expect(await nearest({ vector: unitVector(50, 16) })).toEqual([]);
      const foreign = use.store.scoped({ tenant: TENANT, agent: "two" });
      expect(await foreign.nearestMessages({ model: "one", vector: question, limit: 5 })).toEqual([]);
      expect(await foreign.messageVectors("one", [refTo(b, 3)])).toEqual([[]]);
      const limited = limitScope(store, () => new Set([b]));
      const found = await limited.nearestMessages({ model: "one", vector: question, limit: 5 });
      expect(found.map(({ ref }) => ref)).toEqual([refTo(b, 3)]);
      expect(await limited.messageVectors("one", [refTo(a, 1), refTo(b, 3)])).toEqual([[], [question]]);
      expect(
        await limited.nearestMessages({ model: "one", vector: question, limit: 5, conversations: [a] }),
      ).toEqual([]);
    });

    it("go with what is erased or deleted, in the same commit, and do not come back", async () => {
      const [id, gone] = [await conversationOf(3), await conversationOf(2)];
      const [kept, erased] = [unitVector(60, 8), unitVector(61, 8)];
      await embed(
        id,
        [1, 2],
        [
          { seq: 1, vectors: [kept] },
          { seq: 2, vectors: [erased] },
        ],
      );
      await embed(gone, [1, 2], [{ seq: 2, vectors: [erased] }]);
      const before = (await use.store.info()).messageVectors;
      await erase(id, [2, 3]);
      await remove(gone);
      expect((await use.store.info()).messageVectors).toBe(before - 2);
      expect(await nearest({ vector: erased, conversations: [id, gone] })).toEqual([
        [id, 1, Number(cosine(kept, erased).toFixed(3))],
      ]);
      expect(await store.messageVectors("one", [refTo(id, 2), refTo(gone, 2)])).toEqual([[], []]);
      // Embedded before it was erased, and written after.
      expect(await embed(id, [3, 3], [{ seq: 3, vectors: [erased] }])).toEqual({
        kind: "embed",
        messages: 0,
      });
      expect(await store.messageVectors("one", [refTo(id, 3)])).toEqual([[]]);
    });

    it("are apart from those of memories, also where their numbers are the same", async () => {
      const memories = use.store.memoriesOf({ tenant: TENANT, scopes: EVERY_SCOPE });
      const vector = unitVector(70, 8);
      const memory = await remember(memories, sampleMemory("global"), {
        vectors: { model: "one", vectors: [vector] },
      });
      const id = await conversationOf(1);
      await embed(id, [1, 1], [{ seq: 1, vectors: [unitVector(71, 8)] }]);
      await remove(id);
      expect(await memories.memoryVectors("one", [memory])).toEqual([[vector]]);
      expect((await memories.vectorCounts())[0]).toMatchObject({ model: "one", memories: 1, vectors: 1 });
    });

    it("are counted for each model", async () => {
      const other = use.store.scoped({ tenant: TENANT, agent: "counted" });
      const id = await conversationOf(3, other);
      await embed(
        id,
        [1, 3],
        [
          { seq: 1, vectors: [unitVector(1, 8), unitVector(2, 8)] },
          { seq: 3, vectors: [unitVector(3, 8)] },
        ],
        { of: other },
      );
      expect(await other.messageVectorCounts()).toEqual([
        { model: "one", dimensions: 8, messages: 2, vectors: 3 },
      ]);
    });

    it("are found among many as measuring all of them does, also after a restart", async () => {
      const id = await conversationOf(MANY);
      const shape = { clusters: 40, dimensions: 384, seed: 9 };
      const vectors = clusteredVectors({ count: MANY, ...shape });
      const messages = vectors.map((vector, i) => ({ seq: i + 1, vectors: [vector] }));
      await embed(id, [1, MANY], messages, { model: "many" });
      const questions = clusteredVectors({ count: 5, skip: MANY, ...shape });
      const found = async () =>
        Promise.all(
          questions.map(async (vector) =>
            (await store.nearestMessages({ model: "many", vector, limit: 20 })).map(({ ref }) => ref.number),
          ),
        );
      const exact = questions.map((question) =>
        vectors
          .map((vector, i) => ({ seq: i + 1, cosine: cosine(question, vector) }))
          .toSorted((a, b) => b.cosine - a.cosine)
          .slice(0, 20)
          .map(({ seq }) => seq),
      );
      expect(await found()).toEqual(exact);
      await erase(id, exact.flat());
      await use.reopen();
      store = use.store.scoped({ tenant: TENANT, agent: "one" });
      const left = (await found()).flat();
      expect(left).toHaveLength(100);
      expect(left.filter((seq) => exact.flat().includes(seq))).toEqual([]);
    });
  });
}
