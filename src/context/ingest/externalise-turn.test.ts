import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../engine.ts";
import { openSqliteStore } from "../../store/sqlite/index.ts";
import type { NewMessage, ScopedStore, Store, Write } from "../../store/store.ts";

const LONG = "A line of a long result.\n".repeat(400);
const LARGE = `<file name="big.txt">${"One line of a large file.\n".repeat(5_000)}</file>`;
const folder = mkdtempSync(path.join(tmpdir(), "palimpsest-externalise-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A store that records its input and the number of reads. */
function watched(store: Store, seen: { messages: NewMessage[]; reads: number }): Store {
  const watch = (scoped: ScopedStore) =>
    new Proxy(scoped, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...values: unknown[]) => {
          if (name === "messages") seen.reads++;
          if (name === "commit")
            for (const write of values[0] as Write[])
              if (write.kind === "append") seen.messages.push(...write.messages);
          return value.apply(target, values);
        };
      },
    });
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === "scoped") return (scope: Parameters<Store["scoped"]>[0]) => watch(target.scoped(scope));
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("payloads of what comes in", () => {
  const seen: { messages: NewMessage[]; reads: number } = { messages: [], reads: 0 };
  let engine: Engine;
  beforeEach(async () => {
    seen.messages = [];
    seen.reads = 0;
    const store = await openSqliteStore({ dataDir: mkdtempSync(path.join(folder, "store-")) });
    engine = await open({ store: watched(store, seen), background: "off", config: { logLevel: "silent" } });
  });
  afterEach(() => engine.close());

  const call = (id: string) => ({
    role: "assistant",
    content: [
      { type: "tool_use", id, name: "Read", input: { file_path: "src/a.ts", content: "x".repeat(5_000) } },
    ],
  });
  const result = (id: string) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content: LONG }],
  });
  const described = () => seen.messages.flatMap(({ files }) => files.map(({ description }) => description));

  it("find their call in the same turn, without reading the store", async () => {
    await engine.context.commitTurn({ conversation: "s", key: "t", messages: [call("a"), result("a")] });
    expect(described()).toEqual(["Tool: Read | file_path=src/a.ts"]);
    expect(seen.messages[1]).toMatchObject({ stubTokenCount: expect.any(Number), files: [{ tool: "Read" }] });
    expect(seen.reads).toBe(0);
  });

  it("find their call on record, which is read once", async () => {
    await engine.context.commitTurn({ conversation: "s", key: "1", messages: [call("a"), call("b")] });
    await engine.context.commitTurn({
      ...{ conversation: "s", key: "2" },
      messages: [result("a"), result("b"), result("gone")],
    });
    expect(described()).toEqual([
      "Tool: Read | file_path=src/a.ts",
      "Tool: Read | file_path=src/a.ts",
      "Tool: unknown",
    ]);
    expect(seen.reads).toBe(1);
  });

  it("do not let a turn that came later overtake", async () => {
    const say = (key: string, content: string) =>
      engine.context.commitTurn({ conversation: "s", key, messages: [{ role: "user", content }] });
    await Promise.all([say("1", LARGE), say("2", "short"), say("3", "shorter")]);
    const { messages } = await engine.context.read({ conversation: "s" });
    expect(messages.map(({ key }) => key)).toEqual(["1#0", "2#0", "3#0"]);
  });

  it("are taken out of a transcript, with calls from lines before and from an earlier import", async () => {
    const file = path.join(folder, "session.jsonl");
    const lines = [{ type: "palimpsest", version: 1, session: "j" }, call("a"), result("a"), call("b")];
    const write = (all: readonly object[]) =>
      writeFileSync(file, all.map((line) => `${JSON.stringify(line)}\n`).join(""));
    write(lines);
    await engine.context.conversations.import(file);
    write([...lines, result("b"), { role: "user", content: LARGE }]);
    await engine.context.conversations.import(file);
    expect(described().slice(0, 2)).toEqual([
      "Tool: Read | file_path=src/a.ts",
      "Tool: Read | file_path=src/a.ts",
    ]);
    expect(seen.messages.at(-1)?.files).toMatchObject([{ kind: "file", name: "big.txt" }]);
    expect(seen.messages.at(-1)?.tokenCount).toBeLessThan(1_000);
  });
});
