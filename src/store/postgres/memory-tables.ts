/**
 * Tables of memories that `replace` empties, and that a dump locks. Scopes stay, because they know which numbers were given
 * out and how many changes there were: a number that means other words than before would be taken for what somebody still
 * holds under it.
 */
export const MEMORY_TABLES = [
  "memories",
  "memory_sources",
  "memory_relations",
  "memory_uses",
  "memory_events",
  "memory_decisions",
  "memory_captures",
  "vector_models",
  "memory_vectors",
  "memory_vector_bits",
  "memory_segments",
] as const;
