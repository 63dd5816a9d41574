import { mkdtempSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { DEFAULT_SCOPE } from "../../types.ts";
import { BASE_VERSION, MIGRATIONS, SCHEMA_VERSION } from "../migrations.ts";
import { type SealedRow, sealOf } from "../sealed-table.ts";
import { FORMER_LINES } from "../tables/transcript-lines.ts";
import {
  conversationIdFor,
  sampleAppend,
  sampleLine,
  sampleMessage,
  sampleTranscriptWrite,
} from "../testing/sample.ts";
import { Database } from "./database.ts";
import { openSqliteStore } from "./index.ts";
import { APPLICATION_ID, migrate, schemaSql } from "./migrate.ts";
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
  older.exec(schemaSql(MIGRATIONS.filter((change) => change.version <= version)));
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
  it("is the same in a new store and in one that was migrated", async () => {
    const file = path.join(folder, "migrated.db");
    const migrated = new DatabaseSync(file);
    migrated.exec(
      `${schemaSql([])}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${BASE_VERSION.sqlite}`,
    );
    const database = new Database({ file, readOnly: false });
    await migrate(database, file);
    database.close();
    const created = new DatabaseSync(":memory:");
    created.exec(schemaSql());
    expect(describeSchema(migrated)).toEqual(describeSchema(created));
    migrated.close();
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
    database.exec(schemaSql([]));
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${BASE_VERSION.sqlite}`);
    database.exec(
      "INSERT INTO conversations (uid, tenant, agent, session_id, created_at, updated_at) VALUES ('c', 't', 'a', 's', '', '')",
    );
    await migrate(database, file);
    expect(database.one("PRAGMA user_version")).toEqual({ user_version: SCHEMA_VERSION });
    expect(database.all("SELECT uid FROM conversations")).toEqual([{ uid: "c" }]);
    expect(database.all("SELECT * FROM search_segments")).toEqual([]);
    database.close();
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
      expect.stringMatching(/^transcript_lines \(1, 1, 1\): the row has changed \(hash mismatch\)$/),
    ]);
    await store.close();
  });

  it("is not changed in a file of another application, of a newer version, or of one from before the first release", async () => {
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
    ours.exec(`PRAGMA user_version = ${BASE_VERSION.sqlite - 1}`);
    await expect(migrate(ours, newer)).rejects.toMatchObject({
      code: "not-supported",
      message: `${newer} has schema 6, from before the first release (this one migrates from 7)`,
      advice: expect.stringContaining("commit b6db576"),
    });
    expect(ours.one("PRAGMA user_version")).toEqual({ user_version: 6 });
    ours.close();
  });
});
