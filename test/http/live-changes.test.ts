/** What viewers are told, whichever process changed it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Change } from "../../src/http/client.ts";
import { type Engine, open } from "../../src/index.ts";
import { ENGINES } from "../temporary-store.ts";
import { type SampleApi, startApi } from "./sample-api.ts";

describe.each(ENGINES)("live changes on %s", (engineName) => {
  let api: SampleApi;
  /** Shares nothing with the server but the store, as another process does. */
  let other: Engine;
  let changes: AsyncGenerator<Change>;
  let stop: AbortController;

  beforeAll(async () => {
    api = await startApi(engineName);
    other = await open({
      store: api.store,
      background: "off",
      config: { logLevel: "silent", embeddingModel: "off" },
    });
  });
  afterAll(async () => {
    stop.abort();
    await other.close();
    await api.close();
  });
  beforeEach(async () => {
    stop?.abort();
    stop = new AbortController();
    const client = await api.client(["read"]);
    await new Promise<void>((resolve) => {
      changes = client.changes({ signal: stop.signal, onReady: resolve });
      first = changes.next();
    });
  });
  let first: Promise<IteratorResult<Change>>;

  /** All that is told up to the first change that is wanted. */
  async function until(isWanted: (change: Change) => boolean): Promise<Change[]> {
    const told: Change[] = [];
    for (let next = await first; next.done !== true; next = await changes.next()) {
      told.push(next.value);
      if (isWanted(next.value)) return told;
    }
    throw new Error("the viewer was told nothing of it");
  }

  const say = (conversation: string, content: string) =>
    other.context.commitTurn({ conversation, key: content, messages: [{ role: "user", content }] });

  it("name a memory that is stored, revised, archived or erased", async () => {
    const { memory } = await other.memory.store({ text: "The pot is blue." });
    const [told] = await until(({ memories }) => memories.includes(memory.id));
    expect(told).toEqual({ conversations: [], deleted: [], erased: [], memories: [memory.id], files: [] });
    first = changes.next();
    await other.memory.update({ id: memory.id, importance: 0.9 });
    await until(({ memories }) => memories.includes(memory.id));
    first = changes.next();
    await other.memory.forget({ id: memory.id });
    await until(({ memories }) => memories.includes(memory.id));
    first = changes.next();
    await other.memory.forget({ id: memory.id, erase: true });
    await until(({ memories }) => memories.includes(memory.id));
  });

  it("name a file that is attached, and its conversation", async () => {
    const content = async function* () {
      yield Buffer.from("id,name\n1,pot\n");
    };
    const { id, conversation } = await other.context.files.attach({
      ...{ conversation: "files", name: "pots.csv", mime: "text/csv", open: content },
    });
    const told = await until(({ files }) => files.includes(id));
    expect(told.flatMap(({ conversations }) => conversations.map((one) => one.id))).toContain(conversation);
    expect(told.flatMap(({ files }) => files)).toEqual([id]);
  });

  it("name a conversation that is deleted, and one whose messages are erased", async () => {
    const [kept, gone] = [await say("kept", "The code is 4711."), await say("gone", "Not for long.")];
    await until(({ conversations }) => conversations.some(({ id }) => id === gone.conversation));
    first = changes.next();
    await other.context.erase({ id: kept.messages[0]?.id ?? "" });
    const erasure = await until(({ erased }) => erased.length > 0);
    expect(erasure.at(-1)).toMatchObject({ erased: [kept.conversation], deleted: [], memories: [] });
    first = changes.next();
    await other.context.conversations.delete(gone.conversation);
    const deletion = await until(({ deleted }) => deleted.length > 0);
    expect(deletion.at(-1)).toEqual({
      ...{ conversations: [], deleted: [gone.conversation], erased: [], memories: [], files: [] },
    });
  });

  it("tell a tenant nothing of others", async () => {
    const stopped = new AbortController();
    const client = await api.client(["read"], { tenant: "other" });
    const told: Change[] = [];
    const ended = (async () => {
      for await (const change of client.changes({ signal: stopped.signal })) told.push(change);
    })().catch(() => undefined);
    await other.memory.store({ text: "The kettle is red." });
    const { conversation } = await say("theirs", "The kettle is red.");
    await until(({ conversations }) => conversations.some(({ id }) => id === conversation));
    first = changes.next();
    await other.context.conversations.delete(conversation);
    await until(({ deleted }) => deleted.includes(conversation));
    stopped.abort();
    await ended;
    expect(told).toEqual([]);
  });
});
