/** Seals rows that an older version has stored, in their current state. */
import type { StoredMemory } from "../memory-store.ts";
import { type FileRow, fileColumns, fileFromRow } from "../reads/files.ts";
import { sealDescription, sealFacts, sealFile, sealWords } from "../seal.ts";
import { keyOf, type SealedRow, sealOf, selectSealed, startOf, updateSeal } from "../sealed-table.ts";
import { isSound, sealsToFill } from "../seals-to-fill.ts";
import { selectMemories } from "../tables/select-memories.ts";
import type { Database } from "./database.ts";
import { SQLITE } from "./dialect.ts";
import { bytes } from "./rows.ts";

const BATCH = 1_000;

export function fillSeals(database: Database): void {
  fillMemories(database);
  fillFiles(database);
}

function fillMemories(database: Database): void {
  const select = `${selectMemories(SQLITE, "memories m", ["m.memory_id"])}
    WHERE m.memory_id > ? AND m.erased_at IS NULL ORDER BY m.memory_id LIMIT ?`;
  for (let last = 0; ; ) {
    const rows = database.all<{ memory_id: number; memory: string }>(select, last, BATCH);
    for (const row of rows) {
      const memory: StoredMemory = JSON.parse(row.memory);
      database.run(
        "UPDATE memories SET words_seal = ?, facts_seal = ? WHERE memory_id = ?",
        bytes(sealWords(memory)),
        bytes(sealFacts(memory)),
        row.memory_id,
      );
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.memory_id;
  }
}

function fillFiles(database: Database): void {
  const select = `SELECT ${fileColumns(SQLITE)} FROM large_files f
    JOIN conversations c ON c.conversation_id = f.conversation_id
    JOIN file_contents x ON x.content_hash = f.content_hash
    WHERE f.file_number > ? ORDER BY f.file_number LIMIT ?`;
  for (let last = 0; ; ) {
    const rows = database.all<FileRow>(select, last, BATCH);
    for (const row of rows) {
      const file = fileFromRow(row);
      const described = sealDescription(file.described);
      database.run(
        "UPDATE large_files SET file_seal = ?, described_seal = ? WHERE file_number = ?",
        bytes(sealFile(file)),
        described === null ? null : bytes(described),
        row.file_number,
      );
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.file_number;
  }
}

/** The same of the rows that are sealed one by one, in a store of this version. */
export function fillRowSeals(database: Database, from: number): void {
  for (const fill of sealsToFill(from)) {
    const { sealed } = fill;
    const select = numbered(selectSealed(sealed, SQLITE));
    const update = numbered(updateSeal(sealed, SQLITE));
    for (let after = startOf(sealed, SQLITE); ; ) {
      const rows = database.all<SealedRow>(select, ...after, BATCH);
      for (const row of rows)
        if (isSound(fill, row)) database.run(update, ...keyOf(sealed, SQLITE, row), sealOf(sealed, row));
      const end = rows.at(-1);
      if (end === undefined) break;
      after = keyOf(sealed, SQLITE, end);
    }
  }
}

/** Parameters as SQLite takes them in order. */
function numbered(sql: string): string {
  return sql.replaceAll("$", "?");
}
