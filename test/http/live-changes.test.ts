/** What viewers are told, whichever process changed it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Change, Client } from "../../src/http/client.ts";
import { type Engine, open } from "../../src/index.ts";
import { ENGINES } from "../temporary-store.ts";
import { type SampleApi, startApi } from "./sample-api.ts";

/** Resolves once later changes will be told, with a list that they are added to. */
function follow(client: Client, signal: AbortSignal): Promise<Change[]> {
  const told: Change[] = [];
  return new Promise((resolve, reject) => {
    const read = async () => {
      for await (const change of client.changes({ signal, onReady: () => resolve(told) })) told.push(change);
    };
    read().catch((error: unknown) => signal.aborted || reject(error));
  });
}

describe.each(ENGINES)("live changes on %s", (engineName) => {
  let api: SampleApi;
  /** Shares nothing with the server but the store, as another process does. */
  let other: Engine;
  let stop: AbortController;
  let told: Change[];

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
    told = await follow(await api.client(["read"]), stop.signal);
  });

  /** What was told so far, up to the first change that is wanted. */
  async function until(isWanted: (change: Change) => boolean): Promise<Change[]> {
    await expect.poll(() => told.some(isWanted), { timeout: 20_000 }).toBe(true);
    return told.splice(0, told.findIndex(isWanted) + 1);
  }

  /** Answers with the id of the conversation. */
  async function say(conversation: string, content: string): Promise<string> {
    await other.context.commitTurn({ conversation, key: content, messages: [{ role: "user", content }] });
    return (await other.context.conversations.get(conversation)).id;
  }

  it("name a memory that is stored, revised, archived or erased", async () => {
    const { memory } = await other.memory.store({ text: "The pot is blue." });
    const [stored] = await until(({ memories }) => memories.includes(memory.id));
    expect(stored).toEqual({ conversations: [], deleted: [], erased: [], memories: [memory.id], files: [] });
    await other.memory.update({ id: memory.id, importance: 0.9 });
    await until(({ memories }) => memories.includes(memory.id));
    await other.memory.forget({ id: memory.id });
    await until(({ memories }) => memories.includes(memory.id));
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
    const attached = await until(({ files }) => files.includes(id));
    expect(attached.flatMap(({ conversations }) => conversations.map((one) => one.id))).toContain(
      conversation,
    );
    expect(attached.flatMap(({ files }) => files)).toEqual([id]);
  });

  it("name a conversation that is deleted, and one whose messages are erased", async () => {
    const [kept, gone] = [await say("kept", "The code is 4711."), await say("gone", "Not for long.")];
    await until(({ conversations }) => conversations.some(({ id }) => id === gone));
    await other.context.erase({ conversation: kept, from: 1 });
    const erasure = await until(({ erased }) => erased.length > 0);
    expect(erasure.at(-1)).toMatchObject({ erased: [kept], deleted: [], memories: [] });
    await other.context.conversations.delete(gone);
    const deletion = await until(({ deleted }) => deleted.length > 0);
    expect(deletion.at(-1)).toEqual({
      ...{ conversations: [], deleted: [gone], erased: [], memories: [], files: [] },
    });
  });

  it("tell a tenant nothing of others", async () => {
    const others = await follow(await api.client(["read"], { tenant: "other" }), stop.signal);
    await other.memory.store({ text: "The kettle is red." });
    const conversation = await say("theirs", "The kettle is red.");
    await until(({ conversations }) => conversations.some(({ id }) => id === conversation));
    await other.context.conversations.delete(conversation);
    await until(({ deleted }) => deleted.includes(conversation));
    expect(others).toEqual([]);
  });
});
