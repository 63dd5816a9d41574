/** Conversations that come from each other: forks, sub-agents, and sessions that were reset. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HostBridge } from "../../src/host/index.ts";
import { type Engine, open } from "../../src/index.ts";
import type { Complete } from "../../src/model/complete.ts";
import { operations, runOperation } from "../../src/operations/index.ts";
import { readArchive, writeArchive } from "../../src/store/archive.ts";
import { lcm } from "../cli/lcm.ts";
import { ANSWER } from "../scripted-complete.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { answer, prompt, uuidOf } from "./claude-code-lines.ts";

const AT = "2026-03-01T10:00:00.000Z";
const FILLER = "They walked along the river and spoke about the weather. ".repeat(12);
const config = { logLevel: "silent", freshTailCount: 2, leafChunkTokens: 300, leafMinFanout: 2 } as const;

/** A session of pi: the header, and one message after the other. */
function piLines(session: string, texts: Record<string, string>, parentSession?: string): string {
  const header = { type: "session", version: 3, id: session, timestamp: AT, cwd: "/work", parentSession };
  const ids = Object.keys(texts);
  const entries = ids.map((id, i) => {
    const message = {
      role: i % 2 === 0 ? "user" : "assistant",
      content: [{ type: "text", text: texts[id] }],
    };
    return { type: "message", id, parentId: ids[i - 1] ?? null, timestamp: AT, message };
  });
  return [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join("");
}

const SAID = Object.fromEntries(
  Array.from({ length: 8 }, (_, i) => [`0000000${i}`, `Station ${i} is called kite${i}. ${FILLER}`]),
);

describe.each(ENGINES)("families of conversations on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let folder: string;
  beforeEach(async () => {
    place = await temporaryPlace(name);
    folder = temporaryFolder();
    engine = await open({ store: place.store, background: "off", config });
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  function write(file: string, text: string): string {
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  }
  const bring = async (file: string, follow = false) =>
    (await engine.context.conversations.import(file, { follow })).conversation ?? "";
  const get = (id: string) => engine.context.conversations.get(id);
  const familyOf = async (id: string) =>
    (await engine.context.conversations.family(id)).map((one) => one.id).toSorted();
  const problems = async () => (await runOperation(operations.verify, engine, {})).problems;

  async function bringFork(said = SAID): Promise<{ parent: string; fork: string }> {
    const file = write("parent.jsonl", piLines("parent", said));
    const parent = await bring(file);
    const shared = Object.fromEntries(Object.entries(said).slice(0, 6));
    const own = { aaaaaaaa: "Now another way.", bbbbbbbb: "Yes." };
    const fork = await bring(write("fork.jsonl", piLines("fork", { ...shared, ...own }, file)));
    return { parent, fork };
  }

  it("a fork of pi names its parent, and both list their family", async () => {
    const { parent, fork } = await bringFork();
    expect(await get(fork)).toMatchObject({ parent, relation: "fork" });
    expect(await get(parent)).toMatchObject({ parent: null, relation: null });
    await engine.context.commitTurn({
      conversation: "other",
      key: "1",
      messages: [{ role: "user", content: "x" }],
    });
    for (const id of [parent, fork]) expect(await familyOf(id)).toEqual([parent, fork].toSorted());
    const target = name === "sqlite" ? ["--data", place.store] : ["--database-url", place.store];
    const { stdout } = await lcm(["conversations", "family", parent, ...target]);
    expect(stdout).toContain(`fork of ${parent}`);
    expect(await problems()).toEqual([]);
  });

  it("a fork of Claude Code is known by its first entry, a sub-agent by its file", async () => {
    const lines = (session: string, last: string) =>
      [
        prompt({ name: "one", parent: null, session }, "Hello."),
        answer({ name: "two", parent: "one", session }, "Hi."),
        prompt({ name: last, parent: "two", session }, `This is ${last}.`),
      ].join("\n");
    const parent = await bring(write(`${uuidOf("s1")}.jsonl`, `${lines("s1", "three")}\n`), true);
    const fork = await bring(write(`${uuidOf("s2")}.jsonl`, `${lines("s2", "four")}\n`), true);
    const second = await bring(write(`${uuidOf("s3")}.jsonl`, `${lines("s3", "five")}\n`), true);
    const sidechain = { isSidechain: true, agentId: "a1", sessionId: uuidOf("s1"), uuid: uuidOf("six") };
    const said = { type: "user", timestamp: AT, message: { role: "user", content: "Look." } };
    const agent = JSON.stringify({ ...sidechain, parentUuid: null, version: "2.1.0", ...said });
    const child = await bring(write(`${uuidOf("s1")}/subagents/agent-a1.jsonl`, `${agent}\n`));
    expect(await get(fork)).toMatchObject({ parent, relation: "fork" });
    expect(await get(second)).toMatchObject({ parent, relation: "fork" });
    expect(await get(child)).toMatchObject({ parent, relation: "child" });
    expect(await get(parent)).toMatchObject({ parent: null });
    expect(await familyOf(child)).toEqual([parent, fork, second, child].toSorted());
  });

  it("a host tells what becomes of its sessions", async () => {
    const bridge = new HostBridge({ store: place.store, config });
    const [main, fork, child] = ["main", "fork", "child"].map((sessionId) => ({
      sessionId,
      sessionKey: `k:${sessionId}`,
    }));
    if (main === undefined || fork === undefined || child === undefined) throw new Error("no sessions");
    const say = (session: typeof main, text: string) =>
      bridge.commit(session, { key: text, messages: [{ role: "user", content: text }] });
    await say(main, "one");
    await bridge.changed(fork, { reason: "fork", from: main });
    await bridge.reconcile(fork, [{ message: { role: "user", content: "one" } }]);
    await bridge.changed(child, { reason: "child", from: fork });
    await bridge.importEntries(child, {
      source: "db",
      entries: [{ id: "e", message: { role: "user", content: "x" } }],
    });
    const { id: parent } = await get("k:main");
    const { id: forked, ...about } = await get("k:fork");
    expect(about).toMatchObject({ parent, relation: "fork" });
    expect(await get("k:child")).toMatchObject({ parent: forked, relation: "child" });
    await bridge.changed(main, { reason: "resume" });
    await bridge.changed(main, { reason: "new" });
    const { messages } = await engine.context.assemble({ conversation: main });
    expect(messages).toEqual([]);
    await bridge.changed(main, { reason: "reset" });
    await say(main, "two");
    const { id: next } = await get("k:main");
    expect(next).not.toBe(parent);
    expect(await familyOf(next)).toHaveLength(4);
    // A session that nobody knows is no reason to fail.
    await bridge.changed({ sessionId: "nobody" }, { reason: "reset" });
    await bridge.release();
  });

  it("what is erased in one is gone in the other, and a fork outlives its parent", async () => {
    const { parent, fork } = await bringFork();
    for (const conversation of [parent, fork])
      await engine.context.compact({ conversation, budget: 2_000, untilUnder: 800 });
    const before = await engine.context.read({ conversation: fork });
    await engine.context.erase({ conversation: parent, from: 3, to: 3 });
    for (const pattern of ["kite2", "kite2|z{9}"]) {
      const mode = pattern.includes("|") ? "regex" : "full_text";
      expect((await engine.context.grep({ pattern, mode })).hits).toEqual([]);
    }
    const { summaries } = await engine.context.conversations.summaries(fork);
    expect(JSON.stringify(summaries)).not.toContain("kite2");
    await engine.context.conversations.delete(parent);
    expect(await get(fork)).toMatchObject({ parent, relation: "fork" });
    expect(await familyOf(fork)).toEqual([fork]);
    const after = await engine.context.read({ conversation: fork });
    const words = ({ messages }: typeof after) =>
      messages.map(({ seq, value }) => (seq === 3 ? null : value));
    expect(words(after)).toEqual(words(before));
    expect((await engine.context.grep({ pattern: "kite1" })).hits.length).toBeGreaterThan(0);
    expect(await problems()).toEqual([]);
  });

  it("a fork takes over its parent's summaries without asking a model", async () => {
    let calls = 0;
    const complete: Complete = async ({ prompt: source }) => {
      calls++;
      const told = new Set(source.match(/Station \d is called kite\d\.|file_[0-9a-f]{16}/g));
      return { ...ANSWER, text: [...told].join(" ") };
    };
    const table = `${SAID["00000002"]} <file name="table.csv">${"7,8,9\n".repeat(40_000)}</file>`;
    const { parent, fork } = await bringFork({ ...SAID, "00000002": table });
    const compact = (conversation: string) =>
      engine.context.compact({ conversation, budget: 2_000, untilUnder: 500, complete });
    await compact(parent);
    const made = calls;
    const { passes } = await compact(fork);
    const { summaries: theirs } = await engine.context.conversations.summaries(parent);
    const { summaries: own } = await engine.context.conversations.summaries(fork);
    const taken = own.slice(0, passes.filter((pass) => pass.calls === 0).length);
    expect(taken.map(({ depth }) => depth)).toContain(1);
    const withoutFiles = (text: string | null) => text?.replaceAll(/file_[0-9a-f]{16}/g, "file");
    const known = theirs.map(({ content }) => withoutFiles(content));
    for (const { content } of taken) expect(known).toContain(withoutFiles(content));
    expect(calls - made).toBe(passes.reduce((sum, pass) => sum + pass.calls, 0));
    expect(calls - made).toBeLessThan(made);
    const { files } = await engine.context.files.list({ conversation: fork });
    const named = taken.filter(({ fileIds }) => fileIds.length > 0);
    expect(named.length).toBeGreaterThan(0);
    for (const { fileIds, content } of named) {
      expect(fileIds).toEqual(files.map(({ id }) => id));
      expect(content).toContain(files[0]?.id);
    }
    await engine.context.conversations.delete(parent);
    expect(await problems()).toEqual([]);
  });

  it("links come along in an export", async () => {
    const { parent, fork } = await bringFork();
    const archive = path.join(folder, "archive.jsonl");
    await writeArchive(engine.store, archive);
    const other = await temporaryPlace(name === "sqlite" ? "postgres" : "sqlite");
    const target = await open({ store: other.store, background: "off", config });
    await target.store.load(readArchive(archive), { replace: false });
    expect(await target.context.conversations.get(fork)).toMatchObject({ parent, relation: "fork" });
    expect((await runOperation(operations.verify, target, {})).problems).toEqual([]);
    await target.close();
    await other.dispose();
  });
});
