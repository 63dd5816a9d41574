/**
 * What has become of a database of which some bytes were changed: checked and read in this process, without an engine
 * and its threads, so that ten thousand faults take minutes.
 */
import { rmSync, writeFileSync } from "node:fs";
import { messageOf } from "../../src/errors.ts";
import { checkDatabase } from "../../src/store/sqlite/calls.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { salvage } from "../../src/store/sqlite/salvage/salvage.ts";
import { dumpReadableRows } from "../../src/store/sqlite/start-dump.ts";
import type { DumpRow } from "../../src/store/store.ts";

export interface Examined {
  /** Rows of the dump, and of them the messages by their digests, each with its content. */
  readonly rows: ReadonlySet<string>;
  readonly messages: ReadonlyMap<string, string>;
  /** What a check or a dump says against it. */
  readonly problems: readonly string[];
}

/** `file`: where the image is put for the time of the examination, beside the contents that belong to it. */
export async function examineImage(image: Uint8Array, file: string): Promise<Examined> {
  writeFileSync(file, image);
  try {
    return await examine(file);
  } finally {
    for (const suffix of ["", "-wal", "-shm", ".made"]) rmSync(file + suffix, { force: true });
  }
}

async function examine(file: string): Promise<Examined> {
  const rows: DumpRow[] = [];
  const problems: string[] = [];
  try {
    const database = new Database({ file, readOnly: true });
    try {
      for await (const row of dumpReadableRows(database, file)) rows.push(row);
      database.rollback();
      problems.push(...(await checkDatabase(database, {})));
    } finally {
      database.close();
    }
  } catch (error) {
    // What cannot be opened is reported, and repaired by salvage.
    problems.push(messageOf(error));
    rows.splice(0, rows.length, ...(await salvagedRows(file)));
  }
  for (const row of rows) if (row.row === "damage") problems.push(row.problem);
  return {
    rows: new Set(rows.filter(({ row }) => row !== "damage").map((row) => JSON.stringify(row))),
    messages: new Map(rows.flatMap((row) => (row.row === "message" ? [[row.digest, contentOf(row)]] : []))),
    problems,
  };
}

async function salvagedRows(file: string): Promise<DumpRow[]> {
  const made = `${file}.made`;
  salvage(file, made);
  const database = new Database({ file: made, readOnly: true });
  try {
    const rows: DumpRow[] = [];
    for await (const row of dumpReadableRows(database, made)) rows.push(row);
    return rows;
  } finally {
    database.close();
  }
}

function contentOf({ content, salt }: Extract<DumpRow, { row: "message" }>): string {
  return `${salt} ${content === null ? "erased" : Buffer.from(content).toString("base64")}`;
}
