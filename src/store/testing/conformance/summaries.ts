import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { DEFAULT_SCOPE } from "../../../types.ts";
import type { LineageOf } from "../../lineage.ts";
import { hashSummaryText, merkleRoot } from "../../seal.ts";
import {
  type NewSummary,
  ORDINAL_GAP,
  type ReindexWrite,
  type StoredSummary,
  type WindowItem,
  type WindowQuery,
} from "../../store.ts";
import { AT, conversationIdFor, onlyResult, sampleMessage, samplePublish, sampleSummary } from "../sample.ts";
import { belongsTo, collect, contextOf, feed, readMessages, verifyChain } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

const NO_LINEAGE = { inContext: false, above: [], madeFrom: { messages: [], summaries: [] }, below: [] };

function withoutHeld(item: WindowItem, held: { seqs: number[]; summaries: string[] }): WindowItem {
  if (item.type === "message") return held.seqs.includes(item.seq) ? { ...item, message: null } : item;
  return held.summaries.includes(item.id) ? { ...item, summary: null } : item;
}

export function describeSummaries(use: StoreInUse): void {
  const { append, newSession } = use;

  describe("summaries", () => {
    const publish = async (id: string, summary: NewSummary) =>
      onlyResult(await use.scoped.commit([samplePublish(id, summary)]), "publish");

    /** A conversation of 12 messages covered by two leaves and one condensed summary. */
    async function threeLevels() {
      const session = newSession();
      const id = conversationIdFor(session);
      const messages = Array.from({ length: 12 }, (_, i) => sampleMessage(`k${i + 1}`));
      await append(session, messages);
      const [a, b, c] = [sampleSummary([1, 2, 3, 4]), sampleSummary([5, 6, 7]), sampleSummary([8, 9])];
      for (const leaf of [a, b, c]) await publish(id, leaf);
      const top = sampleSummary([a.id, b.id]);
      await publish(id, top);
      return { session, id, a, b, c, top };
    }

    it("are counted, and so is what the contexts take with them", async () => {
      const before = await use.store.info();
      const { id } = await threeLevels();
      const after = await use.store.info();
      expect(after.summaries - before.summaries).toBe(4);
      const added = (await use.scoped.conversation({ id }))?.contextTokens ?? 0;
      expect(after.contextTokens - before.contextTokens).toBe(added);
    });

    it("take the place of their sources, and know what they cover at any depth", async () => {
      const { id, a, b, c, top } = await threeLevels();
      expect(await contextOf(use.scoped, id)).toEqual([top.id, c.id, 10, 11, 12]);
      const messages = await readMessages(use.scoped, id);
      const leaf = await use.scoped.summary(b.id);
      expect(leaf).toMatchObject({
        kind: "leaf",
        depth: 0,
        firstSeq: 5,
        lastSeq: 7,
        messageCount: 3,
        descendantCount: 0,
      });
      expect(leaf?.sources).toEqual({ type: "messages", seqs: [5, 6, 7] });
      expect(leaf?.merkleRoot).toBe(merkleRoot(messages.slice(4, 7).map((message) => message.hash)));
      const above = await use.scoped.summary(top.id);
      expect(above).toMatchObject({
        kind: "condensed",
        depth: 1,
        firstSeq: 1,
        lastSeq: 7,
        messageCount: 7,
        sourceTokenCount: 21,
        descendantCount: 2,
        descendantTokenCount: a.tokenCount + b.tokenCount,
        content: top.content,
      });
      expect(above?.sources).toEqual({ type: "summaries", ids: [a.id, b.id] });
      const { rows } = await use.scoped.summaries(id, {});
      expect(rows.map((summary) => summary.id)).toEqual([a.id, b.id, c.id, top.id]);
      const outlines = await use.scoped.summaryOutlines(id, { from: 1, limit: 3 });
      expect(outlines.rows.map((summary) => [summary.id, summary.depth, summary.sourceIds])).toEqual([
        [b.id, 0, []],
        [c.id, 0, []],
        [top.id, 1, [a.id, b.id]],
      ]);
      expect((await use.scoped.summaryOutlines(id, { limit: 2 })).next).toBe(2);
      expect(Object.keys(outlines.rows[0] ?? {})).not.toContain("content");
    });

    it("are found from below, and measured from above, level by level", async () => {
      const { id, a, b, c, top } = await threeLevels();
      const peak = sampleSummary([top.id]);
      await publish(id, peak);
      const idsOver = async (of: LineageOf) =>
        (await use.scoped.lineage(id, of)).above.map(({ summary }) => summary.id);
      expect(await idsOver({ seq: 6 })).toEqual([b.id, top.id, peak.id]);
      expect(await idsOver({ seq: 12 })).toEqual([]);
      expect(await idsOver({ summary: a.id })).toEqual([top.id, peak.id]);
      expect(await idsOver({ summary: b.id })).toEqual([top.id, peak.id]);
      expect(await idsOver({ summary: c.id })).toEqual([]);
      expect(await idsOver({ summary: top.id })).toEqual([peak.id]);
      expect(await idsOver({ summary: peak.id })).toEqual([]);
      const belowOf = async (summary: string) => (await use.scoped.lineage(id, { summary })).below;
      expect(await belowOf(peak.id)).toEqual([
        { depth: 1, summaries: 1, tokens: top.tokenCount },
        { depth: 0, summaries: 2, tokens: a.tokenCount + b.tokenCount },
      ]);
      expect(await belowOf(top.id)).toEqual([
        { depth: 0, summaries: 2, tokens: a.tokenCount + b.tokenCount },
      ]);
      expect(await belowOf(a.id)).toEqual([]);
    });

    it("are outlined without their text to whoever asks what was made from something", async () => {
      const { id, b, top } = await threeLevels();
      const { above } = await use.scoped.lineage(id, { seq: 6 });
      const stored = await Promise.all([b, top].map((one) => use.scoped.summary(one.id)));
      const outlines = stored.map((one) => {
        const { content, contentHash: _hash, merkleRoot: _root, sources, ...facts } = one as StoredSummary;
        const sourceIds = sources.type === "summaries" ? sources.ids : [];
        return { ...facts, sourceIds, isErased: content === null };
      });
      expect(above).toEqual([
        { summary: outlines[0], inContext: false },
        { summary: outlines[1], inContext: true },
      ]);
    });

    it("name what they were made from, and whether they are in the context", async () => {
      const { id, a, b, c, top } = await threeLevels();
      const [leaf, condensed, raw, covered] = await Promise.all(
        [{ summary: b.id }, { summary: top.id }, { seq: 12 }, { seq: 6 }].map((of) =>
          use.scoped.lineage(id, of),
        ),
      );
      const messages = await readMessages(use.scoped, id);
      expect(leaf?.inContext).toBe(false);
      expect(leaf?.madeFrom).toEqual({
        messages: messages.slice(4, 7).map(({ seq, role, tokenCount }) => ({ seq, role, tokenCount })),
        summaries: [],
      });
      expect(condensed?.inContext).toBe(true);
      expect(condensed?.madeFrom.messages).toEqual([]);
      expect(condensed?.madeFrom.summaries).toEqual([
        { id: a.id, firstSeq: 1, lastSeq: 4, tokenCount: a.tokenCount, wholeTokenCount: a.tokenCount + 12 },
        { id: b.id, firstSeq: 5, lastSeq: 7, tokenCount: b.tokenCount, wholeTokenCount: b.tokenCount + 9 },
      ]);
      expect([raw?.inContext, covered?.inContext]).toEqual([true, false]);
      expect((await use.scoped.lineage(id, { summary: c.id })).inContext).toBe(true);
    });

    it("have no lineage where they are not", async () => {
      const { id } = await threeLevels();
      for (const of of [{ summary: "sum_0000000000000000" }, { seq: 999 }])
        expect(await use.scoped.lineage(id, of)).toEqual(NO_LINEAGE);
    });

    it("are found by an id with a slip in it, inside their scope", async () => {
      const { a } = await threeLevels();
      const other = (digit: string) => (digit === "0" ? "1" : "0");
      const early = `${a.id.slice(0, 5)}${other(a.id[5] ?? "")}${a.id.slice(6)}`;
      const late = `${a.id.slice(0, -1)}${other(a.id.at(-1) ?? "")}`;
      expect(await use.scoped.similarSummaryIds(early)).toContain(a.id);
      expect(await use.scoped.similarSummaryIds(late)).toContain(a.id);
      expect(await use.scoped.similarSummaryIds("sum_zzzzzzzzzzzzzzzz")).toEqual([]);
      for (const scope of [
        { tenant: "other", agent: "default" },
        { tenant: use.scoped.scope.tenant, agent: "other" },
      ])
        expect(await use.store.scoped(scope).similarSummaryIds(a.id)).toEqual([]);
    });

    it("are named by how their ids begin, as conversations are, inside their scope", async () => {
      const { id, a } = await threeLevels();
      expect(await use.scoped.idsBeginning(a.id.slice(0, 12))).toEqual([a.id]);
      expect(await use.scoped.idsBeginning(id.slice(0, 12))).toEqual([id]);
      expect(await use.scoped.idsBeginning("sum_%")).toEqual([]);
      const other = { tenant: use.scoped.scope.tenant, agent: "other" };
      expect(await use.store.scoped(other).idsBeginning(a.id)).toEqual([]);
    });

    it("keep the size of the context in step", async () => {
      const { id, c, top } = await threeLevels();
      const conversation = await use.scoped.conversation({ id });
      expect(conversation).toMatchObject({
        contextItems: 5,
        contextTokens: top.tokenCount + c.tokenCount + 9,
      });
    });

    it("leave an event that says what was done, oldest first", async () => {
      const { id, a, b, c, top } = await threeLevels();
      const { rows, next } = await use.scoped.compactionEvents(id, {});
      expect(rows.map((event) => event.summary)).toEqual([a.id, b.id, c.id, top.id]);
      expect(rows[0]).toEqual(samplePublish(id, a).event);
      expect(next).toBeNull();
      const first = await use.scoped.compactionEvents(id, { limit: 3 });
      expect(first.rows).toEqual(rows.slice(0, 3));
      const rest = await use.scoped.compactionEvents(id, { from: first.next ?? 0 });
      expect(rest.rows).toEqual(rows.slice(3));
      const stranger = use.store.scoped({ tenant: "other", agent: "default" });
      expect((await stranger.compactionEvents(id, {})).rows).toEqual([]);
    });

    it("are refused when the context has moved on, and nothing changes", async () => {
      const { id, a, c, top } = await threeLevels();
      const before = await contextOf(use.scoped, id);
      const attempts = [
        [4, 5],
        [9, 10],
        [10, 12],
        [99],
        [a.id],
        [c.id, top.id],
        [top.id, "sum_0000000000000000"],
      ];
      for (const sources of attempts)
        await expect(publish(id, sampleSummary(sources))).rejects.toSatisfy((error) =>
          isPalimpsestError(error),
        );
      expect(await contextOf(use.scoped, id)).toEqual(before);
      expect((await use.scoped.summaries(id, {})).rows.length).toBe(4);
    });

    it("give their place to one that is made from the same sources, and stay on record", async () => {
      const { id, c, top, a, b } = await threeLevels();
      const replace = async (summary: NewSummary, replaces: string) =>
        onlyResult(await use.scoped.commit([{ ...samplePublish(id, summary), replaces }]), "publish");
      const leaf = { ...sampleSummary([8, 9]), tokenCount: 7 };
      const higher = sampleSummary([a.id, b.id]);
      const before = (await use.scoped.conversation({ id }))?.contextTokens ?? 0;
      const { conversation } = await replace(leaf, c.id);
      expect([conversation.contextItems, conversation.contextTokens]).toEqual([5, before + 5]);
      await replace(higher, top.id);
      expect(await contextOf(use.scoped, id)).toEqual([higher.id, leaf.id, 10, 11, 12]);
      expect((await use.scoped.summary(c.id))?.content).toBe(c.content);
      const refused: [NewSummary, string][] = [
        [sampleSummary([8, 9]), c.id],
        [sampleSummary([8]), leaf.id],
        [sampleSummary([10, 11]), leaf.id],
        [sampleSummary([1, 2, 3, 4]), a.id],
        [sampleSummary([8, 9]), "sum_0000000000000000"],
      ];
      for (const [summary, replaced] of refused)
        await expect(replace(summary, replaced)).rejects.toSatisfy((error) =>
          isPalimpsestError(error, "busy"),
        );
    });

    it("never mix depths", async () => {
      const { id, c, top } = await threeLevels();
      const mixed = publish(id, sampleSummary([top.id, c.id]));
      await expect(mixed).rejects.toSatisfy((error) => isPalimpsestError(error));
    });

    it("come in a window that reads only what fits, with pinned system messages", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const system = sampleMessage("sys", "rules", { role: "system" });
      await append(session, [system, ...Array.from({ length: 9 }, (_, i) => sampleMessage(`k${i}`))]);
      const leaf = sampleSummary([2, 3, 4]);
      await publish(id, leaf);
      const whole = await use.scoped.contextWindow(id, { maxTokens: 1000 });
      expect(whole.left).toEqual({ items: 0, tokens: 0 });
      expect(whole.items.map((item) => (item.type === "message" ? item.seq : item.id))).toEqual([
        1,
        leaf.id,
        ...[5, 6, 7, 8, 9, 10],
      ]);
      const small = await use.scoped.contextWindow(id, { maxTokens: 7 });
      expect(small.items.map((item) => (item.type === "message" ? item.seq : item.id))).toEqual([9, 10]);
      expect(small.pinned.map((message) => message.seq)).toEqual([1]);
      expect(small.left).toEqual({ items: 6, tokens: leaf.tokenCount + 15 });
      expect(small.summaries).toEqual([]);
      const beside = await use.scoped.contextWindow(id, { maxTokens: 7, summaryTokens: leaf.tokenCount });
      expect(beside.summaries).toMatchObject([{ id: leaf.id, summary: { content: leaf.content } }]);
      const one = await use.scoped.contextWindow(id, { maxTokens: 0 });
      expect(one.items.length).toBe(1);
      expect(one.items[0]).toMatchObject({ message: { content: '{"role":"user","content":"k8"}' } });
      const held = { seqs: [1, 6, 10], summaries: [leaf.id] };
      const rest = await use.scoped.contextWindow(id, { maxTokens: 1000, held });
      expect(rest.items).toEqual(whole.items.map((item) => withoutHeld(item, held)));
      // The last one may exceed the limit, and the next is not read.
      await publish(id, sampleSummary([5, 6, 7]));
      const less = await use.scoped.contextWindow(id, { maxTokens: 7, summaryTokens: 1 });
      expect(less.summaries).toMatchObject([{ summary: { firstSeq: 5 } }]);
      const both = await use.scoped.contextWindow(id, { maxTokens: 7, summaryTokens: leaf.tokenCount + 1 });
      expect(both.summaries).toMatchObject([{ id: leaf.id }, { summary: { firstSeq: 5 } }]);
    });

    it("reach as far back as a walk item by item, also where each costs something beside its tokens", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const sized = (i: number) => sampleMessage(`s${i}`, "s", { tokenCount: [0, 0, 3, 40, 1][i % 5] ?? 0 });
      await append(
        session,
        Array.from({ length: 600 }, (_, i) => sized(i)),
      );
      await publish(id, sampleSummary([130, 131, 132]));
      await publish(id, sampleSummary([590, 591]));
      const items = (await use.scoped.contextItems(id, {})).rows;
      for (const itemTokens of [0, 12])
        for (const maxTokens of [0, 11, 60, 2_000, 2_256, 3_100, 5_000, 12_140, Infinity]) {
          const expected: number[] = [];
          let tokens = 0;
          for (const { ordinal, tokenCount } of items.toReversed()) {
            tokens += tokenCount + itemTokens;
            if (expected.length > 0 && tokens > maxTokens) break;
            expected.unshift(ordinal);
          }
          const window = await use.scoped.contextWindow(id, { maxTokens, itemTokens });
          expect(window.items.map((item) => item.ordinal)).toEqual(expected);
          const left = items.slice(0, items.length - expected.length);
          expect(window.left).toEqual({
            items: left.length,
            tokens: left.reduce((sum, item) => sum + item.tokenCount, 0),
          });
        }
    });

    it("show the newest user message beside the window", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const users = [sampleMessage("old"), sampleMessage("new")];
      const answers = Array.from({ length: 6 }, (_, i) => sampleMessage(`a${i}`, "x", { role: "assistant" }));
      await append(session, [...users, ...answers]);
      const window = await use.scoped.contextWindow(id, { maxTokens: 7 });
      expect(window.items.map((item) => item.ordinal)).toEqual([7 * ORDINAL_GAP, 8 * ORDINAL_GAP]);
      expect(window.pinned).toMatchObject([{ seq: 2, message: { key: "new" } }]);
      const held = await use.scoped.contextWindow(id, { maxTokens: 7, held: { seqs: [2], summaries: [] } });
      expect(held.pinned).toMatchObject([{ seq: 2, message: null }]);
      expect((await use.scoped.contextWindow(id, { maxTokens: 1000 })).pinned).toEqual([]);
    });

    it("bring the user's first messages with a window that leaves items out", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const answer = (key: string) => sampleMessage(key, "x", { role: "assistant" });
      await append(session, [sampleMessage("u1"), answer("a1"), sampleMessage("u2"), answer("a2")]);
      await append(session, [sampleMessage("u3"), ...Array.from({ length: 9 }, (_, i) => answer(`b${i}`))]);
      const openingOf = async (query: Partial<WindowQuery>) => {
        const { opening } = await use.scoped.contextWindow(id, { maxTokens: 7, opening: {}, ...query });
        return opening.map(({ seq, isItem, message }) => [seq, isItem, message?.key]);
      };
      expect((await use.scoped.contextWindow(id, { maxTokens: 7 })).opening).toEqual([]);
      expect(await openingOf({ maxTokens: 1000 })).toEqual([]);
      expect(await openingOf({})).toEqual([
        [1, true, "u1"],
        [3, true, "u2"],
        [5, true, "u3"],
      ]);
      const held = { seqs: [1], summaries: [] };
      expect((await openingOf({ held })).map(([, , key]) => key)).toEqual([undefined, "u2", "u3"]);
      expect(await openingOf({ opening: { to: 3 } })).toEqual([
        [1, true, undefined],
        [3, true, undefined],
      ]);
      await publish(id, sampleSummary([1, 2]));
      expect((await openingOf({})).map(([seq, isItem]) => [seq, isItem])).toEqual([
        [1, false],
        [3, true],
        [5, true],
      ]);
      await append(session, [], { leaveContext: [{ seq: 5, reason: "branch" }] });
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      await use.scoped.commit([
        { kind: "erase", id, seqs: [3], retold: [], lines: [], title: null, at: AT, audit },
      ]);
      expect((await openingOf({})).map(([seq]) => seq)).toEqual([1]);
    });

    it("show planning the shape of the context without content", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const call = { type: "tool", toolCallId: "c1", toolName: "read", toolStatus: "pending" } as const;
      await append(session, [
        sampleMessage("a"),
        sampleMessage("b", "b", { role: "assistant", parts: [call] }),
        sampleMessage("c", "c", { role: "tool", parts: [{ ...call, toolStatus: "completed" }] }),
      ]);
      await publish(id, sampleSummary([1]));
      const { rows } = await use.scoped.contextShape(id, {});
      expect(rows).toMatchObject([
        { type: "summary", depth: 0, quality: "normal" },
        { type: "message", seq: 2, role: "assistant", toolCalls: ["c1"], toolResults: [], tokenCount: 3 },
        { type: "message", seq: 3, role: "tool", toolCalls: [], toolResults: ["c1"] },
      ]);
    });

    it("are taken apart as far as a message must leave", async () => {
      const { session, id, a, c } = await threeLevels();
      await append(session, [], { leaveContext: [{ seq: 6, reason: "branch" }] });
      expect(await contextOf(use.scoped, id)).toEqual([a.id, 5, 7, c.id, 10, 11, 12]);
      const conversation = await use.scoped.conversation({ id });
      expect(conversation).toMatchObject({
        contextItems: 7,
        contextTokens: a.tokenCount + c.tokenCount + 15,
      });
    });

    it("lose their text when something below them is erased (promise: erasable)", async () => {
      const { session, id, a, b, c, top } = await threeLevels();
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      await use.scoped.commit([
        { kind: "erase", id, seqs: [6], retold: [], lines: [], title: null, at: AT, audit },
      ]);
      expect(await contextOf(use.scoped, id)).toEqual([a.id, 5, 7, c.id, 10, 11, 12]);
      const texts = await Promise.all(
        [a, b, c, top].map(async ({ id }) => (await use.scoped.summary(id))?.content ?? null),
      );
      expect(texts).toEqual([a.content, null, c.content, null]);
      expect(await verifyChain(use.scoped, conversationIdFor(session))).toBe(12);
    });

    let erasures = 0;
    const erase = async (id: string, seqs: readonly number[]) => {
      const detail = JSON.stringify({ number: ++erasures });
      const audit = { at: AT, action: "erase", conversation: id, detail };
      const write = { kind: "erase", id, seqs, retold: [], lines: [], title: null, at: AT, audit } as const;
      return onlyResult(await use.scoped.commit([write]), "erase");
    };
    const expectSound = async (id: string) => {
      const items = (await use.scoped.contextItems(id, {})).rows;
      expect(await use.scoped.conversation({ id })).toMatchObject({
        contextItems: items.length,
        contextTokens: items.reduce((sum, item) => sum + item.tokenCount, 0),
      });
      const known = new Map(
        (await use.scoped.summaries(id, {})).rows.map((summary) => [summary.id, summary]),
      );
      const hashes = new Map((await readMessages(use.scoped, id)).map(({ seq, hash }) => [seq, hash]));
      for (const { content, contentHash } of known.values())
        expect(contentHash).toBe(hashSummaryText(content));
      for (const { sources, merkleRoot: root } of known.values())
        expect(root).toBe(
          merkleRoot(
            sources.type === "messages"
              ? sources.seqs.map((seq) => hashes.get(seq) ?? "")
              : sources.ids.map((source) => known.get(source)?.merkleRoot ?? ""),
          ),
        );
    };

    it("carry a hash of their text, whatever it is made of, and lose it with the text", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      const texts = ["", "short", "a NUL \0 in it", "half a \ud83d pair", "long ".repeat(2_000)];
      await append(
        session,
        texts.map((_, i) => sampleMessage(`k${i}`)),
      );
      for (const [i, content] of texts.entries()) {
        const { summary } = await publish(id, { ...sampleSummary([i + 1]), content });
        expect(summary.contentHash).toBe(hashSummaryText(content));
        expect((await use.scoped.summary(summary.id))?.contentHash).toBe(summary.contentHash);
      }
      await expectSound(id);
      await erase(id, [2, 5]);
      const { rows } = await use.scoped.summaries(id, {});
      expect(rows.map(({ contentHash }) => contentHash !== null)).toEqual([true, false, true, true, false]);
      await expectSound(id);
    });

    it("keep the hash that a dump gives them, also where the text is another", async () => {
      const { id, a, c } = await threeLevels();
      const rows = (await collect(use.store.dump())).filter((row) => belongsTo(row, id));
      const forged = rows.map((row) =>
        row.row === "summary" && row.id === a.id ? { ...row, content: "forged" } : row,
      );
      const copyPlace = await use.create();
      const copy = await copyPlace.open();
      try {
        await copy.load(feed(forged), { replace: false });
        const there = copy.scoped(DEFAULT_SCOPE);
        const found = await Promise.all([a, c].map((one) => there.summary(one.id)));
        expect(found.map((one) => one?.content)).toEqual(["forged", c.content]);
        expect(found.map((one) => one?.contentHash)).toEqual(
          [a, c].map((one) => hashSummaryText(one.content)),
        );
      } finally {
        await copy.close();
        await copyPlace.dispose();
      }
    });

    const mend = (id: string, write: Partial<ReindexWrite>) =>
      use.scoped.commit([
        {
          kind: "reindex",
          id,
          messages: [],
          enterContext: [],
          enterSummaries: [],
          dropOrdinals: [],
          eraseSummaries: [],
          dropSummaries: [],
          forgetMissing: false,
          ...write,
        },
      ]);

    it("lose their text by a repair, and so does what was made from them", async () => {
      const { id, a, b, c, top } = await threeLevels();
      const context = { dropOrdinals: [ORDINAL_GAP], enterSummaries: [b.id], enterContext: [1, 2, 3, 4] };
      await mend(id, { eraseSummaries: [a.id], ...context });
      expect(await contextOf(use.scoped, id)).toEqual([1, 2, 3, 4, b.id, c.id, 10, 11, 12]);
      const found = await Promise.all([a, b, c, top].map((one) => use.scoped.summary(one.id)));
      expect(found.map((one) => one?.content)).toEqual([null, b.content, c.content, null]);
      await expectSound(id);
    });

    it("leave the record by a repair, with what was made from them and all that points to them", async () => {
      const { id, a, b, c, top } = await threeLevels();
      const context = { dropOrdinals: [ORDINAL_GAP], enterSummaries: [b.id], enterContext: [1, 2, 3, 4] };
      await mend(id, { dropSummaries: [a.id], ...context });
      expect(await contextOf(use.scoped, id)).toEqual([1, 2, 3, 4, b.id, c.id, 10, 11, 12]);
      for (const gone of [a, top]) expect(await use.scoped.summary(gone.id)).toBeUndefined();
      const { rows } = await use.scoped.compactionEvents(id, {});
      expect(rows.map((event) => event.summary)).toEqual([b.id, c.id]);
      expect(await use.scoped.missingSummaries(id)).toBe(0);
      await expectSound(id);
      const again = sampleSummary([1, 2, 3, 4]);
      await publish(id, again);
      await publish(id, sampleSummary([again.id, b.id]));
      await expectSound(id);
    });

    it("that repeat what is erased lose their text too, and their messages come back", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(
        session,
        Array.from({ length: 6 }, (_, i) => sampleMessage(`k${i + 1}`)),
      );
      const [first, second, third] = [sampleSummary([1, 2]), sampleSummary([3, 4]), sampleSummary([5, 6])];
      for (const leaf of [first, second, third]) await publish(id, leaf);
      const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
      const write = {
        kind: "erase",
        id,
        seqs: [1],
        retold: [3],
        lines: [],
        title: null,
        at: AT,
        audit,
      } as const;
      expect(onlyResult(await use.scoped.commit([write]), "erase")).toMatchObject({
        messages: 1,
        summaries: 2,
      });
      expect(await contextOf(use.scoped, id)).toEqual([2, 3, 4, third.id]);
      await expectSound(id);
    });

    it("of any depth are erased with a message below them, and what is still good takes their place", async () => {
      const session = newSession();
      const id = conversationIdFor(session);
      await append(
        session,
        Array.from({ length: 20 }, (_, i) => sampleMessage(`k${i + 1}`)),
      );
      const fileIds = ["file_0123456789abcdef"];
      const leaves: string[] = [];
      for (let seq = 1; seq <= 16; seq += 2) {
        const leaf = { ...sampleSummary([seq, seq + 1]), fileIds };
        await publish(id, leaf);
        leaves.push(leaf.id);
      }
      const above: string[] = [];
      for (let i = 0; i < leaves.length; i += 2) {
        const middle = { ...sampleSummary(leaves.slice(i, i + 2)), fileIds };
        await publish(id, middle);
        above.push(middle.id);
      }
      const [first, second] = [sampleSummary(above.slice(0, 2)), sampleSummary(above.slice(2))];
      for (const top of [first, second]) await publish(id, top);
      expect(await contextOf(use.scoped, id)).toEqual([first.id, second.id, 17, 18, 19, 20]);

      expect(await erase(id, [6])).toMatchObject({ kind: "erase", messages: 1, summaries: 3, lines: 0 });
      expect(await contextOf(use.scoped, id)).toEqual([above[0], 5, leaves[3], second.id, 17, 18, 19, 20]);
      const erased = (await use.scoped.summaries(id, {})).rows.filter((summary) => summary.content === null);
      expect(erased.map((summary) => summary.id)).toEqual([leaves[2], above[1], first.id]);
      expect(erased.flatMap((summary) => summary.fileIds)).toEqual([]);
      await expectSound(id);
      expect(await erase(id, [6])).toMatchObject({ messages: 0, summaries: 0 });

      const again = sampleSummary([5]);
      await publish(id, again);
      const higher = sampleSummary([again.id, leaves[3] as string]);
      await publish(id, higher);
      expect(await contextOf(use.scoped, id)).toEqual([above[0], higher.id, second.id, 17, 18, 19, 20]);
      await expectSound(id);
      expect(await erase(id, [5, 16, 1])).toMatchObject({ messages: 3, summaries: 7 });
      const left = [2, leaves[1], leaves[3], above[2], leaves[6], 15, 17, 18, 19, 20];
      expect(await contextOf(use.scoped, id)).toEqual(left);
      await expectSound(id);
    });

    it("stay when a message stands in their range that they were not made from", async () => {
      const { session, id, a, c } = await threeLevels();
      await append(session, [], { leaveContext: [{ seq: 6, reason: "branch" }] });
      const around = sampleSummary([5, 7]);
      await publish(id, around);
      await erase(id, [6]);
      expect(await contextOf(use.scoped, id)).toEqual([a.id, around.id, c.id, 10, 11, 12]);
      expect((await use.scoped.summary(around.id))?.content).toBe(around.content);
      await expectSound(id);
    });

    it("make room for a message that comes back between those they cover", async () => {
      const { session, id, a, c } = await threeLevels();
      await append(session, [], { leaveContext: [{ seq: 6, reason: "branch" }] });
      const around = sampleSummary([5, 7]);
      await publish(id, around);
      const higher = sampleSummary([a.id, around.id]);
      await publish(id, higher);
      await append(session, [], { enterContext: [6, 2, 9, 10] });
      expect(await contextOf(use.scoped, id)).toEqual([a.id, 5, 6, 7, c.id, 10, 11, 12]);
      await expectSound(id);
    });

    it("do not bring erased words back from an older dump", async () => {
      const { id, b, top } = await threeLevels();
      const copyPlace = await use.create();
      const copy = await copyPlace.open();
      try {
        const before = (await collect(use.store.dump())).filter((row) => belongsTo(row, id));
        const there = copy.scoped(DEFAULT_SCOPE);
        const old = before.filter((row) => row.row === "message" || row.row === "conversation");
        await copy.load(feed(old), { replace: false });
        const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
        await there.commit([
          { kind: "erase", id, seqs: [6], retold: [], lines: [], title: null, at: AT, audit },
        ]);
        await copy.load(feed(before), { replace: false });
        for (const summary of [b, top]) expect((await there.summary(summary.id))?.content).toBeNull();
        expect((await there.compactionEvents(id, {})).rows.length).toBe(4);
      } finally {
        await copy.close();
        await copyPlace.dispose();
      }
    });

    it("belong to their scope", async () => {
      const { id, top } = await threeLevels();
      const stranger = use.store.scoped({ tenant: "other", agent: "default" });
      expect(await stranger.summary(top.id)).toBeUndefined();
      expect((await stranger.summaries(id, {})).rows).toEqual([]);
      expect((await stranger.summaryOutlines(id, {})).rows).toEqual([]);
      for (const of of [{ seq: 1 }, { summary: top.id }])
        expect(await stranger.lineage(id, of)).toEqual(NO_LINEAGE);
      expect((await stranger.contextShape(id, {})).rows).toEqual([]);
      expect((await stranger.contextWindow(id, { maxTokens: 100 })).items).toEqual([]);
      const attack = stranger.commit([samplePublish(id, sampleSummary([10]))]);
      await expect(attack).rejects.toSatisfy((error) => isPalimpsestError(error, "not-found"));
    });
  });
}
