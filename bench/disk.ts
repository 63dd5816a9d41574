/**
 * Bytes on disk against the raw JSON of the same messages, at two sizes, table by table. Raw JSON is the text of
 * the messages as they were committed; the share of bare text and tool arguments is shown beside it.
 *
 *   node bench/disk.ts [--messages 10000,100000] [--workload <file>] [--no-postgres]
 */
import { statSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Engine, open } from "../src/engine.ts";
import { DATABASE_NAME } from "../src/store/sqlite/index.ts";
import { checkLimit, DISK, figure, finish, inFlight, printTable, temporaryFolder } from "./measure.ts";
import { openPostgres } from "./open-postgres.ts";
import { postgresTableSizes } from "./postgres-table-sizes.ts";
import { sqliteTableSizes } from "./sqlite-table-sizes.ts";
import { StandardWorkload, WORKLOAD_FILE } from "./standard-workload.ts";

const LIMIT = { atMost: 1.3 };
const IN_FLIGHT = 256;

const { values: options } = parseArgs({
  options: {
    messages: { type: "string", default: "10000,100000" },
    workload: { type: "string", default: WORKLOAD_FILE },
    "no-postgres": { type: "boolean", default: false },
  },
});
const workload = await StandardWorkload.load(options.workload);

interface RawSize {
  /** The JSON text of the messages. */
  json: number;
  /** Text and tool arguments alone. */
  text: number;
}

async function commitAll(engine: Engine, messages: number): Promise<RawSize> {
  const raw: RawSize = { json: 0, text: 0 };
  for (const message of workload.messages({ messages })) raw.text += workload.rawBytes(message);
  await inFlight(workload.turns({ messages }), IN_FLIGHT, (turn) => {
    for (const message of turn.messages) raw.json += Buffer.byteLength(JSON.stringify(message), "utf8");
    return engine.context.commitTurn({ conversation: "disk", key: turn.key, messages: turn.messages });
  });
  return raw;
}

interface Size {
  readonly bytes: number;
  readonly raw: RawSize;
  readonly tables: ReadonlyMap<string, number>;
}

async function sizeOnSqlite(messages: number): Promise<Size> {
  const folder = temporaryFolder(DISK);
  const engine = await open({ store: folder });
  const raw = await commitAll(engine, messages);
  await engine.close();
  const file = path.join(folder, DATABASE_NAME);
  const tables = sqliteTableSizes(file);
  return { bytes: statSync(file).size, raw, tables };
}

async function sizeOnPostgres(messages: number): Promise<Size | string> {
  const postgres = await openPostgres();
  if ("missing" in postgres) return postgres.missing;
  const raw = await commitAll(postgres.engine, messages);
  const tables = await postgresTableSizes(postgres.url);
  await postgres.close();
  return { bytes: [...tables.values()].reduce((sum, bytes) => sum + bytes, 0), raw, tables };
}

function summary(store: string, messages: number, { bytes, raw }: Size, verdict: string): string[] {
  const perJson = bytes / raw.json;
  return [store, figure(messages), figure(bytes / 1e6), figure(perJson), figure(bytes / raw.text), verdict];
}

function breakdown(store: string, messages: number, { raw, tables }: Size): string[][] {
  return [...tables]
    .filter(([, bytes]) => bytes / raw.json >= 0.001)
    .map(([table, bytes]) => [
      store,
      figure(messages),
      table,
      figure(bytes / messages),
      (bytes / raw.json).toFixed(3),
    ]);
}

const rows: string[][] = [];
const tables: string[][] = [];
const sizes = options.messages.split(",").map(Number);
for (const messages of sizes) {
  const size = await sizeOnSqlite(messages);
  rows.push(summary("SQLite", messages, size, checkLimit(size.bytes / size.raw.json, LIMIT)));
  tables.push(...breakdown("SQLite", messages, size));
}
const first = sizes[0];
const postgres =
  options["no-postgres"] || first === undefined ? "not asked for" : await sizeOnPostgres(first);
if (typeof postgres !== "string" && first !== undefined) {
  rows.push(summary("PostgreSQL", first, postgres, "reported"));
  tables.push(...breakdown("PostgreSQL", first, postgres));
}
printTable(["store", "messages", "MB", "bytes / raw JSON", "bytes / raw text", "limit"], rows);
console.log();
printTable(["store", "messages", "table with its indexes", "bytes a message", "of raw JSON"], tables);
if (typeof postgres === "string") console.log(`\nPostgreSQL was not measured: ${postgres}`);
finish();
