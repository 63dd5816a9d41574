/** What other rows say is missing nothing in a store that is sound, however its rows came to be. */
import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { EVERY_SCOPE } from "../../src/store/memory-store.ts";
import { sampleMemory, sampleRemember } from "../../src/store/testing/sample-memory.ts";
import { ENGINES, type Place, steadyClock, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const config = { logLevel: "silent", contextThreshold: 0.5, leafChunkTokens: 400 } as const;

describe.each(ENGINES)("sound rows on %s", (kind) => {
  const folder = temporaryFolder();
  const opened: [Place, Engine][] = [];

  afterAll(async () => {
    for (const [place, engine] of opened) {
      await engine.close();
      await place.dispose();
    }
    rmSync(folder, { recursive: true, force: true });
  });

  async function store(): Promise<Engine> {
    const place = await temporaryPlace(kind);
    const engine = await open({ store: place.store, background: "off", config, clock: steadyClock() });
    opened.push([place, engine]);
    return engine;
  }
  const copy = (from: Engine, to: Engine) => to.store.load(from.store.dump(), { replace: false });
  const problems = async (engine: Engine) =>
    (await runOperation(verify, engine, {})).problems.map(({ message }) => message);
  const say = (engine: Engine, conversation: string, key: string, words = key) =>
    engine.context.commitTurn({
      conversation,
      key,
      messages: [
        { role: "user", content: `${words}?` },
        { role: "assistant", content: `${words} ${"is so and so. ".repeat(40)}` },
      ],
    });
  async function grow(engine: Engine, conversation: string, from: number, to: number) {
    for (let i = from; i < to; i++) await say(engine, conversation, `turn ${i}`, `${conversation} ${i}`);
    return engine.context.compact({ conversation, budget: 2_000, untilUnder: 800 });
  }

  it("of turns that begin with a message on record, under ids of the host", async () => {
    const engine = await store();
    const m = (id: string) => ({ role: "user", id, content: `words of ${id}` });
    await engine.context.commitTurn({ conversation: "c", key: "a", messages: [m("a#0"), m("a#1")] });
    await engine.context.commitTurn({ conversation: "c", key: "b", messages: [m("a#1"), m("b#0")] });
    await engine.context.commitTurn({
      conversation: "c",
      key: "x",
      messages: [m("a#0"), m("a#1"), m("b#0"), m("z#0")],
    });
    await engine.context.commitTurn({
      conversation: "c",
      key: "d",
      messages: [m("d#1"), m("b#0"), m("e#0")],
    });
    await engine.context.commitTurn({ conversation: "c", key: "f", messages: [m("b#0"), m("f#0")] });
    expect(await problems(engine)).toEqual([]);
  });

  it("of a view, under ids of the host", async () => {
    const engine = await store();
    await engine.context.reconcile({
      conversation: "v",
      view: [{ message: { role: "user", id: "q#0", content: "hello" } }],
    });
    expect(await problems(engine)).toEqual([]);
  });

  it("of histories that went on in two stores and were merged", async () => {
    const [a, b, c] = [await store(), await store(), await store()];
    await grow(a, "c", 0, 14);
    await copy(a, b);
    await copy(a, c);
    await grow(a, "c", 14, 28);
    await grow(b, "c", 14, 15).catch(() => {});
    await copy(a, c);
    expect(await problems(c)).toEqual([]);
    await grow(c, "c", 28, 42);
    expect(await problems(c)).toEqual([]);
    await copy(c, a);
    await grow(a, "c", 42, 56);
    expect(await problems(a)).toEqual([]);
    await copy(a, c);
    expect(await problems(c)).toEqual([]);
  });

  it("of contexts that were compacted apart", async () => {
    const [a, b] = [await store(), await store()];
    for (let i = 0; i < 20; i++) await say(a, "c", `turn ${i}`);
    await copy(a, b);
    await a.context.compact({ conversation: "c", budget: 2_000, untilUnder: 2_000 });
    await b.context.compact({ conversation: "c", budget: 1_500, untilUnder: 800 });
    for (let i = 20; i < 22; i++) await say(b, "c", `turn ${i}`);
    await copy(b, a);
    expect(await problems(a)).toEqual([]);
    await grow(a, "c", 22, 36);
    expect(await problems(a)).toEqual([]);
    await copy(a, b);
    expect(await problems(b)).toEqual([]);
  });

  it("of what was erased, deleted, archived and brought again", async () => {
    const [a, b] = [await store(), await store()];
    await grow(a, "c", 0, 12);
    await grow(a, "d", 0, 4);
    await grow(a, "e", 0, 4);
    const open = () =>
      (async function* () {
        yield new TextEncoder().encode("notes\n".repeat(100));
      })();
    for (const conversation of ["c", "d"])
      await a.context.files.attach({ conversation, name: "n.txt", open });
    await copy(a, b);
    await a.context.erase({ conversation: "c", from: 3, to: 4 });
    await a.context.erase({ conversation: "d", from: 9, to: 9, also: true });
    await a.context.files.attach({ conversation: "e", name: "n.txt", open });
    await a.context.files.attach({ conversation: "new", name: "n.txt", open });
    await a.context.files.attach({ conversation: "d", name: "n.txt", open });
    expect(await problems(a)).toEqual([]);
    await copy(a, b);
    expect(await problems(b)).toEqual([]);
    const { id } = await a.context.conversations.get("d");
    await a.context.conversations.archive("e");
    await a.context.conversations.delete(id);
    expect(await problems(a)).toEqual([]);
    await copy(b, a);
    expect(await problems(a)).toEqual([]);
    await copy(a, b);
    expect(await problems(b)).toEqual([]);
    const c = await store();
    await copy(b, c);
    expect(await problems(c)).toEqual([]);
  });

  it("of memories that come with what they were made from erased here", async () => {
    const [a, b] = [await store(), await store()];
    await say(a, "c", "one");
    await a.memory.store({ text: "The customer pays invoice 7 by bank transfer." });
    await copy(a, b);
    const conversation = (await a.context.conversations.get("c")).id;
    const sources = [{ conversation, firstSeq: 1, lastSeq: 2, kind: "origin" as const }];
    await b.store
      .memoriesOf({ tenant: b.config.tenant, scopes: EVERY_SCOPE })
      .commit([sampleRemember(sampleMemory("global", { sources, relations: [] }))]);
    await a.context.erase({ conversation: "c", from: 1 });
    await copy(b, a);
    expect(await problems(a)).toEqual([]);
    await copy(a, b);
    expect(await problems(b)).toEqual([]);
  });

  it("of memories that changed in two stores", async () => {
    const [a, b] = [await store(), await store()];
    for (let i = 0; i < 4; i++)
      await a.memory.store({ text: `Fact ${i} of the ledger is number ${i * 77}.` });
    await copy(a, b);
    const { rows } = await a.memory.list();
    await a.memory.update({ id: rows[0]?.id ?? "", importance: 0.9 });
    await b.memory.update({ id: rows[0]?.id ?? "", importance: 0.8 });
    await b.memory.forget({ id: rows[1]?.id ?? "", erase: true });
    await a.memory.forget({ id: rows[2]?.id ?? "", erase: true });
    await b.memory.forget({ id: rows[2]?.id ?? "", erase: true });
    await copy(b, a);
    expect(await problems(a)).toEqual([]);
    await copy(a, b);
    expect(await problems(b)).toEqual([]);
    await copy(b, a);
    expect(await problems(a)).toEqual([]);
  });
});
