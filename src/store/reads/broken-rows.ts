/** Finds rows that were changed, by their own seals: see `sealed-table.ts`. */
import { messageOf } from "../../errors.ts";
import type { Reader } from "../port.ts";
import { keyOf, type SealedRow, type SealedTable, sealOf, selectSealed, startOf } from "../sealed-table.ts";
import { type Dialect, statement } from "../statement.ts";
import { SEALED_RECEIPTS } from "../tables/assembly-receipts.ts";
import { SEALED_AUDIT } from "../tables/audit-log.ts";
import { SEALED_COMPACTIONS } from "../tables/compaction-events.ts";
import { SEALED_NAMES } from "../tables/conversations.ts";
import { SEALED_CAPTURES } from "../tables/memory-captures.ts";
import { SEALED_DECISIONS } from "../tables/memory-decisions.ts";
import { SEALED_EVENTS } from "../tables/memory-events.ts";
import { SEALED_RELATIONS } from "../tables/memory-relations.ts";
import { SEALED_SOURCES } from "../tables/memory-sources.ts";
import { SEALED_SUMMARIES } from "../tables/summaries.ts";
import { SEALED_LINES } from "../tables/transcript-lines.ts";
import { SEALED_TRANSCRIPTS } from "../tables/transcripts.ts";
import { SEALED_TURNS } from "../tables/turns.ts";
import { missingRows } from "./missing-rows.ts";

export const SEALED_TABLES: readonly SealedTable[] = [
  SEALED_NAMES,
  SEALED_TURNS,
  SEALED_RECEIPTS,
  SEALED_SUMMARIES,
  SEALED_COMPACTIONS,
  SEALED_TRANSCRIPTS,
  SEALED_AUDIT,
  SEALED_EVENTS,
  SEALED_SOURCES,
  SEALED_RELATIONS,
  SEALED_DECISIONS,
  SEALED_CAPTURES,
  SEALED_LINES,
];

const SELECTS = SEALED_TABLES.map((sealed) => ({
  sealed,
  select: statement((d) => selectSealed(sealed, d)),
}));

const MISPLACED = statement((d) => d.misplacedMemories);

const PAGE_ROWS = 500;

/** As text, each with the key of its row. A table that cannot be read does not stop the check of the others. */
export async function brokenRows(reader: Reader): Promise<string[]> {
  const problems: string[] = [];
  for (const { sealed, select } of SELECTS)
    try {
      for (let after = startOf(sealed, reader.dialect); ; ) {
        const rows = await reader.rows<SealedRow>(select, ...after, PAGE_ROWS);
        problems.push(...rows.flatMap((row) => problemWith(sealed, reader.dialect, row) ?? []));
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE_ROWS) break;
        after = keyOf(sealed, reader.dialect, last);
      }
    } catch (error) {
      problems.push(`${sealed.table} cannot be read: ${messageOf(error)}`);
    }
  try {
    problems.push(...(await missingRows(reader)));
  } catch (error) {
    problems.push(`rows that others name cannot be looked for: ${messageOf(error)}`);
  }
  const misplaced = await reader.rows<{ id: string }>(MISPLACED);
  return [...problems, ...misplaced.map(({ id }) => `${id}: its place in its scope has changed`)];
}

function problemWith(sealed: SealedTable, dialect: Dialect, row: SealedRow): string | null {
  if (row.seal === null || row.seal === sealOf(sealed, row)) return null;
  return `${sealed.table} (${keyOf(sealed, dialect, row).join(", ")}): the row has changed (hash mismatch)`;
}
