import { mkdtempSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../text/bytes.ts";
import { DEFAULT_SCOPE } from "../../types.ts";
import { EVERY_SCOPE } from "../memory-store.ts";
import { type SealedRow, sealOf } from "../sealed-table.ts";
import { FORMER_LINES } from "../tables/transcript-lines.ts";
import { publishAll } from "../testing/publish-all.ts";
import {
  conversationIdFor,
  sampleAppend,
  sampleLine,
  sampleMessage,
  sampleTranscriptWrite,
} from "../testing/sample.ts";
import { remember, sampleMemory } from "../testing/sample-memory.ts";
import { Database } from "./database.ts";
import { openSqliteStore } from "./index.ts";
import { APPLICATION_ID, migrate, migrationSql, SCHEMA_VERSION, schemaSql } from "./migrate.ts";
import { MESSAGES_PER_CONVERSATION } from "./rows.ts";

const folder = mkdtempSync(path.join(tmpdir(), "palimpsest-migrate-"));

/** Every object of the schema as SQLite describes it, without comments, because added columns come before those. */
function describeSchema(database: DatabaseSync): unknown[] {
  return database
    .prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
    .all()
    .map(({ sql, ...object }) => ({ ...object, sql: withoutComments(String(sql)) }));
}

function withoutComments(sql: string): string {
  return sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([(),]) ?/g, "$1");
}

/** Converts the store to an earlier version: its rows, in the tables and columns of that version. */
function makeOlder(dataDir: string, version: number): void {
  const file = path.join(dataDir, "palimpsest.db");
  renameSync(file, `${file}.newer`);
  const older = new DatabaseSync(file);
  for (let next = 1; next <= version; next++) older.exec(migrationSql(next));
  older.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version}; PRAGMA foreign_keys = OFF;
    ATTACH '${file}.newer' AS newer`);
  const tables = older.prepare(
    `SELECT t.name, group_concat(c.name) AS columns FROM main.sqlite_schema t, pragma_table_info(t.name, 'main') c
     WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' GROUP BY t.name`,
  );
  for (const { name, columns } of tables.all())
    older.exec(`INSERT INTO main.${name} (${columns}) SELECT ${columns} FROM newer.${name}`);
  older.close();
}

/** Seals lines of transcripts as before they had the salt and the time of their messages. */
function sealAsFormerly(file: string): void {
  const database = new Database({ file, readOnly: false });
  const rows = database.all<SealedRow>(
    `SELECT *, message_id % ${MESSAGES_PER_CONVERSATION} AS seq FROM transcript_lines`,
  );
  for (const row of rows)
    database.run(
      "UPDATE transcript_lines SET seal = ? WHERE line = ?",
      sealOf(FORMER_LINES, row),
      row.line ?? 0,
    );
  database.close();
}

