/** Seals rows that an older version has stored, in their current state. */
import type { StoredMemory } from "../memory-store.ts";
import { type FileRow, fileColumns, fileFromRow } from "../reads/files.ts";
import { sealDescription, sealFacts, sealFile, sealWords } from "../seal.ts";
import { keyOf, type SealedRow, sealOf, selectSealed, startOf, updateSeal } from "../sealed-table.ts";
import { isSound, sealsToFill } from "../seals-to-fill.ts";
import { statement } from "../statement.ts";
import { type MemoryRow, selectMemories } from "../tables/select-memories.ts";
import { POSTGRES } from "./dialect.ts";
import type { Transaction } from "./transaction.ts";

const BATCH = 1_000;

export async function fillSeals(transaction: Transaction): Promise<void> {
  const tenants = await transaction.rows<{ tenant: string }>(
    "SELECT DISTINCT tenant FROM memories UNION SELECT DISTINCT tenant FROM large_files",
  );
  for (const { tenant } of tenants) {
    await fillMemories(transaction, tenant);
    await fillFiles(transaction, tenant);
  }
}

const MEMORIES = statement(
  (d) => `${selectMemories(d, "memories m")}
    WHERE ${d.sameTenant("m")} AND m.uid > $2 AND m.erased_at IS NULL ORDER BY m.uid LIMIT $3`,
);

async function fillMemories(transaction: Transaction, tenant: string): Promise<void> {
  for (let last = ""; ; ) {
    const rows = await transaction.rows<MemoryRow>(MEMORIES, tenant, last, BATCH);
    const memories = rows.map(({ memory }): StoredMemory => JSON.parse(memory));
    for (const memory of memories)
      transaction.send(
        `UPDATE memories SET words_seal = decode($3, 'hex'), facts_seal = decode($4, 'hex')
         WHERE tenant = $1 AND uid = $2`,
        ...[tenant, memory.id, sealWords(memory), sealFacts(memory)],
      );
    await transaction.settle();
    const end = memories.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}

const FILES = statement(
  (d) => `SELECT ${fileColumns(d)} FROM large_files f
    JOIN conversations c ON c.tenant = $1 AND c.conversation_id = f.conversation_id
    JOIN file_contents x ON ${d.sameTenant("x")} AND x.content_hash = f.content_hash
    WHERE ${d.sameTenant("f")} AND f.file_number > $2 ORDER BY f.file_number LIMIT $3`,
);

async function fillFiles(transaction: Transaction, tenant: string): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await transaction.rows<FileRow>(FILES, tenant, last, BATCH);
    for (const row of rows) {
      const file = fileFromRow(row);
      transaction.send(
        `UPDATE large_files SET file_seal = decode($3, 'hex'), described_seal = decode($4, 'hex')
         WHERE tenant = $1 AND file_id = $2`,
        ...[tenant, file.id, sealFile(file), sealDescription(file.described)],
      );
    }
    await transaction.settle();
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.file_number;
  }
}

/** The same of the rows that are sealed one by one, in a store of this version. */
export async function fillRowSeals(transaction: Transaction, from: number): Promise<void> {
  for (const fill of sealsToFill(from)) {
    const { sealed } = fill;
    const select = selectSealed(sealed, POSTGRES);
    const update = updateSeal(sealed, POSTGRES);
    for (let after = startOf(sealed, POSTGRES); ; ) {
      const rows = await transaction.rows<SealedRow>(select, ...after, BATCH);
      for (const row of rows)
        if (isSound(fill, row))
          transaction.send(update, ...keyOf(sealed, POSTGRES, row), sealOf(sealed, row));
      await transaction.settle();
      const end = rows.at(-1);
      if (end === undefined) break;
      after = keyOf(sealed, POSTGRES, end);
    }
  }
}
