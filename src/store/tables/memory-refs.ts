import type { MemoryRef } from "../memory-store.ts";
import { type RowList, rowList } from "../row-list.ts";

/** For `Dialect.listedMemories`, and for `Dialect.rows` with a scope and a number. */
export function refList(refs: readonly MemoryRef[]): RowList {
  return rowList(
    refs,
    ({ scope }) => scope,
    ({ number }) => number,
  );
}

export const REF_COLUMNS = { scope: "text", number: "bigint" } as const;

/** A key for maps. */
export function refName({ scope, number }: MemoryRef): string {
  return `${number} ${scope}`;
}
