/**
 * Checks that the file still has the tables and indexes of its version. A changed byte in a table definition does not break a
 * page, but SQLite then reads wrong values from the same rows.
 */

import { SCHEMA_VERSION } from "../migrations.ts";
import { Database } from "./database.ts";
import { schemaSql } from "./migrate.ts";

type Definition = { readonly name: string; readonly definition: string };

const DEFINITIONS = `
  SELECT m.name, json_array(t.wr, t.strict, c.cid, c.name, c.type, c."notnull", c.dflt_value, c.pk) AS definition
  FROM sqlite_schema m JOIN pragma_table_list(m.name) t JOIN pragma_table_info(m.name) c WHERE m.type = 'table'
  UNION ALL
  SELECT m.name, json_array(m.tbl_name, x.seqno, x.cid, x.name, x."desc", x.coll, x.key)
  FROM sqlite_schema m JOIN pragma_index_xinfo(m.name) x WHERE m.type = 'index'`;

let expected: readonly Definition[] | undefined;

export function schemaProblems(database: Database): string[] {
  if (database.one("PRAGMA user_version")?.user_version !== SCHEMA_VERSION) return [];
  expected ??= readExpected();
  const found = new Set(database.all<Definition>(DEFINITIONS).map(toText));
  const broken = new Set(expected.filter((one) => !found.has(toText(one))).map(({ name }) => name));
  return [...broken].map((name) => `the definition of ${name} is damaged`);
}

function readExpected(): Definition[] {
  const fresh = new Database({ file: ":memory:", readOnly: false });
  try {
    fresh.exec(schemaSql());
    return fresh.all<Definition>(DEFINITIONS);
  } finally {
    fresh.close();
  }
}

function toText({ name, definition }: Definition): string {
  return `${name} ${definition}`;
}
