/** What counts rows in a store: tests that go back to an older schema remove it. */
export const ROW_COUNTS = [
  "conversations.turn_count",
  "conversations.receipt_count",
  "memories.event_count",
  "memories.source_count",
  "memories.relation_count",
  "memory_scopes.memory_count",
] as const;

export const DROP_TENANT_COUNTS = "DROP TABLE tenant_counts;";
