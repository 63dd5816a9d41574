/** Fills in columns that rows of an older version lack, from their other columns, when the store is migrated. */
import type { StoredMemory } from "./memory-store.ts";
import {
  WITH_HOSTS,
  WITH_LINE_ORIGINS,
  WITH_LINE_SEALS,
  WITH_PARENTS,
  WITH_ROW_SEALS,
  WITH_SEALS,
} from "./migrations.ts";
import type { Port, Value } from "./port.ts";
import { SEALED_TABLES } from "./reads/broken-rows.ts";
import { type FileRow, fileColumns, fileFromRow } from "./reads/files.ts";
import { sealDescription, sealFacts, sealFile, sealWords } from "./seal.ts";
import {
  keyOf,
  type SealedRow,
  type SealedTable,
  sealOf,
  selectSealed,
  startOf,
  updateSeal,
} from "./sealed-table.ts";
import { Statement } from "./statement.ts";
import { FORMER_NAMES, NAMES_IN_HOST, SEALED_NAMES } from "./tables/conversations.ts";
import { type MemoryRow, selectMemories } from "./tables/select-memories.ts";
import { FORMER_LINES, SEALED_LINES } from "./tables/transcript-lines.ts";

const BATCH = 1_000;

interface Filling<Row> {
  /** Selects rows after a key, in the order of their keys. The key comes first, and the number of rows last. */
  readonly select: string;
  /** Changes the row with a key. The key comes first. */
  readonly update: string;
  readonly start: readonly Value[];
  readonly key: (row: Row) => readonly Value[];
  /** The new values; null if the row stays unchanged. */
  readonly values: (row: Row) => readonly Value[] | null;
}

async function fill<Row extends object>(port: Port, filling: Filling<Row>): Promise<void> {
  const [select, update] = [new Statement(() => filling.select), new Statement(() => filling.update)];
  for (let after = filling.start; ; ) {
    const rows = await port.rows<Row>(select, ...after, BATCH);
    for (const row of rows) {
      const values = filling.values(row);
      if (values !== null) port.send(update, ...filling.key(row), ...values);
    }
    await port.settle();
    const end = rows.at(-1);
    if (end === undefined) return;
    after = filling.key(end);
  }
}

/** Runs once a store of version `from` has all columns. */
export async function fillOlderRows(port: Port, from: number): Promise<void> {
  if (from < WITH_SEALS) await fillSeals(port);
  await fillRowSeals(port, from);
}

/** On SQLite, the rows of all tenants are selected at once. */
const TENANTS = new Statement((d) =>
  d.engine === "sqlite"
    ? "SELECT '' AS tenant"
    : "SELECT DISTINCT tenant FROM memories UNION SELECT DISTINCT tenant FROM large_files",
);

/** Seals of memories and files, in their current state. */
async function fillSeals(port: Port): Promise<void> {
  for (const { tenant } of await port.rows<{ tenant: string }>(TENANTS)) {
    await fillMemories(port, tenant);
    await fillFiles(port, tenant);
  }
}

function fillMemories(port: Port, tenant: string): Promise<void> {
  const d = port.dialect;
  const memoryOf = ({ memory }: MemoryRow): StoredMemory => JSON.parse(memory);
  return fill<MemoryRow>(port, {
    select: `${selectMemories(d, "memories m")}
      WHERE ${d.sameTenant("m")} AND m.uid > $2 AND m.erased_at IS NULL ORDER BY m.uid LIMIT $3`,
    update: `UPDATE memories SET words_seal = $3, facts_seal = $4 WHERE ${d.sameTenant("memories")} AND uid = $2`,
    start: [tenant, ""],
    key: (row) => [tenant, memoryOf(row).id],
    values: (row) => {
      const memory = memoryOf(row);
      return [fromHex(sealWords(memory)), fromHex(sealFacts(memory))];
    },
  });
}

function fillFiles(port: Port, tenant: string): Promise<void> {
  const d = port.dialect;
  return fill<FileRow>(port, {
    select: `SELECT ${fileColumns(d)} FROM large_files f
      JOIN conversations c ON ${d.sameTenant("c")} AND c.conversation_id = f.conversation_id
      JOIN file_contents x ON ${d.sameTenant("x")} AND x.content_hash = f.content_hash
      WHERE ${d.sameTenant("f")} AND f.file_id > $2 ORDER BY f.file_id LIMIT $3`,
    update: `UPDATE large_files SET file_seal = $3, described_seal = $4
      WHERE ${d.sameTenant("large_files")} AND file_id = $2`,
    start: [tenant, ""],
    key: ({ id }) => [tenant, id],
    values: (row) => {
      const file = fileFromRow(row);
      const described = sealDescription(file.described);
      return [fromHex(sealFile(file)), described === null ? null : fromHex(described)];
    },
  });
}

function fromHex(hex: string): Uint8Array {
  return Buffer.from(hex, "hex");
}

/** Seals of rows in the tables that have a `seal` column. */
async function fillRowSeals(port: Port, from: number): Promise<void> {
  const d = port.dialect;
  for (const filling of sealsToFill(from)) {
    const { sealed } = filling;
    await fill<SealedRow>(port, {
      select: selectSealed(sealed, d),
      update: updateSeal(sealed, d),
      start: startOf(sealed, d),
      key: (row) => keyOf(sealed, d, row),
      values: (row) => (isSound(filling, row) ? [sealOf(sealed, row)] : null),
    });
  }
}

/** The tables that get seals when a store of an older version is migrated. */
interface SealsToFill {
  readonly sealed: SealedTable;
  /** What the existing seals of the rows cover. */
  readonly former?: SealedTable;
}

/** Seals are made once all columns exist, so a store that skips versions gets the newest seals directly. */
function sealsToFill(from: number): readonly SealsToFill[] {
  if (from < WITH_ROW_SEALS) return SEALED_TABLES.map((sealed) => ({ sealed }));
  const lines = from < WITH_LINE_ORIGINS ? [linesToFill(from)] : [];
  const former = from < WITH_HOSTS ? FORMER_NAMES : NAMES_IN_HOST;
  const names = from < WITH_PARENTS ? [{ sealed: SEALED_NAMES, former }] : [];
  return [...lines, ...names];
}

function linesToFill(from: number): SealsToFill {
  return from < WITH_LINE_SEALS ? { sealed: SEALED_LINES } : { sealed: SEALED_LINES, former: FORMER_LINES };
}

/** A row that does not match its seal keeps it: a new one would hide the damage. */
function isSound({ former }: SealsToFill, row: SealedRow): boolean {
  return former === undefined || row.seal == null || Number(row.seal) === sealOf(former, row);
}
