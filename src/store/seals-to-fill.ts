/** Which tables get seals when a store of an older version is migrated. */
import {
  WITH_HOSTS,
  WITH_LINE_ORIGINS,
  WITH_LINE_SEALS,
  WITH_PARENTS,
  WITH_ROW_SEALS,
} from "./migrations.ts";
import { SEALED_TABLES } from "./reads/broken-rows.ts";
import { type SealedRow, type SealedTable, sealOf } from "./sealed-table.ts";
import { FORMER_NAMES, NAMES_IN_HOST, SEALED_NAMES } from "./tables/conversations.ts";
import { FORMER_LINES, SEALED_LINES } from "./tables/transcript-lines.ts";

interface SealsToFill {
  readonly sealed: SealedTable;
  /** What the seals covered that the rows have. */
  readonly former?: SealedTable;
}

/** Seals are made once all columns are there, so a store that skips versions gets the newest ones at once. */
export function sealsToFill(from: number): readonly SealsToFill[] {
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
export function isSound({ former }: SealsToFill, row: SealedRow): boolean {
  return former === undefined || row.seal == null || Number(row.seal) === sealOf(former, row);
}
