/** A memory exists only for those whose scopes it lies in, whichever door they come through. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { internalsOf } from "../../src/engine.ts";
import type { Engine } from "../../src/index.ts";
import type { AgentMemory } from "../../src/memory/memory.ts";
import type { Memory } from "../../src/memory-types.ts";
import { ENGINES } from "../temporary-store.ts";
import { openScene, type Scene, topics } from "./memory-scene.ts";

const SECRET = "The vault opens with xylophone";
const TENANT = "default";

describe.each(ENGINES)("memories of another agent, on %s", (name) => {
  let scene: Scene;
  let alice: Memory;
  let older: Memory;
  let bob: AgentMemory;
  const memoryOf = (agent: string, { memoryOf: of }: Engine = scene.engine) =>
    of.call(scene.engine, { tenant: TENANT, agent });

  beforeAll(async () => {
    scene = await openScene(name, {
      embedder: topics(/vault/),
      config: { agent: "alice", memoryAccess: { team: ["project:web"], broken: ["project:web"], none: [] } },
    });
    await scene.say("Please remember that the vault opens with xylophone.");
    const [captured] = (await scene.engine.memory.list()).rows;
    older = captured ?? older;
    const update = { id: older.id, text: SECRET };
    alice = (await scene.engine.memory.update(update)).memory;
    bob = memoryOf("bob");
  });
  afterAll(() => scene.close());

  const doors: readonly (readonly [string, (memory: AgentMemory, id: string) => Promise<unknown>])[] = [
    ["get", (memory, id) => memory.get(id)],
    ["get by a prefix", (memory, id) => memory.get(id.slice(0, 14))],
    ["update", (memory, id) => memory.update({ id, importance: 0 })],
    ["new words", (memory, id) => memory.update({ id, text: "Mine now" })],
    ["forget", (memory, id) => memory.forget({ id })],
    ["erase", (memory, id) => memory.forget({ id, erase: true })],
    ["versions", (memory, id) => memory.history.versions(id)],
    ["events", (memory, id) => memory.history.events(id)],
    ["source", (memory, id) => memory.history.source(id)],
  ];

  it.each(doors)("are not there by %s, and the refusal names nothing", async (_, open) => {
    for (const id of [alice.id, older.id]) {
      const refusal = await open(bob, id).catch((error: Error & { advice?: string }) => error);
      expect(refusal).toMatchObject({ code: "not-found" });
      expect(`${(refusal as Error).message} ${(refusal as { advice?: string }).advice}`).not.toMatch(
        /xylophone|Did you mean/,
      );
    }
    expect(await scene.engine.memory.get(alice.id)).toMatchObject({ abstract: SECRET, archivedAt: null });
  });

  it.each<[string, (memory: AgentMemory) => Promise<readonly unknown[]>]>([
    ["list", async (memory) => (await memory.list({ states: ["active", "superseded"] })).rows],
    ["list of the scope", async (memory) => (await memory.list({ scopes: ["agent:alice"] })).rows],
    [
      "recall",
      async (memory) => (await memory.recall({ query: "vault xylophone", archived: true })).memories,
    ],
    [
      "recall in the scope",
      async (memory) => (await memory.recall({ query: "vault", scopes: ["agent:alice"] })).memories,
    ],
    [
      "recall for a prompt",
      async (memory) => {
        const { turnMemory, turnMemoryOf } = internalsOf(scene.engine);
        const turns = memory === bob ? turnMemoryOf({ tenant: "default", agent: "bob" }) : turnMemory;
        const block = await turns.recallFor({ prompt: "How does the vault open?" });
        return block === null ? [] : [block];
      },
    ],
    ["facts", async (memory) => (await memory.facts({ query: "vault", includeHistory: true })).facts],
    ["decisions", async (memory) => (await memory.history.decisions()).rows],
    [
      "export",
      async (memory) => {
        const all: unknown[] = [];
        for await (const one of memory.exchange.export({ scopes: ["agent:alice"] })) all.push(one);
        for await (const one of memory.exchange.export()) all.push(one);
        return all;
      },
    ],
    ["forget by words", async (memory) => (await memory.forget({ query: "vault xylophone" })).ids],
    [
      "counts",
      async (memory) => {
        const { total, vectors, unindexed } = await memory.maintenance.stats();
        return [...vectors, ...Array(total + unindexed)];
      },
    ],
  ])("are not there in %s", async (_, look) => {
    expect(await look(bob)).toEqual([]);
    expect((await look(scene.engine.memory)).length).toBeGreaterThanOrEqual(_ === "forget by words" ? 0 : 1);
  });

  it.each([
    "agent:alice",
    "",
    "global ",
    "Global",
    "agent:",
    "agent:a b",
    "root",
    "user:",
    "agent:bob\u0000",
    "*",
    "reflection:agent:alice",
  ])("cannot be written to by naming the scope %j", async (scope) => {
    await expect(bob.store({ text: "x", scope })).rejects.toMatchObject({ code: "invalid-input" });
  });

  it.each(["", " ", "undefined", "null", "system", "a b", "agent:alice", "../alice", "*"])(
    "are not open to whoever calls itself %j",
    async (agent) => {
      const memory = memoryOf(agent);
      expect((await memory.list({ states: ["active", "superseded", "archived", "erased"] })).rows).toEqual(
        [],
      );
      expect((await memory.recall({ query: "vault" })).memories).toEqual([]);
    },
  );

  it("follow what the configuration gives: shared scopes are shared, and no list is none", async () => {
    await memoryOf("team").store({ text: "The website is blue", scope: "project:web" });
    expect((await memoryOf("broken").recall({ query: "website" })).memories).toHaveLength(1);
    expect((await bob.recall({ query: "website" })).memories).toEqual([]);
    await expect(memoryOf("none").store({ text: "x" })).rejects.toMatchObject({ code: "invalid-input" });
    await expect(memoryOf("team").store({ text: "x", scope: "global" })).rejects.toMatchObject({
      code: "invalid-input",
    });
  });

  it("give their words to others only where those may read the conversation too", async () => {
    const { sources } = await scene.engine.memory.history.source(older.id);
    expect(sources[0]?.messages[0]?.text).toContain("xylophone");
    const [{ id: message } = { id: "" }] = sources[0]?.messages ?? [];
    const shared = await scene.engine.memory.store({
      text: "There is a vault",
      scope: "global",
      sources: [message],
    });
    const seen = await bob.history.source(shared.memory.id);
    expect(seen.sources).toMatchObject([{ firstSeq: 1, messages: [] }]);
    await expect(bob.store({ text: "x", sources: [message] })).rejects.toMatchObject({ code: "not-found" });
    await expect(bob.capture({ conversation: "s" })).rejects.toMatchObject({ code: "not-found" });
  });

  it("do not exist for a sub-agent at all", async () => {
    const { context } = scene.engine;
    const { grants, under } = internalsOf(scene.engine);
    const { id } = await context.conversations.get("s");
    const grant = grants?.issue({ conversations: [id], tokenCap: 1_000, ttlMs: 60_000, origin: "s" });
    if (grant === undefined || grant === null) throw new Error("there are grants");
    const { memory } = under(grant);
    expect((await memory.list()).rows).toEqual([]);
    expect((await memory.recall({ query: "vault" })).memories).toEqual([]);
    await expect(memory.store({ text: "x" })).rejects.toMatchObject({ code: "invalid-input" });
  });
});
