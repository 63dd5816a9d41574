/**
 * What every store must do, whichever engine it is. `describeStore` runs it against a real database.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../errors.ts";
import { DEFAULT_SCOPE, type Scope } from "../../types.ts";
import { chainHash, digestContent, merkleRoot } from "../seal.ts";
import {
  type DumpRow,
  type NewSummary,
  ORDINAL_GAP,
  type ScopedStore,
  type Store,
  type StoredMessage,
  type SummarySource,
  type Transcript,
  type WindowItem,
} from "../store.ts";
import { basisOf } from "../transcript-basis.ts";
import {
  AT,
  conversationIdFor,
  onlyResult,
  sampleAppend,
  sampleLine,
  sampleMessage,
  samplePublish,
  sampleSummary,
  sampleTranscript,
  sampleTranscriptWrite,
} from "./sample.ts";

function withoutHeld(item: WindowItem, held: { seqs: number[]; summaries: string[] }): WindowItem {
  if (item.type === "message") return held.seqs.includes(item.seq) ? { ...item, message: null } : item;
  return held.summaries.includes(item.id) ? { ...item, summary: null } : item;
}

export interface StoreUnderTest {
  /** Opens the same database again, as another process would. */
  open(): Promise<Store>;
  dispose(): Promise<void>;
}

