/** The rows of long-term memory in a dump: all that is truth, without vectors and segments. */
import type { MemoryEvent, MemoryRef } from "../../memory-store.ts";
import type { DumpRow } from "../../store.ts";
import type { Transaction } from "../transaction.ts";
import { type DecisionRow, toDecision } from "./decisions.ts";
import { type MemoryRow, SELECT_MEMORIES, toMemory } from "./memory-rows.ts";

const PAGE_ROWS = 500;

/**
 * Tables that `replace` empties; see the dump. Scopes stay, because they know which numbers were given out and how many
 * changes there were: a number that means other words than before would be taken for what somebody still holds under it.
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

export async function* dumpMemories(snapshot: Transaction): AsyncGenerator<DumpRow> {
  yield* dumpFacts(snapshot);
  yield* dumpDecisions(snapshot);
  yield* dumpCaptures(snapshot);
}

async function* dumpFacts(snapshot: Transaction): AsyncGenerator<DumpRow> {
  let after: readonly [string, string, number] = ["", "", 0];
  for (;;) {
    const rows = await snapshot.rows<MemoryRow>(
      `${SELECT_MEMORIES} WHERE (m.tenant, m.scope, m.number) > ($1, $2, $3::bigint)
       ORDER BY m.tenant, m.scope, m.number LIMIT ${PAGE_ROWS}`,
      ...after,
    );
    for (const [tenant, own] of Map.groupBy(rows, (row) => row.tenant)) {
      const events = await readEventsOf(snapshot, tenant, own);
      for (const row of own)
        yield { row: "memory", tenant, ...toMemory(row), events: events.get(nameOf(row)) ?? [] };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = [last.tenant, last.scope, last.number];
  }
}

type EventRow = { scope: string; number: number } & {
  -readonly [Field in keyof MemoryEvent]: MemoryEvent[Field];
};

/** By the names of the memories. */
export async function readEventsOf(
  transaction: Transaction,
  tenant: string,
  refs: readonly MemoryRef[],
): Promise<ReadonlyMap<string, readonly MemoryEvent[]>> {
  const rows = await transaction.rows<EventRow>(
    `SELECT e.scope, e.number, e.at, e.action, e.detail FROM unnest($2::text[], $3::bigint[]) AS wanted(scope, number)
     JOIN memory_events e ON e.tenant = $1 AND e.scope = wanted.scope AND e.number = wanted.number
     ORDER BY e.event_id`,
    tenant,
    refs.map(({ scope }) => scope),
    refs.map(({ number }) => number),
  );
  const events = Map.groupBy(rows, nameOf);
  return new Map([...events].map(([name, own]) => [name, own.map(toEvent)]));
}

function toEvent({ at, action, detail }: EventRow): MemoryEvent {
  return { at, action, detail };
}

export function nameOf({ scope, number }: MemoryRef): string {
  return `${number} ${scope}`;
}

async function* dumpDecisions(snapshot: Transaction): AsyncGenerator<DumpRow> {
  let after: readonly [string, number] = ["", 0];
  for (;;) {
    const rows = await snapshot.rows<DecisionRow>(
      `SELECT * FROM memory_decisions WHERE (tenant, decision_id) > ($1, $2::bigint)
       ORDER BY tenant, decision_id LIMIT ${PAGE_ROWS}`,
      ...after,
    );
    for (const row of rows) {
      const { position, ...decision } = toDecision(row);
      yield { row: "decision", tenant: row.tenant, ...decision };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = [last.tenant, last.decision_id];
  }
}

type CaptureRow = { tenant: string; conversation_uid: string; captured_to: number; at: string };

async function* dumpCaptures(snapshot: Transaction): AsyncGenerator<DumpRow> {
  let after: readonly [string, string] = ["", ""];
  for (;;) {
    const rows = await snapshot.rows<CaptureRow>(
      `SELECT * FROM memory_captures WHERE (tenant, conversation_uid) > ($1, $2)
       ORDER BY tenant, conversation_uid LIMIT ${PAGE_ROWS}`,
      ...after,
    );
    for (const { tenant, conversation_uid, captured_to, at } of rows)
      yield { row: "capture", tenant, conversation: conversation_uid, to: captured_to, at };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = [last.tenant, last.conversation_uid];
  }
}
