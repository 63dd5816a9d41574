/** What happens to writes and reads when the data folder is deleted or replaced while the store is open. */
import { renameSync, rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { EVERY_SCOPE } from "../../src/store/memory-store.ts";
import { sampleMemory, sampleRemember } from "../../src/store/testing/sample-memory.ts";
import { temporaryFolder } from "../temporary-store.ts";

const options = { background: "off", config: { logLevel: "silent" } } as const;

describe("a data folder that disappears under an open store", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const begin = async () => {
    const store = temporaryFolder();
    folders.push(store, `${store}-moved`);
    const engine = await open({ store, ...options });
    await say(engine, "before");
    return { store, engine };
  };

  const say = (engine: Engine, content: string) =>
    engine.context.commitTurn({ conversation: "chat", key: content, messages: [{ role: "user", content }] });

  it.each([
    ["deleted", (store: string) => rmSync(store, { recursive: true })],
    ["moved away", (store: string) => renameSync(store, `${store}-moved`)],
  ])("makes every further write fail when it is %s, and does not keep it from closing", async (_, remove) => {
    const { store, engine } = await begin();
    remove(store);
    const gone = { code: "store-unavailable", message: expect.stringContaining("deleted or replaced") };
    await expect(say(engine, "after")).rejects.toMatchObject(gone);
    await expect(engine.memory.store({ text: "The harbour opens at nine" })).rejects.toMatchObject(gone);
    const memories = engine.store.memoriesOf({ tenant: engine.config.tenant, scopes: EVERY_SCOPE });
    const remember = () => memories.commit([sampleRemember(sampleMemory("agent:default"))]);
    const several = [...["a", "b", "c"].map((content) => say(engine, content)), remember(), remember()];
    const outcomes = await Promise.allSettled(several);
    const reasons = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code);
    expect(reasons).toEqual(several.map(() => "store-unavailable"));
    await expect(engine.close()).resolves.toBeUndefined();
  });

  it("answers no call from what a rejected write left in memory, however often it is repeated", async () => {
    const { store, engine } = await begin();
    await engine.memory.store({ text: "The harbour closes at ten" });
    const turn = { conversation: "chat", budget: 2000 };
    // What these keep in memory must not answer either.
    await engine.context.assemble(turn);
    await engine.context.grep({ pattern: "before" });
    await engine.memory.recall({ query: "when does the harbour close" });
    rmSync(store, { recursive: true });
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      storeMemory: () => engine.memory.store({ text: "The harbour opens at nine" }),
      commitTurn: () => say(engine, "after"),
      commitAgain: () => say(engine, "before"),
      commitOther: () =>
        engine.context.commitTurn({
          conversation: "chat",
          key: "after",
          messages: [{ role: "user", content: "other" }],
        }),
      read: () => engine.context.read({ conversation: "chat" }),
      assemble: () => engine.context.assemble(turn),
      grep: () => engine.context.grep({ pattern: "after" }),
      recent: () => engine.context.recent(),
      conversations: () => engine.context.conversations.list(),
      recall: () => engine.memory.recall({ query: "when does the harbour open" }),
      memories: () => engine.memory.list(),
      facts: () => engine.memory.facts({ query: "harbour" }),
      storeMany: () => engine.memory.storeMany([{ text: "The market closes at six" }]),
      info: () => engine.store.info(),
      check: () => engine.store.checkEngine(),
      dump: () => engine.store.dump()[Symbol.asyncIterator]().next(),
    };
    for (let round = 0; round < 3; round++)
      for (const [name, call] of Object.entries(calls)) {
        const code = await call().then(
          () => "an answer",
          (error) => error.code,
        );
        expect({ name, round, code }).toEqual({ name, round, code: "store-unavailable" });
      }
    await engine.close();
  });

  it("stores nothing of a rejected write in the files that were moved away", async () => {
    const { store, engine } = await begin();
    renameSync(store, `${store}-moved`);
    await expect(say(engine, "after")).rejects.toMatchObject({ code: "store-unavailable" });
    renameSync(`${store}-moved`, store);
    const { messages } = await engine.context.read({ conversation: "chat" });
    expect(messages).toHaveLength(1);
    await engine.close();
  });

  it("does not keep it from closing if reads fail as well, and they work again once it is back", async () => {
    const { store, engine } = await begin();
    renameSync(store, `${store}-moved`);
    // The first call for a reading thread, which opens the file again.
    await expect(engine.store.scopes()).rejects.toMatchObject({ code: "store-unavailable" });
    renameSync(`${store}-moved`, store);
    expect(await engine.store.scopes()).toHaveLength(1);
    await engine.close();
  });

  it("closes while background work still needs the deleted files", async () => {
    const store = temporaryFolder();
    folders.push(store);
    const engine = await open({ store, config: { logLevel: "silent" } });
    await say(engine, "before");
    rmSync(store, { recursive: true });
    await expect(say(engine, "after")).rejects.toMatchObject({ code: "store-unavailable" });
    await expect(engine.store.scopes()).rejects.toMatchObject({ code: "store-unavailable" });
    await expect(engine.close()).resolves.toBeUndefined();
  });

  it("does not write into another store that takes its place", async () => {
    const { store, engine } = await begin();
    renameSync(store, `${store}-moved`);
    const other = await open({ store, ...options });
    await say(other, "of the other");
    await expect(say(engine, "after")).rejects.toMatchObject({ code: "store-unavailable" });
    await engine.close();
    expect((await other.context.conversations.list()).conversations).toHaveLength(1);
    await other.close();
  });
});
