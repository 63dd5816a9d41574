import type { AuditRecord } from "../store.ts";
import type { ErasedMemories } from "./freed-by-erasure.ts";

/**
 * The record of an erasure names every memory that lost its text, including memories made from others, and the restored ones.
 * Ids only.
 */
export function namingErased(audit: AuditRecord, { erased, restored }: ErasedMemories): AuditRecord {
  if (erased.length === 0) return audit;
  const back = restored.length === 0 ? {} : { restored: restored.toSorted() };
  const detail = { ...JSON.parse(audit.detail), memories: erased.toSorted(), ...back };
  return { ...audit, detail: JSON.stringify(detail) };
}