describe("the SQLite schema", () => {
  it("is what all migrations together make", () => {
    const current = new DatabaseSync(":memory:");
    current.exec(schemaSql());
    const migrated = new DatabaseSync(":memory:");
    for (let version = 1; version <= SCHEMA_VERSION; version++) migrated.exec(migrationSql(version));
    expect(describeSchema(migrated)).toEqual(describeSchema(current));
  });

  it("marks the file as ours and leaves a current one alone", async () => {
    const file = path.join(folder, "new.db");
    const database = new Database({ file, readOnly: false });
    await migrate(database, file);
    expect(database.one("PRAGMA application_id")).toEqual({ application_id: APPLICATION_ID });
    expect(database.one("PRAGMA user_version")).toEqual({ user_version: SCHEMA_VERSION });
    const before = database.one("PRAGMA data_version");
    await migrate(database, file);
    expect(database.one("PRAGMA data_version")).toEqual(before);
    database.close();
  });

  it("comes to a store of an older version, whose rows stay", async () => {
    const file = path.join(folder, "older.db");
    const database = new Database({ file, readOnly: false });
    database.exec(migrationSql(1));
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 1`);
    database.exec(
      "INSERT INTO conversations (uid, tenant, agent, session_id, created_at, updated_at) VALUES ('c', 't', 'a', 's', '', '')",
    );
    await migrate(database, file);
    expect(database.one("PRAGMA user_version")).toEqual({ user_version: SCHEMA_VERSION });
    expect(database.all("SELECT uid FROM conversations")).toEqual([{ uid: "c" }]);
    expect(database.all("SELECT * FROM search_segments")).toEqual([]);
    database.close();
  });

  it("drops a search index whose words were folded otherwise, to be made again", async () => {
    const file = path.join(folder, "folded.db");
    const database = new Database({ file, readOnly: false });
    for (let version = 1; version <= 4; version++) database.exec(migrationSql(version));
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 4;
      INSERT INTO conversations (uid, tenant, agent, session_id, created_at, updated_at) VALUES ('c', 't', 'a', 's', '', '');
      INSERT INTO search_segments VALUES (1, 't', 'a', 1, 1, 0, 0, x'');
      INSERT INTO search_runs SELECT conversation_id, 'message', 1, 1, 1, 0 FROM conversations;
      INSERT INTO search_progress SELECT conversation_id, 1, 0 FROM conversations`);
    await migrate(database, file);
    for (const table of ["search_segments", "search_runs", "search_pages", "search_progress"])
      expect(database.all(`SELECT * FROM ${table}`)).toEqual([]);
    expect(database.all("SELECT uid FROM conversations")).toEqual([{ uid: "c" }]);
    database.close();
  });

  it("finds memories of an older store by what they tell", async () => {
    const dataDir = path.join(folder, "told");
    const access = { tenant: "default", scopes: EVERY_SCOPE } as const;
    const before = await openSqliteStore({ dataDir });
    const { id } = await remember(
      before.memoriesOf(access),
      sampleMemory("global", { abstract: "Prefers tea." }),
    );
    await before.close();
    makeOlder(dataDir, 5);
    const store = await openSqliteStore({ dataDir });
    const { rows } = await store.memoriesOf(access).memories({ saying: "prefers the tea" });
    expect(rows.map((memory) => memory.id)).toEqual([id]);
    await store.close();
  });

  it("gives summaries of an older store the hash of their text, and none to what cannot be read", async () => {
    const dataDir = path.join(folder, "summarised");
    const before = await openSqliteStore({ dataDir });
    const texts = ["short", "long ".repeat(2_000), "unreadable ".repeat(2_000), "gone"];
    const ids = await publishAll(before, texts);
    await before.close();
    const written = new DatabaseSync(path.join(dataDir, "palimpsest.db"));
    written.exec(`UPDATE summaries SET content = x'00112233' WHERE summary_number = 3;
      UPDATE summaries SET content = NULL, encoding = 'erased' WHERE summary_number = 4`);
    written.close();
    makeOlder(dataDir, 6);
    const store = await openSqliteStore({ dataDir });
    const found = await Promise.all(ids.map((id) => store.scoped(DEFAULT_SCOPE).summary(id)));
    expect(found.map((summary) => summary?.contentHash)).toEqual([
      ...texts.slice(0, 2).map((text) => sha256(text)),
      null,
      null,
    ]);
    await store.close();
  });

  it("gives lines of an older store what their messages say, and seals them again unless they are damaged", async () => {
    const dataDir = path.join(folder, "imported");
    const before = await openSqliteStore({ dataDir });
    const messages = [sampleMessage("one"), sampleMessage("two")];
    const lines = messages.map(({ key }, line) =>
      sampleLine(line, { kind: "message", content: null, messageKey: key }),
    );
    const transcript = sampleTranscriptWrite({ lineCount: 2 }, lines);
    await before.scoped(DEFAULT_SCOPE).commit([sampleAppend("s", messages, { transcript })]);
    await before.close();
    makeOlder(dataDir, 14);
    const file = path.join(dataDir, "palimpsest.db");
    sealAsFormerly(file);
    const older = new DatabaseSync(file);
    older.exec("UPDATE transcript_lines SET entry_key = 'damaged' WHERE line = 1");
    older.close();
    const store = await openSqliteStore({ dataDir });
    const { rows } = await store
      .scoped(DEFAULT_SCOPE)
      .transcriptLines(conversationIdFor("s"), { transcript: 1 });
    expect(rows.map(({ origin }) => origin)).toEqual(
      messages.map(({ salt, createdAt }) => ({ salt, createdAt })),
    );
    expect(await store.checkEngine()).toEqual([
      expect.stringMatching(/^transcript_lines \(1, 1, 1\): the row is not what was stored$/),
    ]);
    await store.close();
  });

  it("is not touched in a file of another application or of a newer version", async () => {
    const foreign = path.join(folder, "foreign.db");
    new DatabaseSync(foreign).exec("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
    const theirs = new Database({ file: foreign, readOnly: false });
    await expect(migrate(theirs, foreign)).rejects.toMatchObject({ code: "store-foreign" });
    expect(theirs.all("SELECT name FROM sqlite_schema")).toEqual([{ name: "theirs" }]);
    theirs.close();

    const newer = path.join(folder, "newer.db");
    const ours = new Database({ file: newer, readOnly: false });
    await migrate(ours, newer);
    ours.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    await expect(migrate(ours, newer)).rejects.toMatchObject({ code: "store-newer" });
    ours.close();
  });
});
