/**
 * Tables of memories that `replace` empties, and that a dump locks. Scopes stay, because they record the assigned numbers and
 * the count of changes: if a number were assigned to another text, a process could confuse it with the text that it still
 * holds under that number.
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