export function describeStore(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} store`, () => {
    let place: StoreUnderTest;
    let store: Store;
    let scoped: ScopedStore;
    let sessions = 0;
    const newSession = () => `session-${++sessions}`;

    beforeAll(async () => {
      place = await create();
      store = await place.open();
      scoped = store.scoped(DEFAULT_SCOPE);
    });
    afterAll(async () => {
      await store.close();
      await place.dispose();
    });

    const append = async (...input: Parameters<typeof sampleAppend>) =>
      onlyResult(await scoped.commit([sampleAppend(...input)]), "append");
    const readAll = (session: string) => readMessages(scoped, conversationIdFor(session));

    describe("appending", () => {
      it("creates the conversation, numbers messages from 1 and gives them back exactly", async () => {
        const session = newSession();
        const result = await append(session, [sampleMessage("a"), sampleMessage("b")]);
        expect(result.created).toBe(true);
        expect(result.messages.map((message) => message.seq)).toEqual([1, 2]);
        const messages = await readAll(session);
        expect(messages.map((message) => message.key)).toEqual(["a", "b"]);
        expect(messages[0]?.content).toBe('{"role":"user","content":"a"}');
        expect(messages[0]?.parts).toEqual([
          { type: "text", toolCallId: null, toolName: null, toolStatus: null },
        ]);
      });

      it("keeps any text and any bytes exactly (promise: exact)", async () => {
        const session = newSession();
        let count = 0;
        await fc.assert(
          fc.asyncProperty(
            fc.oneof(
              fc.string({ unit: "grapheme", maxLength: 3000 }).filter((text) => !text.includes("\0")),
              fc.uint8Array({ maxLength: 3000 }),
              fc.constantFrom("", "a".repeat(1024), "a".repeat(1025), "é".repeat(600), "\ufeffbom", "\r\n"),
              fc.constantFrom(Uint8Array.of(0), Uint8Array.of(0xff, 0xfe), Buffer.from("plain text")),
            ),
            async (content) => {
              const seq = ++count;
              await append(session, [sampleMessage(`k${seq}`, "", { content })]);
              const page = await scoped.messages(conversationIdFor(session), { from: seq, to: seq });
              expect(bytesOf(page.rows[0]?.content)).toEqual(bytesOf(content));
            },
          ),
          { numRuns: 60 },
        );
        expect(await verifyChain(scoped, conversationIdFor(session))).toBe(count);
      });

      it("chains the hashes and moves the head", async () => {
        const session = newSession();
        await append(session, [sampleMessage("a"), sampleMessage("b")]);
        const { conversation } = await append(session, [sampleMessage("c")]);
        const messages = await readAll(session);
        expect(conversation.headHash).toBe(messages[2]?.hash);
        expect(conversation.messageCount).toBe(3);
        expect(conversation.tokenCount).toBe(9);
        expect(await verifyChain(scoped, conversation.id)).toBe(3);
      });

      it("recognises a replay and keeps a second message with the same text (promise: once)", async () => {
        const session = newSession();
        const messages = [sampleMessage("a", "ok"), sampleMessage("b", "ok")];
        await append(session, messages);
        const replay = await append(session, messages);
        expect(replay.status).toBe("duplicate");
        expect(replay.messages.every((message) => message.existed)).toBe(true);
        expect((await readAll(session)).length).toBe(2);
      });

      it("refuses a known key with other content and changes nothing (promise: refused)", async () => {
        const session = newSession();
        await append(session, [sampleMessage("a", "first")]);
        const write = append(session, [sampleMessage("new"), sampleMessage("a", "second")]);
        await expect(write).rejects.toSatisfy((error) => isPalimpsestError(error, "conflict"));
        expect((await readAll(session)).map((message) => message.key)).toEqual(["a"]);
        expect(await verifyChain(scoped, conversationIdFor(session))).toBe(1);
      });

      it("keeps an edited entry as another version when branching is asked for", async () => {
        const session = newSession();
        await append(session, [sampleMessage("a", "first")]);
        const edited = await append(session, [sampleMessage("a", "second")], { onOtherContent: "branch" });
        expect(edited.messages).toEqual([{ key: "a~2", seq: 2, existed: false, erased: false }]);
        const again = await append(session, [sampleMessage("a", "second")], { onOtherContent: "branch" });
        expect(again.messages).toEqual([{ key: "a~2", seq: 2, existed: true, erased: false }]);
        expect(again.status).toBe("duplicate");
      });

      it("keeps the order of an edited transcript: what follows an edited entry is kept again behind it", async () => {
        const session = newSession();
        const branch = { onOtherContent: "branch" } as const;
        const [a, b, c] = [sampleMessage("a"), sampleMessage("b"), sampleMessage("c")];
        const edited = sampleMessage("b", "edited");
        await append(session, [a, b, c], branch);
        const leaveContext = [2, 3].map((seq) => ({ seq, reason: "branch" as const }));
        const second = await append(session, [a, edited, c], { ...branch, leaveContext });
        expect(second.messages.map(({ key, seq }) => [key, seq])).toEqual([
          ["a", 1],
          ["b~2", 4],
          ["c~2", 5],
        ]);
        expect(await contextOf(scoped, conversationIdFor(session))).toEqual([1, 4, 5]);
        const again = await append(session, [a, edited, c], branch);
        expect(again.messages.map(({ seq }) => seq)).toEqual([1, 4, 5]);
        const said = await append(session, [a], { ...branch, afterSeq: 5 });
        expect(said.messages).toEqual([{ key: "a~2", seq: 6, existed: false, erased: false }]);
      });

      it("does all writes of a commit or none (promise: atomic)", async () => {
        const [first, second] = [newSession(), newSession()];
        await append(second, [sampleMessage("a", "known")]);
        const commit = scoped.commit([
          sampleAppend(first, [sampleMessage("x")]),
          sampleAppend(second, [sampleMessage("a", "other")]),
        ]);
        await expect(commit).rejects.toThrow(/other content/);
        expect(await scoped.conversation({ id: conversationIdFor(first) })).toBeUndefined();
      });

      it("does not create a conversation unless it is asked to", async () => {
        const commit = append(newSession(), [sampleMessage("a")], { create: null });
        await expect(commit).rejects.toSatisfy((error) => isPalimpsestError(error, "not-found"));
      });

      it("pages by count and by bytes and always reaches the end (promise: complete)", async () => {
        const session = newSession();
        const texts = Array.from({ length: 25 }, (_, i) => "x".repeat(i * 40));
        await append(
          session,
          texts.map((text, i) => sampleMessage(`k${i}`, text)),
        );
        for (const query of [{ limit: 1 }, { limit: 7 }, { maxBytes: 1 }, { maxBytes: 2000 }, {}]) {
          const read = await readMessages(scoped, conversationIdFor(session), query);
          expect(read.map((message) => message.seq)).toEqual(texts.map((_, i) => i + 1));
        }
        const range = await scoped.messages(conversationIdFor(session), { from: 5, to: 8, roles: ["user"] });
        expect(range.rows.map((message) => message.seq)).toEqual([5, 6, 7, 8]);
        expect(range.next).toBeNull();
        expect((await scoped.messages(conversationIdFor(session), { roles: ["tool"] })).rows).toEqual([]);
        const bare = await scoped.messages(conversationIdFor(session), { withoutContent: true, maxBytes: 1 });
        expect(bare.rows).toEqual((await readAll(session)).map((message) => ({ ...message, content: null })));
      });

      it("measures a page by the originals, however small they are stored", async () => {
        const session = newSession();
        const content = "well compressed ".repeat(1000);
        await append(
          session,
          Array.from({ length: 5 }, (_, i) => sampleMessage(`k${i}`, "", { content })),
          {
            transcript: sampleTranscriptWrite(
              { lineCount: 3 },
              Array.from({ length: 3 }, (_, line) => sampleLine(line, { content: "x".repeat(5_000_000) })),
            ),
          },
        );
        const page = await scoped.messages(conversationIdFor(session), { maxBytes: content.length + 1 });
        expect([page.rows.length, page.next]).toEqual([2, 3]);
        const lines = await scoped.transcriptLines(conversationIdFor(session), { transcript: 1 });
        expect([lines.rows.length, lines.next]).toEqual([2, 2]);
        // What follows dumps the store again and again.
        const id = conversationIdFor(session);
        const audit = { at: AT, action: "delete-conversation", conversation: id, detail: "{}" };
        await scoped.commit([{ kind: "delete-conversation", id, audit }]);
      });
    });

    describe("turns", () => {
      it("takes a turn once", async () => {
        const session = newSession();
        const messages = [sampleMessage("t#0"), sampleMessage("t#1")];
        expect((await append(session, messages, { turnKey: "t" })).status).toBe("committed");
        expect((await append(session, messages, { turnKey: "t" })).status).toBe("duplicate");
        const turns = await scoped.turns(conversationIdFor(session), {});
        expect(turns.rows).toMatchObject([{ key: "t", firstSeq: 1, messageCount: 2 }]);
      });

      it("refuses the same turn key with fewer, more or other messages", async () => {
        const session = newSession();
        await append(session, [sampleMessage("t#0"), sampleMessage("t#1")], { turnKey: "t" });
        const others = [
          [sampleMessage("t#0")],
          [sampleMessage("t#0"), sampleMessage("t#1"), sampleMessage("t#2")],
          [sampleMessage("t#0"), sampleMessage("t#1", "other")],
        ];
        for (const messages of others)
          await expect(append(session, messages, { turnKey: "t" })).rejects.toSatisfy((error) =>
            isPalimpsestError(error, "conflict"),
          );
        expect((await readAll(session)).length).toBe(2);
      });
    });

    describe("receipts", () => {
      const receiptsOf = async (session: string, query = {}) =>
        scoped.receipts(conversationIdFor(session), query);

      it("are kept with the first new message of a turn, and only once", async () => {
        const session = newSession();
        const later = "2026-03-01T10:00:01.234Z";
        const turn = [sampleMessage("a"), sampleMessage("b")];
        await append(session, turn, { turnKey: "t1", receipt: '{"saw": [ 1 ]}' });
        await append(session, turn, { turnKey: "t1", receipt: '{"saw":"another"}' });
        await append(session, turn, { receipt: '{"saw":"repeated"}' });
        await append(session, [], { receipt: '{"saw":"nothing said"}' });
        await append(session, [sampleMessage("b", "b", turn[1]), sampleMessage("c")], {
          receipt: '{"text":"\u00e9\\u0000"}',
          at: later,
        });
        await append(session, [sampleMessage("d")]);
        const kept = [
          { firstSeq: 1, at: AT, content: '{"saw": [ 1 ]}' },
          { firstSeq: 3, at: later, content: '{"text":"\u00e9\\u0000"}' },
        ];
        expect(await receiptsOf(session)).toEqual({ rows: kept, next: null });
        expect(await receiptsOf(session, { limit: 1 })).toEqual({ rows: kept.slice(0, 1), next: 3 });
        expect((await receiptsOf(session, { from: 2, to: 3 })).rows).toEqual(kept.slice(1));
        expect((await receiptsOf(session, { from: 4 })).rows).toEqual([]);
        const stranger = store.scoped({ tenant: "default", agent: "other" });
        expect((await stranger.receipts(conversationIdFor(session), {})).rows).toEqual([]);
      });

      it("go from the first erased message on, and do not come back with an older dump", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        for (const key of ["a", "b", "c", "d"])
          await append(session, [sampleMessage(key)], { receipt: JSON.stringify({ before: key }) });
        const before = await collect(store.dump());
        const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
        const erase = {
          kind: "erase",
          id,
          seqs: [3, 2],
          retold: [],
          lines: [],
          title: null,
          at: AT,
          audit,
        } as const;
        await scoped.commit([erase]);
        expect((await receiptsOf(session)).rows.map((receipt) => receipt.firstSeq)).toEqual([1, 2]);
        const at = "2026-03-01T10:00:01.000Z";
        await append(session, [sampleMessage("e")], { receipt: "{}", at });
        await scoped.commit([{ ...erase, audit: { ...audit, at } }]);
        expect((await receiptsOf(session)).rows.map((receipt) => receipt.firstSeq)).toEqual([1, 2, 5]);
        await store.load(feed(before), { replace: false });
        expect((await receiptsOf(session)).rows.map((receipt) => receipt.firstSeq)).toEqual([1, 2, 5]);
      });
    });

    describe("context", () => {
      it("lists every message in order, leaves out what is excluded, and takes it back (promise: pointing)", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        await append(session, [
          sampleMessage("a"),
          sampleMessage("b", "b", { excluded: "heartbeat" }),
          sampleMessage("c"),
        ]);
        expect(await contextOf(scoped, id)).toEqual([1, 3]);
        await append(session, [], { leaveContext: [{ seq: 1, reason: "branch" }], enterContext: [2] });
        expect(await contextOf(scoped, id)).toEqual([2, 3]);
        expect((await readAll(session)).map((message) => message.excluded)).toEqual(["branch", null, null]);
        await append(session, [], { enterContext: [1] });
        expect(await contextOf(scoped, id)).toEqual([1, 2, 3]);
      });

      it("follows the branch that a replayed transcript says a message is on", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        const message = sampleMessage("a");
        await append(session, [message]);
        await append(session, [{ ...message, excluded: "branch" }], { onOtherContent: "branch" });
        expect(await contextOf(scoped, id)).toEqual([]);
        await append(session, [message], { onOtherContent: "branch" });
        expect(await contextOf(scoped, id)).toEqual([1]);
      });
    });

    describe("summaries", () => {
      const publish = async (id: string, summary: NewSummary) =>
        onlyResult(await scoped.commit([samplePublish(id, summary)]), "publish");

      /** A conversation of 12 messages under two leaves and one condensed summary over them. */
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
        const before = await store.info();
        const { id } = await threeLevels();
        const after = await store.info();
        expect(after.summaries - before.summaries).toBe(4);
        const added = (await scoped.conversation({ id }))?.contextTokens ?? 0;
        expect(after.contextTokens - before.contextTokens).toBe(added);
      });

      it("take the place of their sources, and know what they cover at any depth", async () => {
        const { id, a, b, c, top } = await threeLevels();
        expect(await contextOf(scoped, id)).toEqual([top.id, c.id, 10, 11, 12]);
        const messages = await readMessages(scoped, id);
        const leaf = await scoped.summary(b.id);
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
        const above = await scoped.summary(top.id);
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
        const { rows } = await scoped.summaries(id, {});
        expect(rows.map((summary) => summary.id)).toEqual([a.id, b.id, c.id, top.id]);
      });

      it("are found from below, one step at a time, and measured from above, level by level", async () => {
        const { id, a, b, c, top } = await threeLevels();
        const peak = sampleSummary([top.id]);
        await publish(id, peak);
        const idsOver = async (source: SummarySource) =>
          (await scoped.summariesMadeFrom(id, source)).map((summary) => summary.id);
        expect(await idsOver({ seq: 6 })).toEqual([b.id]);
        expect(await idsOver({ seq: 12 })).toEqual([]);
        expect(await idsOver({ summary: a.id })).toEqual([top.id]);
        expect(await idsOver({ summary: b.id })).toEqual([top.id]);
        expect(await idsOver({ summary: c.id })).toEqual([]);
        expect(await idsOver({ summary: top.id })).toEqual([peak.id]);
        expect(await idsOver({ summary: peak.id })).toEqual([]);
        expect(await idsOver({ summary: "sum_0000000000000000" })).toEqual([]);
        expect(await scoped.summariesMadeFrom(id, { seq: 6 })).toEqual([await scoped.summary(b.id)]);
        expect(await scoped.summaryLevels(id, peak.id)).toEqual([
          { depth: 1, summaries: 1, tokens: top.tokenCount },
          { depth: 0, summaries: 2, tokens: a.tokenCount + b.tokenCount },
        ]);
        expect(await scoped.summaryLevels(id, top.id)).toEqual([
          { depth: 0, summaries: 2, tokens: a.tokenCount + b.tokenCount },
        ]);
        expect(await scoped.summaryLevels(id, a.id)).toEqual([]);
      });

      it("are found by an id with a slip in it, inside their scope", async () => {
        const { a } = await threeLevels();
        const other = (digit: string) => (digit === "0" ? "1" : "0");
        const early = `${a.id.slice(0, 5)}${other(a.id[5] ?? "")}${a.id.slice(6)}`;
        const late = `${a.id.slice(0, -1)}${other(a.id.at(-1) ?? "")}`;
        expect(await scoped.similarSummaryIds(early)).toContain(a.id);
        expect(await scoped.similarSummaryIds(late)).toContain(a.id);
        expect(await scoped.similarSummaryIds("sum_zzzzzzzzzzzzzzzz")).toEqual([]);
        for (const scope of [
          { tenant: "other", agent: "default" },
          { tenant: scoped.scope.tenant, agent: "other" },
        ])
          expect(await store.scoped(scope).similarSummaryIds(a.id)).toEqual([]);
      });

      it("keep the size of the context in step", async () => {
        const { id, c, top } = await threeLevels();
        const conversation = await scoped.conversation({ id });
        expect(conversation).toMatchObject({
          contextItems: 5,
          contextTokens: top.tokenCount + c.tokenCount + 9,
        });
      });

      it("leave an event that says what was done, oldest first", async () => {
        const { id, a, b, c, top } = await threeLevels();
        const { rows, next } = await scoped.compactionEvents(id, {});
        expect(rows.map((event) => event.summary)).toEqual([a.id, b.id, c.id, top.id]);
        expect(rows[0]).toEqual(samplePublish(id, a).event);
        expect(next).toBeNull();
        const first = await scoped.compactionEvents(id, { limit: 3 });
        expect(first.rows).toEqual(rows.slice(0, 3));
        const rest = await scoped.compactionEvents(id, { from: first.next ?? 0 });
        expect(rest.rows).toEqual(rows.slice(3));
        const stranger = store.scoped({ tenant: "other", agent: "default" });
        expect((await stranger.compactionEvents(id, {})).rows).toEqual([]);
      });

      it("are refused when the context has moved on, and nothing changes", async () => {
        const { id, a, c, top } = await threeLevels();
        const before = await contextOf(scoped, id);
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
        expect(await contextOf(scoped, id)).toEqual(before);
        expect((await scoped.summaries(id, {})).rows.length).toBe(4);
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
        const whole = await scoped.contextWindow(id, { maxTokens: 1000 });
        expect(whole.left).toEqual({ items: 0, tokens: 0 });
        expect(whole.freshFrom).toBe(4);
        expect(whole.items.map((item) => (item.type === "message" ? item.seq : item.id))).toEqual([
          1,
          leaf.id,
          ...[5, 6, 7, 8, 9, 10],
        ]);
        const small = await scoped.contextWindow(id, { maxTokens: 7 });
        expect(small.items.map((item) => (item.type === "message" ? item.seq : item.id))).toEqual([9, 10]);
        expect(small.pinned.map((message) => message.seq)).toEqual([1]);
        expect(small.left).toEqual({ items: 6, tokens: leaf.tokenCount + 15 });
        expect(small.summaries).toEqual([]);
        const beside = await scoped.contextWindow(id, { maxTokens: 7, summaryTokens: leaf.tokenCount });
        expect(beside.summaries).toMatchObject([{ id: leaf.id, summary: { content: leaf.content } }]);
        const less = await scoped.contextWindow(id, { maxTokens: 7, summaryTokens: leaf.tokenCount - 1 });
        expect(less.summaries).toEqual([]);
        const one = await scoped.contextWindow(id, { maxTokens: 0 });
        expect(one.items.length).toBe(1);
        expect(one.items[0]).toMatchObject({ message: { content: '{"role":"user","content":"k8"}' } });
        const held = { seqs: [1, 6, 10], summaries: [leaf.id] };
        const rest = await scoped.contextWindow(id, { maxTokens: 1000, held });
        expect(rest.items).toEqual(whole.items.map((item) => withoutHeld(item, held)));
      });

      it("reach as far back as a walk item by item, also where each costs something beside its tokens", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        const sized = (i: number) =>
          sampleMessage(`s${i}`, "s", { tokenCount: [0, 0, 3, 40, 1][i % 5] ?? 0 });
        await append(
          session,
          Array.from({ length: 600 }, (_, i) => sized(i)),
        );
        await publish(id, sampleSummary([130, 131, 132]));
        await publish(id, sampleSummary([590, 591]));
        const items = (await scoped.contextItems(id, {})).rows;
        for (const itemTokens of [0, 12])
          for (const maxTokens of [0, 11, 60, 2_000, 2_256, 3_100, 5_000, 12_140, Infinity]) {
            const expected: number[] = [];
            let tokens = 0;
            for (const { ordinal, tokenCount } of items.toReversed()) {
              tokens += tokenCount + itemTokens;
              if (expected.length > 0 && tokens > maxTokens) break;
              expected.unshift(ordinal);
            }
            const window = await scoped.contextWindow(id, { maxTokens, itemTokens });
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
        const answers = Array.from({ length: 6 }, (_, i) =>
          sampleMessage(`a${i}`, "x", { role: "assistant" }),
        );
        await append(session, [...users, ...answers]);
        const window = await scoped.contextWindow(id, { maxTokens: 7 });
        expect(window.items.map((item) => item.ordinal)).toEqual([7 * ORDINAL_GAP, 8 * ORDINAL_GAP]);
        expect(window.pinned).toMatchObject([{ seq: 2, message: { key: "new" } }]);
        const held = await scoped.contextWindow(id, { maxTokens: 7, held: { seqs: [2], summaries: [] } });
        expect(held.pinned).toMatchObject([{ seq: 2, message: null }]);
        expect((await scoped.contextWindow(id, { maxTokens: 1000 })).pinned).toEqual([]);
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
        const { rows } = await scoped.contextShape(id, {});
        expect(rows).toMatchObject([
          { type: "summary", depth: 0, quality: "normal" },
          { type: "message", seq: 2, role: "assistant", toolCalls: ["c1"], toolResults: [], tokenCount: 3 },
          { type: "message", seq: 3, role: "tool", toolCalls: [], toolResults: ["c1"] },
        ]);
      });

      it("are taken apart as far as a message must leave", async () => {
        const { session, id, a, c } = await threeLevels();
        await append(session, [], { leaveContext: [{ seq: 6, reason: "branch" }] });
        expect(await contextOf(scoped, id)).toEqual([a.id, 5, 7, c.id, 10, 11, 12]);
        const conversation = await scoped.conversation({ id });
        expect(conversation).toMatchObject({
          contextItems: 7,
          contextTokens: a.tokenCount + c.tokenCount + 15,
        });
      });

      it("lose their text when something below them is erased (promise: erasable)", async () => {
        const { session, id, a, b, c, top } = await threeLevels();
        const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
        await scoped.commit([
          { kind: "erase", id, seqs: [6], retold: [], lines: [], title: null, at: AT, audit },
        ]);
        expect(await contextOf(scoped, id)).toEqual([a.id, 5, 7, c.id, 10, 11, 12]);
        const texts = await Promise.all(
          [a, b, c, top].map(async ({ id }) => (await scoped.summary(id))?.content ?? null),
        );
        expect(texts).toEqual([a.content, null, c.content, null]);
        expect(await verifyChain(scoped, conversationIdFor(session))).toBe(12);
      });

      let erasures = 0;
      const erase = async (id: string, seqs: readonly number[]) => {
        const detail = JSON.stringify({ number: ++erasures });
        const audit = { at: AT, action: "erase", conversation: id, detail };
        const write = { kind: "erase", id, seqs, retold: [], lines: [], title: null, at: AT, audit } as const;
        return onlyResult(await scoped.commit([write]), "erase");
      };
      const expectSound = async (id: string) => {
        const items = (await scoped.contextItems(id, {})).rows;
        expect(await scoped.conversation({ id })).toMatchObject({
          contextItems: items.length,
          contextTokens: items.reduce((sum, item) => sum + item.tokenCount, 0),
        });
        const known = new Map((await scoped.summaries(id, {})).rows.map((summary) => [summary.id, summary]));
        const hashes = new Map((await readMessages(scoped, id)).map(({ seq, hash }) => [seq, hash]));
        for (const { sources, merkleRoot: root } of known.values())
          expect(root).toBe(
            merkleRoot(
              sources.type === "messages"
                ? sources.seqs.map((seq) => hashes.get(seq) ?? "")
                : sources.ids.map((source) => known.get(source)?.merkleRoot ?? ""),
            ),
          );
      };

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
        expect(onlyResult(await scoped.commit([write]), "erase")).toMatchObject({
          messages: 1,
          summaries: 2,
        });
        expect(await contextOf(scoped, id)).toEqual([2, 3, 4, third.id]);
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
        expect(await contextOf(scoped, id)).toEqual([first.id, second.id, 17, 18, 19, 20]);

        expect(await erase(id, [6])).toEqual({ kind: "erase", messages: 1, summaries: 3, lines: 0 });
        expect(await contextOf(scoped, id)).toEqual([above[0], 5, leaves[3], second.id, 17, 18, 19, 20]);
        const erased = (await scoped.summaries(id, {})).rows.filter((summary) => summary.content === null);
        expect(erased.map((summary) => summary.id)).toEqual([leaves[2], above[1], first.id]);
        expect(erased.flatMap((summary) => summary.fileIds)).toEqual([]);
        await expectSound(id);
        expect(await erase(id, [6])).toMatchObject({ messages: 0, summaries: 0 });

        const again = sampleSummary([5]);
        await publish(id, again);
        const higher = sampleSummary([again.id, leaves[3] as string]);
        await publish(id, higher);
        expect(await contextOf(scoped, id)).toEqual([above[0], higher.id, second.id, 17, 18, 19, 20]);
        await expectSound(id);
        expect(await erase(id, [5, 16, 1])).toMatchObject({ messages: 3, summaries: 7 });
        const left = [2, leaves[1], leaves[3], above[2], leaves[6], 15, 17, 18, 19, 20];
        expect(await contextOf(scoped, id)).toEqual(left);
        await expectSound(id);
      });

      it("stay when a message stands in their range that they were not made from", async () => {
        const { session, id, a, c } = await threeLevels();
        await append(session, [], { leaveContext: [{ seq: 6, reason: "branch" }] });
        const around = sampleSummary([5, 7]);
        await publish(id, around);
        await erase(id, [6]);
        expect(await contextOf(scoped, id)).toEqual([a.id, around.id, c.id, 10, 11, 12]);
        expect((await scoped.summary(around.id))?.content).toBe(around.content);
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
        expect(await contextOf(scoped, id)).toEqual([a.id, 5, 6, 7, c.id, 10, 11, 12]);
        await expectSound(id);
      });

      it("do not bring erased words back from an older dump", async () => {
        const { id, b, top } = await threeLevels();
        const copyPlace = await create();
        const copy = await copyPlace.open();
        try {
          const before = (await collect(store.dump())).filter(
            (row) => (row.row === "conversation" ? row.id : row.conversation) === id,
          );
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
        const stranger = store.scoped({ tenant: "other", agent: "default" });
        expect(await stranger.summary(top.id)).toBeUndefined();
        expect((await stranger.summaries(id, {})).rows).toEqual([]);
        expect(await stranger.summariesMadeFrom(id, { seq: 1 })).toEqual([]);
        expect(await stranger.summaryLevels(id, top.id)).toEqual([]);
        expect((await stranger.contextShape(id, {})).rows).toEqual([]);
        expect((await stranger.contextWindow(id, { maxTokens: 100 })).items).toEqual([]);
        const attack = stranger.commit([samplePublish(id, sampleSummary([10]))]);
        await expect(attack).rejects.toSatisfy((error) => isPalimpsestError(error, "not-found"));
      });
    });

    describe("the lock of compaction", () => {
      const isBusy = (error: unknown) =>
        isPalimpsestError(error, "busy") &&
        error.retryable &&
        error.message === "another process is compacting this conversation";
      const begin = (on: ScopedStore, id: string) => {
        const { promise: mayEnd, resolve: end } = Promise.withResolvers<string>();
        const { promise: began, resolve: hasBegun } = Promise.withResolvers<void>();
        const done = on.exclusively(id, () => {
          hasBegun();
          return mayEnd;
        });
        return { began: Promise.race([began, done]), end, done };
      };

      it("keeps out everybody else, in this process and in others, until the work is done", async () => {
        const [session, other] = [newSession(), newSession()];
        const id = conversationIdFor(session);
        await append(session, [sampleMessage("a")]);
        await append(other, [sampleMessage("a")]);
        const second = await place.open();
        try {
          const elsewhere = second.scoped(DEFAULT_SCOPE);
          const first = begin(scoped, id);
          await first.began;
          const refused = () => Promise.reject(new Error("ran although somebody else has the lock"));
          await expect(elsewhere.exclusively(id, refused)).rejects.toSatisfy(isBusy);
          await expect(scoped.exclusively(id, refused)).rejects.toSatisfy(isBusy);
          expect(await elsewhere.exclusively(conversationIdFor(other), async () => "other")).toBe("other");
          await elsewhere.commit([sampleAppend(session, [sampleMessage("b")])]);
          first.end("done");
          expect(await first.done).toBe("done");
          expect(await elsewhere.exclusively(id, async () => "next")).toBe("next");
        } finally {
          await second.close();
        }
      });

      it("is given back when the work fails", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        await append(session, [sampleMessage("a")]);
        const failing = scoped.exclusively(id, () => Promise.reject(new Error("the model failed")));
        await expect(failing).rejects.toThrow("the model failed");
        expect(await scoped.exclusively(id, async () => "again")).toBe("again");
      });

      it("is only for conversations of the scope", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        await append(session, [sampleMessage("a")]);
        const stranger = store.scoped({ tenant: "other", agent: "default" });
        await expect(stranger.exclusively(id, async () => "mine")).rejects.toSatisfy((error) =>
          isPalimpsestError(error, "not-found"),
        );
      });

      it("goes with a conversation that is deleted meanwhile", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        await append(session, [sampleMessage("a")]);
        const audit = { at: AT, action: "delete-conversation", conversation: id, detail: "{}" };
        const work = scoped.exclusively(id, () =>
          scoped.commit([{ kind: "delete-conversation", id, audit }]),
        );
        await expect(work).resolves.toMatchObject([{ messages: 1 }]);
      });
    });

    describe("conversations", () => {
      it("finds a session by its key first and adopts one that was known by its id", async () => {
        const session = newSession();
        await append(session, [sampleMessage("a")]);
        const address = { sessionId: session, sessionKey: `key-${session}` };
        const adopted = await append(session, [sampleMessage("b")], { address });
        expect(adopted.conversation.id).toBe(conversationIdFor(session));
        expect(adopted.conversation.sessionKey).toBe(`key-${session}`);
        const later = await append(session, [sampleMessage("c")], {
          address: { sessionId: "restarted", sessionKey: `key-${session}` },
        });
        expect(later.conversation).toMatchObject({ id: conversationIdFor(session), sessionId: "restarted" });
      });

      it("notes on opening one whether its title was given", async () => {
        const titled = async (more: { titleIsAutomatic?: boolean }) => {
          const session = newSession();
          const create = { id: conversationIdFor(session), title: "Named", createdAt: AT, ...more };
          return (await append(session, [sampleMessage("a")], { create })).conversation;
        };
        expect(await titled({})).toMatchObject({ title: "Named", titleIsAutomatic: true });
        expect(await titled({ titleIsAutomatic: true })).toMatchObject({ titleIsAutomatic: true });
        const given = await titled({ titleIsAutomatic: false });
        expect(given).toMatchObject({ title: "Named", titleIsAutomatic: false });
        expect(await scoped.conversation({ id: given.id })).toEqual(given);
      });

      it("renames, archives, and refuses to bring back a second active one for a session", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        await append(session, [sampleMessage("a")]);
        const renamed = onlyResult(
          await scoped.commit([{ kind: "update-conversation", id, title: "Named", at: AT }]),
          "update-conversation",
        );
        expect(renamed.conversation).toMatchObject({
          title: "Named",
          titleIsAutomatic: false,
          archivedAt: null,
        });
        await scoped.commit([{ kind: "update-conversation", id, archivedAt: AT, at: AT }]);
        expect((await allConversations(scoped, false)).has(id)).toBe(false);
        expect((await allConversations(scoped, true)).has(id)).toBe(true);
        const second = `conv_${"f".repeat(16)}`;
        await append(session, [sampleMessage("a")], { create: { id: second, title: null, createdAt: AT } });
        const back = scoped.commit([{ kind: "update-conversation", id, archivedAt: null, at: AT }]);
        await expect(back).rejects.toSatisfy((error) => isPalimpsestError(error, "conflict"));
      });

      it("deletes one whole and writes it down", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        await append(session, [sampleMessage("a"), sampleMessage("b")], {
          turnKey: "t",
          receipt: "{}",
          transcript: sampleTranscriptWrite({ path: `/${session}` }, [sampleLine(0)]),
        });
        await scoped.commit([samplePublish(id, sampleSummary([1]))]);
        const audit = { at: AT, action: "delete-conversation", conversation: id, detail: "{}" };
        const result = onlyResult(
          await scoped.commit([{ kind: "delete-conversation", id, audit }]),
          "delete-conversation",
        );
        expect(result.messages).toBe(2);
        expect(await scoped.conversation({ id })).toBeUndefined();
        expect(await scoped.transcriptsAt(`/${session}`)).toEqual([]);
        expect((await scoped.receipts(id, {})).rows).toEqual([]);
        expect((await scoped.compactionEvents(id, {})).rows).toEqual([]);
        expect((await scoped.auditLog({})).rows).toContainEqual(audit);
      });
    });

    describe("erasure", () => {
      it("removes content for good and keeps the chain whole (promise: erasable)", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        const secret = sampleMessage("sha256:content-key:1", "my secret", {
          parts: [{ type: "tool", toolCallId: "call-1", toolName: "shell", toolStatus: "pending" }],
        });
        await append(session, [sampleMessage("a"), secret, sampleMessage("c")], {
          transcript: sampleTranscriptWrite({ lastLineHash: "cd".repeat(32) }, [
            sampleLine(0, { kind: "event", content: "my secret again" }),
            sampleLine(1, {
              kind: "message",
              content: null,
              messageKey: secret.key,
              hash: "cd".repeat(32),
            }),
          ]),
        });
        const audit = { at: AT, action: "erase", conversation: id, detail: '{"messages":1}' };
        const write = {
          kind: "erase",
          id,
          seqs: [2],
          retold: [],
          lines: [{ transcript: 1, line: 0 }],
          title: null,
          at: AT,
          audit,
        } as const;
        expect(onlyResult(await scoped.commit([write]), "erase")).toEqual({
          kind: "erase",
          messages: 1,
          summaries: 0,
          lines: 1,
        });
        const erased = (await readAll(session))[1];
        expect(erased).toMatchObject({
          content: null,
          salt: null,
          key: "erased:2",
          excluded: "erased",
          erasedAt: AT,
        });
        expect(erased?.parts).toEqual([{ type: "tool", toolCallId: null, toolName: null, toolStatus: null }]);
        expect(await contextOf(scoped, id)).toEqual([1, 3]);
        const lines = (await scoped.transcriptLines(id, { transcript: 1 })).rows;
        expect(lines).toMatchObject([
          { kind: "erased", content: null, hash: null },
          { kind: "message", seq: 2, hash: null },
        ]);
        expect((await scoped.transcripts(id))[0]?.lastLineHash).toBeNull();
        expect(await verifyChain(scoped, id)).toBe(3);
        await store.compactFiles();
        const everything = JSON.stringify(await collect(store.dump()));
        expect(everything).not.toContain("my secret");
      });

      it("stays out of the context and is not brought back by a replay", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        const message = sampleMessage("t#0", "gone");
        await append(session, [message], { turnKey: "t" });
        const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
        await scoped.commit([
          { kind: "erase", id, seqs: [1], retold: [], lines: [], title: null, at: AT, audit },
        ]);
        expect((await append(session, [message], { turnKey: "t" })).status).toBe("duplicate");
        await append(session, [], { enterContext: [1], leaveContext: [{ seq: 1, reason: "branch" }] });
        expect(await contextOf(scoped, id)).toEqual([]);
        expect((await readAll(session))[0]).toMatchObject({ content: null, excluded: "erased" });
      });

      it("is not stored again as another version of its key, and its line comes without a hash", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        const [secret, other] = [sampleMessage("a", "my secret"), sampleMessage("b", "other")];
        await append(session, [secret, other]);
        const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
        await scoped.commit([
          { kind: "erase", id, seqs: [1], retold: [], lines: [], title: null, at: AT, audit },
        ]);
        const hash = "cd".repeat(32);
        const again = await append(session, [sampleMessage("x"), { ...other }, { ...secret }], {
          onOtherContent: "branch",
          afterSeq: 0,
          transcript: sampleTranscriptWrite({ path: `/${session}`, lastLineHash: hash }, [
            sampleLine(0, { kind: "message", content: null, messageKey: "b", hash: "ab".repeat(32) }),
            sampleLine(1, { kind: "message", content: null, messageKey: "a", hash }),
          ]),
        });
        expect(again.messages).toEqual([
          { key: "x", seq: 3, existed: false, erased: false },
          { key: "b~2", seq: 4, existed: false, erased: false },
          { key: "a", seq: 1, existed: true, erased: true },
        ]);
        const lines = (await scoped.transcriptLines(id, { transcript: 1 })).rows;
        expect(lines).toMatchObject([
          { seq: 4, hash: "ab".repeat(32) },
          { seq: 1, hash: null },
        ]);
        expect((await scoped.transcripts(id))[0]?.lastLineHash).toBeNull();
        expect(await contextOf(scoped, id)).toEqual([2, 3, 4]);
        expect(JSON.stringify(await collect(store.dump()))).not.toContain("my secret");
      });

      it("gives way to another version of its key that has what comes", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        const later = sampleMessage("a", "later");
        await append(session, [sampleMessage("a", "first")]);
        await append(session, [later], { onOtherContent: "branch" });
        const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
        await scoped.commit([
          { kind: "erase", id, seqs: [1], retold: [], lines: [], title: null, at: AT, audit },
        ]);
        const found = await append(session, [{ ...later }], { onOtherContent: "branch" });
        expect(found.messages).toEqual([{ key: "a~2", seq: 2, existed: true, erased: false }]);
        const gone = await append(session, [sampleMessage("a", "first")], { onOtherContent: "branch" });
        expect(gone.messages).toEqual([{ key: "a", seq: 1, existed: true, erased: true }]);
        await expect(append(session, [sampleMessage("a", "any")])).resolves.toMatchObject({
          messages: [{ seq: 1, existed: true, erased: true }],
        });
      });

      it("leaves alone what another version of its key says, also in another place", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        const later = sampleMessage("a", "later");
        await append(session, [sampleMessage("a", "first")]);
        await append(session, [later], { onOtherContent: "branch" });
        const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
        await scoped.commit([
          { kind: "erase", id, seqs: [1], retold: [], lines: [], title: null, at: AT, audit },
        ]);
        const hash = "ab".repeat(32);
        const moved = await append(session, [sampleMessage("a", "first"), { ...later }], {
          onOtherContent: "branch",
          afterSeq: 2,
          transcript: sampleTranscriptWrite({ path: `/${session}`, lastLineHash: hash }, [
            sampleLine(0, { kind: "message", content: null, messageKey: "a", hash: "cd".repeat(32) }),
            sampleLine(1, { kind: "message", content: null, messageKey: "a", hash }),
          ]),
        });
        expect(moved.messages).toEqual([
          { key: "a", seq: 1, existed: true, erased: true },
          { key: "a~3", seq: 3, existed: false, erased: false },
        ]);
        expect((await scoped.transcriptLines(id, { transcript: 1 })).rows).toMatchObject([
          { seq: 1, hash: null },
          { seq: 3, hash },
        ]);
      });

      it("is recognised when its turn comes again, also when its key went with its content", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        const messages = [
          sampleMessage("sha256:one:1", "one"),
          sampleMessage("t#1"),
          sampleMessage("sha256:two:1", "two"),
        ];
        await append(session, [sampleMessage("before")]);
        await append(session, messages, { turnKey: "t" });
        const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
        await scoped.commit([
          { kind: "erase", id, seqs: [2, 4], retold: [], lines: [], title: null, at: AT, audit },
        ]);
        const replay = await append(session, messages, { turnKey: "t" });
        expect(replay.status).toBe("duplicate");
        expect(replay.messages).toEqual([
          { key: "erased:2", seq: 2, existed: true, erased: true },
          { key: "t#1", seq: 3, existed: true, erased: false },
          { key: "erased:4", seq: 4, existed: true, erased: true },
        ]);
        expect((await readAll(session)).map((message) => message.content === null)).toEqual([
          false,
          true,
          false,
          true,
        ]);
        const other = [...messages.slice(0, 2), sampleMessage("sha256:three:1", "three")];
        await expect(append(session, other, { turnKey: "t" })).rejects.toSatisfy((error) =>
          isPalimpsestError(error, "conflict"),
        );
      });
    });

    describe("transcripts", () => {
      it("keeps lines with their messages and replaces a torn one when it is complete", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        const path = `/host/${session}.jsonl`;
        await append(session, [sampleMessage("m1")], {
          transcript: sampleTranscriptWrite({ path, lineCount: 3 }, [
            sampleLine(0, { entryKey: "e0", response: "r" }),
            sampleLine(1, { kind: "message", content: null, messageKey: "m1", parentKey: "e0" }),
            sampleLine(2, { kind: "torn", content: Uint8Array.of(0x7b, 0xff), problem: "not complete" }),
          ]),
        });
        const [state] = await scoped.transcriptsAt(path);
        expect(state).toEqual({
          ...sampleTranscript({ path, lineCount: 3 }),
          conversation: id,
          updatedAt: AT,
        });
        await append(session, [], {
          transcript: sampleTranscriptWrite(
            { path, lineCount: 3, offset: 99 },
            [sampleLine(2)],
            basisOf([sampleTranscript({ lineCount: 3 })], 1),
          ),
        });
        const lines = (await scoped.transcriptLines(id, { transcript: 1 })).rows;
        expect(lines.map(({ line, kind, seq }) => ({ line, kind, seq }))).toEqual([
          { line: 0, kind: "event", seq: null },
          { line: 1, kind: "message", seq: 1 },
          { line: 2, kind: "event", seq: null },
        ]);
        expect((await scoped.transcriptsAt(path))[0]?.offset).toBe(99);
        const unread = await scoped.transcriptLines(id, { transcript: 1, kinds: ["torn", "unreadable"] });
        expect(unread.rows).toEqual([]);
      });

      it("are not written by one who planned from what another has changed meanwhile (promise: atomic)", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        const path = `/host/${session}.jsonl`;
        const read = (state: Partial<Transcript>, ...planned: Parameters<typeof basisOf>) =>
          append(session, [sampleMessage(`line ${state.number}-${state.offset}`)], {
            transcript: sampleTranscriptWrite({ path, ...state }, [], basisOf(...planned)),
          });
        const [short, long, second] = [
          sampleTranscript({ path, number: 1, offset: 10 }),
          sampleTranscript({ path, number: 1, offset: 20 }),
          sampleTranscript({ path, number: 2, offset: 30 }),
        ];
        await read(short, [], null);
        const tooLate: [Partial<Transcript>, ...Parameters<typeof basisOf>][] = [
          [{ number: 1, offset: 15 }, [], null],
          [{ number: 1, offset: 25 }, [short], 1],
          [{ number: 2, offset: 35 }, [short], 1],
          [{ number: 1, offset: 45 }, [long], 1],
          [{ number: 2, offset: 55 }, [long], 1],
          [{ number: 1, offset: 65 }, [{ ...long, lastLineHash: null }, second], 1],
        ];
        const expectRefused = async ([state, ...planned]: (typeof tooLate)[number]) =>
          expect(read(state, ...planned)).rejects.toSatisfy(
            (error) => isPalimpsestError(error, "busy") && error.retryable,
          );
        for (const write of tooLate.slice(0, 1)) await expectRefused(write);
        await read(long, [short], 1);
        for (const write of tooLate.slice(0, 3)) await expectRefused(write);
        await read(second, [long], 1);
        for (const write of tooLate) await expectRefused(write);
        expect((await scoped.transcripts(id)).map(({ number, offset }) => [number, offset])).toEqual([
          [1, 20],
          [2, 30],
        ]);
        expect((await readAll(session)).map(({ key }) => key)).toEqual([
          "line 1-10",
          "line 1-20",
          "line 2-30",
        ]);
        await read({ number: 1, offset: 70 }, [long, second], 1);
      });
    });

    describe("scopes", () => {
      it("shows nothing of another tenant or agent and changes nothing there (promise: scoped)", async () => {
        const session = newSession();
        const id = conversationIdFor(session);
        await append(session, [sampleMessage("a")], {
          transcript: sampleTranscriptWrite({ path: `/${session}` }, [sampleLine(0)]),
        });
        const strangers: Scope[] = [
          { tenant: "other", agent: "default" },
          { tenant: "default", agent: "other" },
        ];
        for (const scope of strangers) {
          const stranger = store.scoped(scope);
          expect(await stranger.conversation({ id })).toBeUndefined();
          expect(await stranger.conversation({ sessionId: session, sessionKey: null })).toBeUndefined();
          expect((await stranger.messages(id, {})).rows).toEqual([]);
          expect((await stranger.contextItems(id, {})).rows).toEqual([]);
          expect((await stranger.turns(id, {})).rows).toEqual([]);
          expect(await stranger.transcripts(id)).toEqual([]);
          expect(await stranger.transcriptsAt(`/${session}`)).toEqual([]);
          expect((await stranger.transcriptLines(id, { transcript: 1 })).rows).toEqual([]);
          expect((await stranger.conversations({ archived: true })).rows.map((row) => row.id)).not.toContain(
            id,
          );
          const audit = { at: AT, action: "x", conversation: id, detail: "{}" };
          const attacks = [
            sampleAppend(session, [sampleMessage("x")], { address: { id }, create: null }),
            { kind: "update-conversation", id, title: "mine", at: AT } as const,
            { kind: "delete-conversation", id, audit } as const,
            { kind: "erase", id, seqs: [1], retold: [], lines: [], title: null, at: AT, audit } as const,
            {
              kind: "reindex",
              id,
              messages: [],
              enterContext: [],
              enterSummaries: [],
              dropOrdinals: [1024],
            } as const,
          ];
          for (const write of attacks)
            await expect(stranger.commit([write])).rejects.toSatisfy((error) =>
              isPalimpsestError(error, "not-found"),
            );
        }
        expect(await contextOf(scoped, id)).toEqual([1]);
      });

      it("lets two scopes use the same session id", async () => {
        const session = newSession();
        await append(session, [sampleMessage("a")]);
        const other = store.scoped({ tenant: "acme", agent: "bot" });
        const create = { id: `conv_${"e".repeat(16)}`, title: null, createdAt: AT };
        await other.commit([sampleAppend(session, [sampleMessage("a", "theirs")], { create })]);
        expect((await readAll(session))[0]?.content).not.toContain("theirs");
        expect(await store.scopes()).toContainEqual({ tenant: "acme", agent: "bot" });
      });
    });

    describe("many writers", () => {
      it("loses and doubles nothing when several connections write to one conversation", async () => {
        const session = newSession();
        await append(session, [sampleMessage("first")]);
        const stores = await Promise.all([place.open(), place.open(), place.open()]);
        await Promise.all(
          stores.flatMap((other, writer) =>
            Array.from({ length: 20 }, (_, i) =>
              other.scoped(DEFAULT_SCOPE).commit([sampleAppend(session, [sampleMessage(`w${writer}-${i}`)])]),
            ),
          ),
        );
        await Promise.all(stores.map((other) => other.close()));
        const messages = await readAll(session);
        expect(messages.map((message) => message.seq)).toEqual(Array.from({ length: 61 }, (_, i) => i + 1));
        expect(new Set(messages.map((message) => message.key)).size).toBe(61);
        expect(await verifyChain(scoped, conversationIdFor(session))).toBe(61);
      });
    });

    describe("the whole store", () => {
      it("reports what is in it and how durable it is", async () => {
        const info = await store.info();
        expect(info.messages).toBeGreaterThan(0);
        expect(info.conversations).toBeGreaterThan(0);
        expect(info.bytesOnDisk).toBeGreaterThan(0);
        expect(Object.keys(info.durability).length).toBeGreaterThan(0);
        expect(await store.checkEngine()).toEqual([]);
      });

      it("dumps and loads to an identical store, and again without change (promise: portable)", async () => {
        const rows = await collect(store.dump());
        const copyPlace = await create();
        const copy = await copyPlace.open();
        try {
          const report = await copy.load(feed(rows), { replace: false });
          expect(report.messages).toBe(rows.filter((row) => row.row === "message").length);
          expect(await collect(copy.dump())).toEqual(rows);
          expect(new Set(rows.map((row) => row.row))).toEqual(EVERY_ROW);
          const again = await copy.load(feed(rows), { replace: false });
          expect(again).toMatchObject({ conversations: 0, messages: 0 });
          expect(await collect(copy.dump())).toEqual(rows);
          await copy.load(feed(rows), { replace: true });
          expect(await collect(copy.dump())).toEqual(rows);
        } finally {
          await copy.close();
          await copyPlace.dispose();
        }
      });

      it("takes in only what is missing of a conversation that went on elsewhere", async () => {
        const session = newSession();
        const copyPlace = await create();
        const copy = await copyPlace.open();
        try {
          await append(session, [sampleMessage("a")]);
          await copy.load(feed(await collect(store.dump())), { replace: true });
          await append(session, [sampleMessage("b")]);
          const report = await copy.load(feed(await collect(store.dump())), { replace: false });
          expect(report.messages).toBe(1);
          expect(await contextOf(copy.scoped(DEFAULT_SCOPE), conversationIdFor(session))).toEqual([1, 2]);
          await copy.scoped(DEFAULT_SCOPE).commit([sampleAppend(session, [sampleMessage("here")])]);
          await append(session, [sampleMessage("there")]);
          const parted = copy.load(feed(await collect(store.dump())), { replace: false });
          await expect(parted).rejects.toSatisfy((error) => isPalimpsestError(error, "conflict"));
        } finally {
          await copy.close();
          await copyPlace.dispose();
        }
      });

      /** A conversation of six messages here and in a second store, which has nothing else. */
      async function inTwoStores(run: (pair: Pair) => Promise<void>): Promise<void> {
        const session = newSession();
        const id = conversationIdFor(session);
        const copyPlace = await create();
        const copy = await copyPlace.open();
        const rowsOf = async (from: Store) =>
          (await collect(from.dump())).filter(
            (row) => (row.row === "conversation" ? row.id : row.conversation) === id,
          );
        const bring = async () => copy.load(feed(await rowsOf(store)), { replace: false });
        try {
          const messages = Array.from({ length: 6 }, (_, i) => sampleMessage(`k${i + 1}`));
          await append(session, messages, { receipt: "{}" });
          await bring();
          await run({ session, id, copy, there: copy.scoped(DEFAULT_SCOPE), rowsOf, bring });
        } finally {
          await copy.close();
          await copyPlace.dispose();
        }
      }

      it("takes over the context of a conversation that was compacted elsewhere (promise: portable)", async () => {
        await inTwoStores(async ({ session, id, copy, there, rowsOf, bring }) => {
          const [a, b] = [sampleSummary([1, 2]), sampleSummary([3, 4])];
          await scoped.commit([samplePublish(id, a)]);
          expect(await bring()).toMatchObject({
            conversations: 0,
            messages: 0,
            summaries: 1,
            alreadyThere: 6,
          });
          expect(await contextOf(there, id)).toEqual([a.id, 3, 4, 5, 6]);
          expect(await rowsOf(copy)).toEqual(await rowsOf(store));

          const later = "2026-03-02T10:00:00.000Z";
          const more = [sampleMessage("k7"), sampleMessage("k8", "k8", { excluded: "heartbeat" })];
          await append(session, more, {
            receipt: "{}",
            at: later,
            leaveContext: [{ seq: 6, reason: "branch" }],
          });
          await scoped.commit([{ ...samplePublish(id, b), at: later }]);
          await scoped.commit([{ ...samplePublish(id, sampleSummary([a.id, b.id])), at: later }]);
          await scoped.commit([{ kind: "update-conversation", id, title: "Elsewhere", at: later }]);
          expect(await bring()).toMatchObject({ messages: 2, summaries: 2 });
          expect(await rowsOf(copy)).toEqual(await rowsOf(store));

          await append(session, [], { enterContext: [6], at: "2026-03-03T10:00:00.000Z" });
          expect(await bring()).toMatchObject({ messages: 0, summaries: 0 });
          expect(await rowsOf(copy)).toEqual(await rowsOf(store));
          expect(await bring()).toMatchObject({ messages: 0, summaries: 0 });
        });
      });

      it("takes over a context also when only the title was changed here, and keeps that title", async () => {
        await inTwoStores(async ({ id, there, bring }) => {
          const at = "2026-03-02T10:00:00.000Z";
          await there.commit([{ kind: "update-conversation", id, title: "Here", at }]);
          const summary = sampleSummary([1, 2]);
          await scoped.commit([samplePublish(id, summary)]);
          await bring();
          expect(await contextOf(there, id)).toEqual([summary.id, 3, 4, 5, 6]);
          expect(await there.conversation({ id })).toMatchObject({ title: "Here", contextItems: 5 });
        });
      });

      it("keeps its own context when both sides went on, and the other side's summaries on record", async () => {
        await inTwoStores(async ({ session, id, there, bring }) => {
          const [here, elsewhere] = [sampleSummary([2, 3]), sampleSummary([1, 2])];
          await there.commit([samplePublish(id, here)]);
          await scoped.commit([samplePublish(id, elsewhere)]);
          await append(session, [sampleMessage("k7")]);
          expect(await bring()).toMatchObject({ messages: 1, summaries: 1 });
          expect(await contextOf(there, id)).toEqual([1, here.id, 4, 5, 6, 7]);
          expect((await there.summary(elsewhere.id))?.content).toBe(elsewhere.content);
          expect((await there.compactionEvents(id, {})).rows.map((event) => event.summary)).toEqual([
            here.id,
            elsewhere.id,
          ]);
          expect(await there.conversation({ id })).toMatchObject({ contextItems: 6 });
        });
      });

      it("keeps its own context when it is the later one, or when something was erased only here", async () => {
        await inTwoStores(async ({ session, id, there, bring }) => {
          const at = "2026-03-02T10:00:00.000Z";
          const leaveContext = [{ seq: 2, reason: "branch" as const }];
          await there.commit([sampleAppend(session, [], { leaveContext, at })]);
          await bring();
          expect(await contextOf(there, id)).toEqual([1, 3, 4, 5, 6]);
          const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
          const erase = { kind: "erase", id, seqs: [5], retold: [], lines: [], title: null } as const;
          await there.commit([{ ...erase, at, audit }]);
          await scoped.commit([
            { ...samplePublish(id, sampleSummary([4, 5, 6])), at: "2026-03-03T10:00:00.000Z" },
          ]);
          await bring();
          expect(await contextOf(there, id)).toEqual([1, 3, 4, 6]);
          expect((await there.summaries(id, {})).rows.map((summary) => summary.content)).toEqual([null]);
        });
      });

      it("refuses a changed or cut dump and keeps what was there", async () => {
        const rows = await collect(store.dump());
        const copyPlace = await create();
        const copy = await copyPlace.open();
        try {
          await copy.load(feed(rows), { replace: true });
          const tampered = rows.map((row) =>
            row.row === "message" && row.seq === 1 ? { ...row, content: "{}" } : row,
          );
          const cut = rows.filter((row) => !(row.row === "message" && row.seq === 1));
          for (const bad of [tampered, cut])
            await expect(copy.load(feed(bad), { replace: true })).rejects.toSatisfy((error) =>
              isPalimpsestError(error, "store-corrupt"),
            );
          expect(await collect(copy.dump())).toEqual(rows);
        } finally {
          await copy.close();
          await copyPlace.dispose();
        }
      });

      it("stops a load when it is told to, tells how far it came, and keeps what was there", async () => {
        const rows = await collect(store.dump());
        const copyPlace = await create();
        const copy = await copyPlace.open();
        try {
          const seen: number[] = [];
          const onProgress = (progress: { rows: number }) => seen.push(progress.rows);
          await copy.load(feed(rows.slice(0, 0)), { replace: false, onProgress });
          await copy.load(feed(rows), { replace: false, onProgress });
          expect([seen[0], seen.at(-1)]).toEqual([0, rows.length]);
          for (const replace of [true, false]) {
            const stop = new AbortController();
            const stopping = async function* () {
              yield* rows.slice(0, -1);
              stop.abort();
              yield* rows.slice(-1);
            };
            const load = copy.load(stopping(), { replace, signal: stop.signal });
            await expect(load).rejects.toSatisfy((error) => isPalimpsestError(error, "cancelled"));
            expect(await collect(copy.dump())).toEqual(rows);
          }
          const late = AbortSignal.abort();
          await expect(copy.load(feed([]), { replace: true, signal: late })).rejects.toThrow(/cancelled/);
          expect(await collect(copy.dump())).toEqual(rows);
        } finally {
          await copy.close();
          await copyPlace.dispose();
        }
      });

      it("lets a dump be left early, and others write meanwhile", async () => {
        const session = newSession();
        for await (const row of store.dump()) {
          await append(session, [sampleMessage("during")]);
          expect(row.row).toBe("conversation");
          break;
        }
        expect((await readAll(session)).length).toBe(1);
      });

      it("opens again with everything in it", async () => {
        const rows = await collect(store.dump());
        await store.close();
        store = await place.open();
        scoped = store.scoped(DEFAULT_SCOPE);
        expect(await collect(store.dump())).toEqual(rows);
      });
    });
  });
}

interface Pair {
  readonly session: string;
  readonly id: string;
  readonly copy: Store;
  readonly there: ScopedStore;
  /** The rows of this conversation. */
  rowsOf(from: Store): Promise<DumpRow[]>;
  /** Loads what the first store has of it into the second. */
  bring(): ReturnType<Store["load"]>;
}

/** A kind of row that no test above makes would not be tested here. */
const EVERY_ROW: ReadonlySet<DumpRow["row"]> = new Set([
  "conversation",
  "message",
  "summary",
  "compaction-event",
  "context-item",
  "turn",
  "receipt",
  "transcript",
  "transcript-line",
  "audit",
]);

function bytesOf(content: string | Uint8Array | null | undefined): Buffer | undefined {
  if (content === null || content === undefined) return undefined;
  return typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);
}

export async function readMessages(scoped: ScopedStore, id: string, query = {}): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page: Awaited<ReturnType<ScopedStore["messages"]>> = await scoped.messages(id, { ...query, from });
    messages.push(...page.rows);
    from = page.next;
  }
  return messages;
}

/** Seqs of messages and ids of summaries, as they stand in the context. */
async function contextOf(scoped: ScopedStore, id: string): Promise<(number | string)[]> {
  const { rows } = await scoped.contextItems(id, {});
  return rows.map((item) => (item.type === "message" ? item.seq : item.summary));
}

async function allConversations(scoped: ScopedStore, archived: boolean): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let from: number | null = 0; from !== null; ) {
    const page: Awaited<ReturnType<ScopedStore["conversations"]>> = await scoped.conversations({
      archived,
      from,
      limit: 3,
    });
    for (const row of page.rows) ids.add(row.id);
    from = page.next;
  }
  return ids;
}

/** Recomputes every hash of a conversation. Gives the number of messages that were checked. */
async function verifyChain(scoped: ScopedStore, id: string): Promise<number> {
  let previous = "";
  const messages = await readMessages(scoped, id);
  for (const message of messages) {
    if (message.content !== null && message.salt !== null)
      expect(digestContent(message.salt, message.content)).toBe(message.digest);
    expect(chainHash(previous, message, message.digest)).toBe(message.hash);
    previous = message.hash;
  }
  expect(merkleRoot(messages.map((message) => message.hash))).toHaveLength(64);
  return messages.length;
}

export async function collect(rows: AsyncIterable<DumpRow>): Promise<DumpRow[]> {
  const list: DumpRow[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

async function* feed(rows: readonly DumpRow[]): AsyncIterable<DumpRow> {
  yield* rows;
}
