import type { AuditRecord } from "./store.ts";

/** The record of an erasure names every memory that lost its words by it, also those made from others. Ids only. */
export function namingErased(audit: AuditRecord, memories: readonly string[]): AuditRecord {
  if (memories.length === 0) return audit;
  const detail = { ...JSON.parse(audit.detail), memories: memories.toSorted() };
  return { ...audit, detail: JSON.stringify(detail) };
}
