/** The rows of long-term memory in a dump: everything except vectors and segments. */
import { messageOf } from "../../errors.ts";
import type { MemoryEvent, MemoryRef, StoredMemory } from "../memory-store.ts";
import type { Reader } from "../port.ts";
import { sealFacts, sealWords } from "../seal.ts";
import { statement } from "../statement.ts";
import type { DumpRow } from "../store.ts";
import { type CaptureRow, dumpCapturePage } from "../tables/memory-captures.ts";
import { type DecisionRow, dumpDecisionPage, toDecision } from "../tables/memory-decisions.ts";
import { eventsJson } from "../tables/memory-events.ts";
import { REF_COLUMNS, refList } from "../tables/memory-refs.ts";
import { type MemoryRow, selectMemories } from "../tables/select-memories.ts";

const PAGE_ROWS = 500;

/** `onDamage` returns the row that replaces a memory that cannot be read; without it, such a memory is an error. */
export async function* dumpMemories(
  source: Reader,
  onDamage?: (problem: string) => DumpRow,
  pageRows = PAGE_ROWS,
): AsyncGenerator<DumpRow> {
  yield* dumpFacts(source, pageRows, onDamage);
  yield* dumpDecisions(source, pageRows);
  yield* dumpCaptures(source, pageRows);
}

type NamedRow = MemoryRef & { readonly tenant: string };

/** The keys come first, of all tenants; the data of a memory is then read within its tenant. */
const NAMES = statement((d) => d.memoriesAfter);

const MEMORIES = statement((d) => {
  const memory = d.each("memories", "m", d.memory("m", "wanted.scope", "wanted.number"));
  const from = `${d.rows("$2", "wanted", REF_COLUMNS)} ${memory}`;
  return `${selectMemories(d, from, [
    `CAST(${eventsJson(d)} AS text) AS events`,
    `${d.hexOrNull("m.words_seal")} AS words`,
    `${d.hexOrNull("m.facts_seal")} AS facts`,
  ])} ORDER BY wanted.key`;
});

async function* dumpFacts(
  source: Reader,
  pageRows: number,
  onDamage?: (problem: string) => DumpRow,
): AsyncGenerator<DumpRow> {
  let after: readonly [string, string, number] = ["", "", 0];
  for (;;) {
    const names: NamedRow[] = await source.rows<NamedRow>(NAMES, ...after, pageRows);
    for (const [tenant, own] of Map.groupBy(names, (name) => name.tenant))
      yield* onDamage === undefined
        ? (await readFacts(source, tenant, own)).map((read) => toRow(tenant, read))
        : readReadable(source, tenant, own, onDamage);
    const last = names.at(-1);
    if (last === undefined || names.length < pageRows) return;
    after = [last.tenant, last.scope, last.number];
  }
}

type FactsRow = MemoryRow & { events: string; words: string | null; facts: string | null };

interface ReadMemory {
  readonly memory: StoredMemory;
  readonly events: readonly MemoryEvent[];
  /** The values that do not match their seal, as text; null if all match or are not sealed. */
  readonly problem: string | null;
}

async function readFacts(source: Reader, tenant: string, names: readonly NamedRow[]): Promise<ReadMemory[]> {
  const rows = await source.rows<FactsRow>(MEMORIES, tenant, refList(names));
  return rows.map(({ memory: text, events, words, facts }) => {
    const memory: StoredMemory = JSON.parse(text);
    return { memory, events: JSON.parse(events), problem: brokenSeal(memory, words, facts) };
  });
}

function brokenSeal(memory: StoredMemory, words: string | null, facts: string | null): string | null {
  if (words !== null && words !== sealWords(memory)) return "its text has changed (hash mismatch)";
  return facts !== null && facts !== sealFacts(memory) ? "its metadata has changed (hash mismatch)" : null;
}

function toRow(tenant: string, { memory, events }: ReadMemory): DumpRow {
  return { row: "memory", tenant, ...memory, events };
}

/** One by one if they cannot be read together. */
async function* readReadable(
  source: Reader,
  tenant: string,
  names: readonly NamedRow[],
  onDamage: (problem: string) => DumpRow,
): AsyncGenerator<DumpRow> {
  try {
    for (const read of await readFacts(source, tenant, names)) {
      if (read.problem !== null) yield onDamage(`${read.memory.id}: ${read.problem}`);
      yield toRow(tenant, read);
    }
  } catch (error) {
    const [name] = names;
    if (name === undefined || names.length > 1)
      for (const one of names) yield* readReadable(source, tenant, [one], onDamage);
    else yield onDamage(`memory ${name.number} of ${name.scope} cannot be read: ${messageOf(error)}`);
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
