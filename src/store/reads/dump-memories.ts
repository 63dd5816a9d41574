/** The rows of long-term memory in a dump: all that is truth, without vectors and segments. */
import type { MemoryRef } from "../memory-store.ts";
import type { Reader } from "../port.ts";
import { statement } from "../statement.ts";
import type { DumpRow } from "../store.ts";
import { type CaptureRow, dumpCapturePage } from "../tables/memory-captures.ts";
import { type DecisionRow, dumpDecisionPage, toDecision } from "../tables/memory-decisions.ts";
import { eventsJson } from "../tables/memory-events.ts";
import { REF_COLUMNS, refList } from "../tables/memory-refs.ts";
import { type MemoryRow, selectMemories } from "../tables/select-memories.ts";

const PAGE_ROWS = 500;

/** `pageRows` at a time: where the database is damaged, the page with the damage is lost. */
export async function* dumpMemories(source: Reader, pageRows = PAGE_ROWS): AsyncGenerator<DumpRow> {
  yield* dumpFacts(source, pageRows);
  yield* dumpDecisions(source, pageRows);
  yield* dumpCaptures(source, pageRows);
}

type NamedRow = MemoryRef & { readonly tenant: string };

/** The names come first, of all tenants; whatever belongs to a memory is then read within its tenant. */
const NAMES = statement((d) => d.memoriesAfter);

const MEMORIES = statement((d) => {
  const memory = d.each("memories", "m", d.memory("m", "wanted.scope", "wanted.number"));
  const from = `${d.rows("$2", "wanted", REF_COLUMNS)} ${memory}`;
  return `${selectMemories(d, from, [`CAST(${eventsJson(d)} AS text) AS events`])} ORDER BY wanted.key`;
});

async function* dumpFacts(source: Reader, pageRows: number): AsyncGenerator<DumpRow> {
  let after: readonly [string, string, number] = ["", "", 0];
  for (;;) {
    const names: NamedRow[] = await source.rows<NamedRow>(NAMES, ...after, pageRows);
    for (const [tenant, own] of Map.groupBy(names, (name) => name.tenant)) {
      const rows = await source.rows<MemoryRow & { events: string }>(MEMORIES, tenant, refList(own));
      for (const { memory, events } of rows)
        yield { row: "memory", tenant, ...JSON.parse(memory), events: JSON.parse(events) };
    }
    const last = names.at(-1);
    if (last === undefined || names.length < pageRows) return;
    after = [last.tenant, last.scope, last.number];
  }
}

async function* dumpDecisions(source: Reader, pageRows: number): AsyncGenerator<DumpRow> {
  let after: readonly [string, number] = ["", 0];
  for (;;) {
    const rows: DecisionRow[] = await dumpDecisionPage(source, after, pageRows);
    for (const row of rows) yield { row: "decision", tenant: row.tenant, ...toDecision(row) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = [last.tenant, last.decision_id];
  }
}

async function* dumpCaptures(source: Reader, pageRows: number): AsyncGenerator<DumpRow> {
  let after: readonly [string, string] = ["", ""];
  for (;;) {
    const rows: CaptureRow[] = await dumpCapturePage(source, after, pageRows);
    for (const { tenant, conversation_uid, captured_to, at } of rows)
      yield { row: "capture", tenant, conversation: conversation_uid, to: captured_to, at };
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = [last.tenant, last.conversation_uid];
  }
}
