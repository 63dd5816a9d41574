/** The rows of long-term memory in a dump: all that is truth, without vectors and segments. */
import type { DumpRow } from "../store.ts";
import type { Database } from "./database.ts";
import { type DecisionRow, toDecision } from "./memory-decisions.ts";
import { type MemoryRow, memoryRowId, SELECT_MEMORIES, toMemory } from "./memory-rows.ts";
import { eventsOf } from "./read-memories.ts";

type CaptureRow = { tenant: string; conversation_uid: string; captured_to: number; at: string };

/** By row id, which is by number: nothing has to be sorted. */
function* dumpScope(database: Database, scopeId: number): Generator<DumpRow> {
  for (const row of database.iterate<MemoryRow>(
    `${SELECT_MEMORIES} WHERE m.memory_id >= ? AND m.memory_id < ? ORDER BY m.memory_id`,
    memoryRowId(scopeId, 0),
    memoryRowId(scopeId + 1, 0),
  ))
    yield {
      row: "memory",
      tenant: row.tenant,
      ...toMemory(row),
      events: eventsOf(database, row.memory_id),
    };
}

export function* dumpMemories(database: Database): Generator<DumpRow> {
  for (const { scope_id } of database.all<{ scope_id: number }>(
    "SELECT scope_id FROM memory_scopes ORDER BY tenant, scope",
  ))
    yield* dumpScope(database, scope_id);
  for (const row of database.iterate<DecisionRow>(
    "SELECT * FROM memory_decisions ORDER BY tenant, decision_id",
  ))
    yield { row: "decision", tenant: row.tenant, ...toDecision(row) };
  for (const row of database.iterate<CaptureRow>(
    "SELECT * FROM memory_captures ORDER BY tenant, conversation_uid",
  ))
    yield {
      row: "capture",
      tenant: row.tenant,
      conversation: row.conversation_uid,
      to: row.captured_to,
      at: row.at,
    };
}
