import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../../errors.ts";
import { DEFAULT_SCOPE } from "../../../types.ts";
import type { DumpRow, ScopedStore, Store } from "../../store.ts";
import {
  AT,
  conversationIdFor,
  sampleAppend,
  sampleMessage,
  samplePublish,
  sampleSummary,
} from "../sample.ts";
import { belongsTo, collect, contextOf, feed } from "./read-store.ts";
import type { StoreInUse } from "./store-in-use.ts";

export function describeWholeStore(use: StoreInUse): void {
  const { append, readAll, newSession } = use;

  describe("the whole store", () => {
    it("reports what is in it and how durable it is", async () => {
      const info = await use.store.info();
      expect(info.messages).toBeGreaterThan(0);
      expect(info.conversations).toBeGreaterThan(0);
      expect(info.bytesOnDisk).toBeGreaterThan(0);
      expect(Object.keys(info.durability).length).toBeGreaterThan(0);
      expect(await use.store.checkEngine()).toEqual([]);
    });

    it("dumps and loads to an identical store, and again without change (promise: portable)", async () => {
      const rows = await collect(use.store.dump());
      const copyPlace = await use.create();
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
        const replaced = await collect(copy.dump());
        // Numbers of memories are never assigned twice.
        expect(replaced.map(withoutNumber)).toEqual(rows.map(withoutNumber));
        const numbers = new Set(rows.map(numberOf).filter((number) => number !== null));
        expect(numbers.isDisjointFrom(new Set(replaced.map(numberOf)))).toBe(true);
      } finally {
        await copy.close();
        await copyPlace.dispose();
      }
    });

    const withoutNumber = (row: DumpRow) => (row.row === "memory" ? { ...row, number: 0 } : row);
    const numberOf = (row: DumpRow) =>
      row.row === "memory" ? JSON.stringify([row.tenant, row.scope, row.number]) : null;

    it("takes in only what is missing of a conversation that went on elsewhere", async () => {
      const session = newSession();
      const copyPlace = await use.create();
      const copy = await copyPlace.open();
      try {
        await append(session, [sampleMessage("a")]);
        await copy.load(feed(await collect(use.store.dump())), { replace: true });
        await append(session, [sampleMessage("b")]);
        const report = await copy.load(feed(await collect(use.store.dump())), { replace: false });
        expect(report.messages).toBe(1);
        expect(await contextOf(copy.scoped(DEFAULT_SCOPE), conversationIdFor(session))).toEqual([1, 2]);
        await copy.scoped(DEFAULT_SCOPE).commit([sampleAppend(session, [sampleMessage("here")])]);
        await append(session, [sampleMessage("there")]);
        const parted = copy.load(feed(await collect(use.store.dump())), { replace: false });
        await expect(parted).rejects.toSatisfy((error) => isPalimpsestError(error, "conflict"));
      } finally {
        await copy.close();
        await copyPlace.dispose();
      }
    });

    /** A conversation of six messages here and in a second store that contains nothing else. */
    async function inTwoStores(run: (pair: Pair) => Promise<void>): Promise<void> {
      const session = newSession();
      const id = conversationIdFor(session);
      const copyPlace = await use.create();
      const copy = await copyPlace.open();
      const rowsOf = async (from: Store) => (await collect(from.dump())).filter((row) => belongsTo(row, id));
      const bring = async () => copy.load(feed(await rowsOf(use.store)), { replace: false });
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
        await use.scoped.commit([samplePublish(id, a)]);
        expect(await bring()).toMatchObject({
          conversations: 0,
          messages: 0,
          summaries: 1,
          alreadyThere: 6,
        });
        expect(await contextOf(there, id)).toEqual([a.id, 3, 4, 5, 6]);
        expect(await rowsOf(copy)).toEqual(await rowsOf(use.store));

        const later = "2026-03-02T10:00:00.000Z";
        const more = [sampleMessage("k7"), sampleMessage("k8", "k8", { excluded: "heartbeat" })];
        await append(session, more, {
          receipt: "{}",
          at: later,
          leaveContext: [{ seq: 6, reason: "branch" }],
        });
        await use.scoped.commit([{ ...samplePublish(id, b), at: later }]);
        await use.scoped.commit([{ ...samplePublish(id, sampleSummary([a.id, b.id])), at: later }]);
        await use.scoped.commit([{ kind: "update-conversation", id, title: "Elsewhere", at: later }]);
        expect(await bring()).toMatchObject({ messages: 2, summaries: 2 });
        expect(await rowsOf(copy)).toEqual(await rowsOf(use.store));

        await append(session, [], { enterContext: [6], at: "2026-03-03T10:00:00.000Z" });
        expect(await bring()).toMatchObject({ messages: 0, summaries: 0 });
        expect(await rowsOf(copy)).toEqual(await rowsOf(use.store));
        expect(await bring()).toMatchObject({ messages: 0, summaries: 0 });
      });
    });

    it("takes over a context also when only the title was changed here, and keeps that title", async () => {
      await inTwoStores(async ({ id, there, bring }) => {
        const at = "2026-03-02T10:00:00.000Z";
        await there.commit([{ kind: "update-conversation", id, title: "Here", at }]);
        const summary = sampleSummary([1, 2]);
        await use.scoped.commit([samplePublish(id, summary)]);
        await bring();
        expect(await contextOf(there, id)).toEqual([summary.id, 3, 4, 5, 6]);
        expect(await there.conversation({ id })).toMatchObject({ title: "Here", contextItems: 5 });
      });
    });

    it("keeps its own context when both sides went on, and the other side's summaries on record", async () => {
      await inTwoStores(async ({ session, id, there, bring }) => {
        const [here, elsewhere] = [sampleSummary([2, 3]), sampleSummary([1, 2])];
        await there.commit([samplePublish(id, here)]);
        await use.scoped.commit([samplePublish(id, elsewhere)]);
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
        await use.scoped.commit([
          { ...samplePublish(id, sampleSummary([4, 5, 6])), at: "2026-03-03T10:00:00.000Z" },
        ]);
        await bring();
        expect(await contextOf(there, id)).toEqual([1, 3, 4, 6]);
        expect((await there.summaries(id, {})).rows.map((summary) => summary.content)).toEqual([null]);
      });
    });

    it("refuses a changed or cut dump and keeps what was there", async () => {
      const rows = await collect(use.store.dump());
      const copyPlace = await use.create();
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
      const rows = await collect(use.store.dump());
      const copyPlace = await use.create();
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
      for await (const row of use.store.dump()) {
        await append(session, [sampleMessage("during")]);
        expect(row.row).toBe("conversation");
        break;
      }
      expect((await readAll(session)).length).toBe(1);
    });

    it("opens again with everything in it", async () => {
      const rows = await collect(use.store.dump());
      await use.reopen();
      expect(await collect(use.store.dump())).toEqual(rows);
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
  /** Loads the first store's rows of it into the second. */
  bring(): ReturnType<Store["load"]>;
}

/** A kind of row that no test above creates would not be tested here. */
const EVERY_ROW: ReadonlySet<DumpRow["row"]> = new Set([
  "conversation",
  "message",
  "file-content",
  "summary",
  "compaction-event",
  "context-item",
  "turn",
  "receipt",
  "transcript",
  "transcript-line",
  "memory",
  "decision",
  "capture",
  "audit",
]);
