/** The SQL conditions of memory states, written so that the indexes of active memories can be used. */
import type { MemoryState } from "../../memory-types.ts";

export function inForce(table: string): string {
  return `${table}.invalidated_at IS NULL AND ${table}.archived_at IS NULL AND ${table}.erased_at IS NULL`;
}

export function inState(table: string, state: MemoryState): string {
  const conditions: Readonly<Record<MemoryState, string>> = {
    active: inForce(table),
    superseded: `${table}.erased_at IS NULL AND ${table}.invalidated_at IS NOT NULL`,
    archived: `${table}.erased_at IS NULL AND ${table}.invalidated_at IS NULL AND ${table}.archived_at IS NOT NULL`,
    erased: `${table}.erased_at IS NOT NULL`,
  };
  return conditions[state];
}

/** One condition for each set of states, independent of their order. */
export function inStates(table: string, states: readonly MemoryState[]): string {
  const [only, ...others] = [...new Set(states)].toSorted();
  if (only === undefined) return "false";
  if (others.length === 0) return inState(table, only);
  return `(${[only, ...others].map((state) => `(${inState(table, state)})`).join(" OR ")})`;
}
