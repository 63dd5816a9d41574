/** A byte that changes in a memory or in what is known of a file is noticed, on either engine. */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { sealOf } from "../../src/store/sealed-table.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { FORMER_NAMES } from "../../src/store/tables/conversations.ts";
import { type Conversation, DEFAULT_SCOPE } from "../../src/types.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import { undoSince } from "./undo-migrations.ts";

const RESULT = "invoice 1: 100 francs\n".repeat(500);

/** The seal of a conversation before it covered its host. */
function formerSeal(conversation: Conversation): number {
  return sealOf(FORMER_NAMES, {
    ...DEFAULT_SCOPE,
    uid: conversation.id,
    session_id: conversation.sessionId,
    session_key: conversation.sessionKey,
    title: conversation.title,
    title_is_automatic: conversation.titleIsAutomatic,
    created_at: conversation.createdAt,
    archived_at: conversation.archivedAt,
  });
}

describe.each(ENGINES)("seals on %s", (kind) => {
  let place: Place;
  let engine: Engine;

  beforeEach(async () => {
    place = await temporaryPlace(kind);
    await start();
    const call = {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "c", toolName: "list", input: {} }],
    };
    const output = { type: "text", value: RESULT };
    const result = {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "c", toolName: "list", output }],
    };
    await engine.context.commitTurn({ conversation: "s", key: "one", messages: [call, result] });
    const { memory } = await engine.memory.store({
      text: "The user drinks green tea",
      factKey: "drink",
      tags: ["home"],
    });
    await engine.memory.update({ id: memory?.id ?? "", importance: 0.9 });
  });

  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  async function start(): Promise<void> {
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
  }

  async function change(sql: string): Promise<void> {
    await engine.close();
    if (kind === "sqlite") {
      const database = new DatabaseSync(path.join(place.store, DATABASE_NAME));
      database.exec(sql);
      database.close();
    } else {
      const client = new pg.Client(place.store);
      await client.connect();
      await client.query(`SET search_path = palimpsest; ${sql}`);
      await client.end();
    }
    await start();
  }

  function versionIs(version: number): string {
    return kind === "sqlite"
      ? `PRAGMA user_version = ${version};`
      : `UPDATE store_meta SET value = '${version}' WHERE name = 'schema_version';`;
  }

  // promise: evident
  it.each([
    ["the words of a memory", "UPDATE memories SET content = content || '.'", "its text has changed"],
    [
      "its first line",
      "UPDATE memories SET abstract = replace(abstract, 'green', 'groen')",
      "its text has changed",
    ],
    [
      "when it was made",
      "UPDATE memories SET created_at = '2026-01-01T00:00:00.000Z'",
      "its text has changed",
    ],
    ["its fact key", "UPDATE memories SET fact_key = 'drank'", "its metadata has changed"],
    ["its importance", "UPDATE memories SET importance = 0.8", "its metadata has changed"],
    [
      "the description of a file",
      "UPDATE large_files SET exploration_summary = 'nothing'",
      "its name, tool or description",
    ],
    [
      "the tool that a file came from",
      "UPDATE large_files SET tool_name = 'lisp'",
      "its name, tool or description",
    ],
  ])("notice a change of %s", async (_, sql, problem) => {
    expect(await engine.store.checkEngine()).toEqual([]);
    await change(sql);
    expect(await engine.store.checkEngine()).toEqual([expect.stringContaining(problem)]);
    const damages: string[] = [];
    for await (const row of engine.store.dump({ withDamaged: true }))
      if (row.row === "damage") damages.push(row.problem);
    expect(damages).toEqual([expect.stringContaining(problem)]);
  });

  it("notice a change of the name of a tool in the index of a message, which is mended", async () => {
    await change("UPDATE message_parts SET tool_name = 'lisp'");
    const { checkIntegrity } = await import("../../src/context/verify/check-integrity.ts");
    const { problems } = await checkIntegrity(engine.store);
    expect(problems.map(({ check, repair }) => [check, repair?.kind])).toContainEqual([
      "parts",
      "rewrite-parts",
    ]);
  });

  it("are made for what an older version stored", async () => {
    await change(`${undoSince(9, kind)} ${versionIs(9)}`);
    expect(await engine.store.checkEngine()).toEqual([]);
    await change(
      "UPDATE memories SET abstract = 'other words'; UPDATE large_files SET tool_name = 'lisp'; UPDATE turns SET message_count = 1",
    );
    expect(await engine.store.checkEngine()).toHaveLength(3);
  });

  it("are renewed when conversations learn their host, except where the old one shows damage", async () => {
    const messages = [{ role: "user", content: "Other words." }];
    await engine.context.commitTurn({ conversation: "other", key: "1", messages });
    const { conversations } = await engine.context.conversations.list();
    const former = conversations.map(
      (one) => `UPDATE conversations SET seal = ${formerSeal(one)} WHERE uid = '${one.id}';`,
    );
    await change(`${former.join(" ")} ${undoSince(13, kind)} ${versionIs(13)}
      UPDATE conversations SET title = 'Changed' WHERE session_id = 'other'`);
    expect(await engine.store.checkEngine()).toEqual([expect.stringMatching(/^conversations \(/)]);
  });

  it("keep a memory with a damaged value from hiding the others", async () => {
    await engine.memory.store({ text: "The cat is called Miso" });
    await change("UPDATE memories SET support = '[{broken' WHERE number = 1");
    // There what cannot be read counts as an empty list, which it was.
    if (kind === "sqlite") expect((await engine.memory.list()).rows).toHaveLength(2);
    const damages: string[] = [];
    for await (const row of engine.store.dump({ withDamaged: true })) damages.push(row.row);
    expect(damages.filter((row) => row === "damage")).toHaveLength(kind === "sqlite" ? 0 : 1);
    expect(damages.filter((row) => row === "memory")).toHaveLength(kind === "sqlite" ? 2 : 1);
  });

  it("go with the words that are erased", async () => {
    for (const { id } of (await engine.memory.list()).rows) await engine.memory.forget({ id, erase: true });
    expect(await engine.store.checkEngine()).toEqual([]);
  });
});
