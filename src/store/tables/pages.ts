/** Cuts long reads into pages. */
import type { Page } from "../store.ts";

export const DEFAULT_LIMIT = 1_000;
export const DEFAULT_PAGE_BYTES = 8 * 1024 * 1024;
/** Larger than any position, and exact. */
export const END = Number.MAX_SAFE_INTEGER;

/** Cuts one row more than asked for into a page and the position where the next one starts. */
export function pageOf<Row>(rows: readonly Row[], limit: number, position: (row: Row) => number): Page<Row> {
  const following = rows[limit];
  return {
    rows: following === undefined ? rows : rows.slice(0, limit),
    next: following === undefined ? null : position(following),
  };
}
