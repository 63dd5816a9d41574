import { writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { applyRepairs, planRepairs } from "../../src/context/verify/plan-repairs.ts";
import { type Engine, open } from "../../src/index.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { temporaryFolder } from "../temporary-store.ts";

/** Damage is done to a real database file behind the engine's back, as a bug or a stranger would. */
describe("verifying", () => {
  let folder: string;
  let engine: Engine;
  beforeEach(async () => {
    folder = temporaryFolder();
    engine = await open({ store: folder, config: { logLevel: "silent" } });
    const say = (content: string) => ({ role: "user", content });
    await engine.context.commitTurn({ conversation: "s", key: "t1", messages: [say("one"), say("two")] });
    await engine.context.commitTurn({ conversation: "s", key: "t2", messages: [say("three")] });
    const file = path.join(folder, "transcript.jsonl");
    writeFileSync(file, '{"role":"user","content":"a"}\n{"x":1}\n{"role":"user","content":"b"}\n');
    await engine.context.conversations.import(file);
  });
  afterEach(() => engine.close());

  function damage(...statements: string[]): void {
    const database = new DatabaseSync(path.join(folder, DATABASE_NAME), {
      enableForeignKeyConstraints: false,
      timeout: 5_000,
    });
    for (const statement of statements) database.exec(statement);
    database.close();
  }

  it("finds nothing wrong with what is right", async () => {
    expect(await checkIntegrity(engine.store)).toEqual({
      ok: true,
      conversations: 2,
      messages: 5,
      summaries: 0,
      problems: [],
    });
  });

  // promise: evident
  it.each([
    [
      "a changed text",
      "chain",
      `UPDATE messages SET content = replace(content, 'two', 'TWO') WHERE content LIKE '%two%'`,
    ],
    ["a changed role", "chain", "UPDATE messages SET role = 'system' WHERE seq = 2"],
    ["a changed time", "chain", "UPDATE messages SET created_at = '2020-01-01T00:00:00.000Z' WHERE seq = 1"],
    ["a lost message", "chain", "DELETE FROM messages WHERE seq = 2 AND format = 'message'"],
    ["a lost last message", "chain", "DELETE FROM messages WHERE seq = 3"],
    ["lost content", "chain", "UPDATE messages SET content = NULL, encoding = 'erased' WHERE seq = 1"],
    [
      "a damaged frame",
      "chain",
      "UPDATE messages SET content = x'28b52ffd00', encoding = 'zstd' WHERE seq = 2",
    ],
    ["a wrong token count", "chain", "UPDATE conversations SET token_count = token_count + 1"],
    ["parts of another shape", "parts", "UPDATE message_parts SET part_type = 'file'"],
    ["a message missing from the context", "context", "DELETE FROM context_items WHERE ordinal = 2048"],
    [
      "an excluded message in the context",
      "context",
      "INSERT INTO context_exclusions SELECT message_id, conversation_id, 'branch' FROM messages WHERE seq = 1",
    ],
    [
      "a context item that points nowhere",
      "context",
      "INSERT INTO context_items SELECT conversation_id, 99, 'message', 12345, NULL, 3, NULL FROM conversations",
    ],
    ["a turn that points nowhere", "turns", "UPDATE turns SET first_seq = 77"],
    ["a changed event", "transcripts", "UPDATE transcript_lines SET content = '{}' WHERE kind = 'event'"],
    ["a lost line", "transcripts", "DELETE FROM transcript_lines WHERE line = 1"],
    [
      "a line of another message",
      "transcripts",
      "UPDATE transcript_lines SET message_id = message_id + 1 WHERE line = 0",
    ],
    ["an orphan", "engine", "DELETE FROM conversations"],
  ])("notices %s", async (_, check, statement) => {
    damage(statement);
    const report = await checkIntegrity(engine.store);
    expect(report.ok).toBe(false);
    expect(report.problems.map((problem) => problem.check)).toContain(check);
  });

  it("plans and applies what can be mended, and names what cannot (promise: rebuildable)", async () => {
    damage(
      "UPDATE message_parts SET part_type = 'file', tool_name = 'x'",
      "DELETE FROM context_items WHERE ordinal = 2048",
      "INSERT INTO context_items SELECT conversation_id, 99, 'message', 12345, NULL, 3, NULL FROM conversations LIMIT 1",
      "UPDATE messages SET created_at = '2020-01-01T00:00:00.000Z' WHERE seq = 3",
    );
    const plan = planRepairs(await checkIntegrity(engine.store));
    expect(plan.unrepairable.map((problem) => problem.check)).toEqual(["chain"]);
    await applyRepairs(engine.store, plan);
    const after = await checkIntegrity(engine.store);
    expect(after.problems).toEqual(plan.unrepairable);
  });

  it("looks at one conversation, or stops when told to", async () => {
    const { id } = await engine.context.conversations.get("s");
    expect(await checkIntegrity(engine.store, { conversation: id })).toMatchObject({
      conversations: 1,
      messages: 3,
    });
    await expect(checkIntegrity(engine.store, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "cancelled",
    });
  });
});
