/**
 * Loads the memories of a dump, by id and in batches. New ones get the next numbers of their scope, known ones are merged,
 * and memories that were erased here are not restored.
 */
import type { MemoryEvent, StoredMemory } from "../memory-store.ts";
import type { Port } from "../port.ts";
import { mergeMemory } from "../rules/merge-memory.ts";
import { NewDecisions } from "../rules/new-decisions.ts";
import { countByScope, numbering } from "../rules/number-memories.ts";
import { holdsKey, settleKeys } from "../rules/settle-keys.ts";
import { withNew } from "../rules/with-new.ts";
import type { DumpRow } from "../store.ts";
import { madeFromErased } from "../tables/erased-origins.ts";
import { erasedAmong, findHolders, findMemories } from "../tables/memories.ts";
import { keepCaptures } from "../tables/memory-captures.ts";
import {
  dropDecisionsAboutErased,
  insertDecisions,
  readDecisionPage,
  toDecision,
} from "../tables/memory-decisions.ts";
import { insertEvents, readEventsOf } from "../tables/memory-events.ts";
import { refName } from "../tables/memory-refs.ts";
import { lockScopes } from "../tables/memory-scopes.ts";
import { keepUses } from "../tables/memory-uses.ts";
import { eraseMemories } from "./erase-memories.ts";
import { insertMemories } from "./remember.ts";
import { updateMemory } from "./revise.ts";

type Incoming<Kind extends DumpRow["row"]> = Extract<DumpRow, { row: Kind }>;
type MemoryDumpRow = Incoming<"memory" | "decision" | "capture">;
type Arrival = { readonly memory: StoredMemory; readonly events: readonly MemoryEvent[] };

const BATCH_ROWS = 500;
const DECISIONS_PAGE = 1_000;

export class LoadedMemories {
  readonly #port: Port;
  /** Times of decisions, for each tenant. */
  readonly #decisions = new Map<string, NewDecisions>();
  readonly #tenants = new Set<string>();
  #batch: MemoryDumpRow[] = [];
  #added = 0;

  constructor(port: Port) {
    this.#port = port;
  }

  /** Memories that were not stored before. */
  get added(): number {
    return this.#added;
  }

  async take(row: MemoryDumpRow): Promise<void> {
    const first = this.#batch[0];
    if (first?.tenant !== row.tenant || first.row !== row.row || this.#batch.length === BATCH_ROWS)
      await this.#flush();
    this.#batch.push(row);
  }

  async end(): Promise<void> {
    await this.#flush();
    for (const tenant of this.#tenants) await forgetErased(this.#port, tenant);
  }

  async #flush(): Promise<void> {
    const rows = this.#batch;
    const tenant = rows[0]?.tenant;
    if (tenant === undefined) return;
    this.#batch = [];
    if (!this.#tenants.has(tenant)) this.#port.memories.lockTenant(tenant, "alone");
    this.#tenants.add(tenant);
    const memories = rows.filter((row) => row.row === "memory");
    if (memories.length > 0) await this.#takeMemories(tenant, memories.map(toArrival));
    await this.#takeDecisions(
      tenant,
      rows.filter((row) => row.row === "decision"),
    );
    await keepCaptures(
      this.#port,
      tenant,
      rows.filter((row) => row.row === "capture"),
    );
    await this.#port.settle();
  }

  async #takeMemories(tenant: string, arrivals: readonly Arrival[]): Promise<void> {
    const ids = arrivals.map(({ memory }) => memory.id);
    const found = await findMemories(this.#port, { tenant, scopes: null }, ids);
    const here = new Map(found.map((memory) => [memory.id, memory]));
    await this.#merge(tenant, arrivals, here);
    await this.#add(
      tenant,
      arrivals.filter(({ memory }) => !here.has(memory.id)),
    );
  }

  async #merge(
    tenant: string,
    arrivals: readonly Arrival[],
    here: ReadonlyMap<string, StoredMemory>,
  ): Promise<void> {
    if (here.size === 0) return;
    const successors = arrivals.flatMap(({ memory }) => memory.supersededBy ?? []);
    const erased = await erasedAmong(this.#port, tenant, successors);
    const known = await readEventsOf(this.#port, tenant, [...here.values()]);
    for (const { memory, events } of arrivals) {
      const before = here.get(memory.id);
      if (before === undefined) continue;
      const merged = mergeMemory(before, memory, (id) => erased.has(id));
      if (merged === before) continue;
      const [settled = merged] = await this.#settle(tenant, [merged]);
      updateMemory(this.#port, tenant, before, settled);
      keepUses(this.#port, tenant, [settled]);
      const had = known.get(refName(before)) ?? [];
      insertEvents(
        this.#port,
        tenant,
        withNew(had, events)
          .slice(had.length)
          .map((event) => ({ ref: before, event })),
      );
    }
  }

  async #add(tenant: string, arrivals: readonly Arrival[]): Promise<void> {
    if (arrivals.length === 0) return;
    const counts = countByScope(arrivals.map(({ memory }) => memory));
    const numberIn = numbering(await lockScopes(this.#port, tenant, counts), counts);
    const numbered = arrivals.map(({ memory }) => ({ ...memory, number: numberIn(memory.scope) }));
    const settled = await this.#settle(tenant, numbered);
    insertMemories(
      this.#port,
      tenant,
      settled.map((memory, i) => ({ memory, events: arrivals[i]?.events ?? [] })),
    );
    keepUses(this.#port, tenant, settled);
    this.#added += arrivals.length;
  }

  /** Returns the memories as they are to be written; the stored ones that they replace are changed immediately. */
  async #settle(tenant: string, memories: readonly StoredMemory[]): Promise<readonly StoredMemory[]> {
    const holders = await findHolders(this.#port, tenant, memories.filter(holdsKey));
    const settled = settleKeys(memories, holders);
    for (const { before, after } of settled.ended) updateMemory(this.#port, tenant, before, after);
    insertEvents(
      this.#port,
      tenant,
      settled.ended.map(({ before, event }) => ({ ref: before, event })),
    );
    return settled.memories;
  }

  async #takeDecisions(tenant: string, rows: readonly Incoming<"decision">[]): Promise<void> {
    if (rows.length === 0) return;
    const known = this.#decisions.get(tenant) ?? (await readKnownDecisions(this.#port, tenant));
    this.#decisions.set(tenant, known);
    const decisions = rows.map(({ row, tenant, ...decision }) => ({
      ...decision,
      verdict: this.#port.shown(decision.verdict),
      reason: this.#port.shown(decision.reason),
      detail: this.#port.shown(decision.detail),
    }));
    insertDecisions(
      this.#port,
      tenant,
      decisions.filter((decision) => known.isNew(decision)),
    );
  }
}

async function readKnownDecisions(port: Port, tenant: string): Promise<NewDecisions> {
  const known = new NewDecisions();
  for (let after = 0; ; ) {
    const rows = await readDecisionPage(port, tenant, after, DECISIONS_PAGE);
    for (const row of rows) known.addKnown(toDecision(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < DECISIONS_PAGE) return known;
    after = last.decision_id;
  }
}

/** Text that was erased here must not return in memories that were made from it elsewhere. */
async function forgetErased(port: Port, tenant: string): Promise<void> {
  const rows = await madeFromErased(port, tenant);
  for (const [at, own] of Map.groupBy(rows, (row) => row.at))
    await eraseMemories(
      port,
      tenant,
      own.map(({ id }) => id),
      at,
    );
  await dropDecisionsAboutErased(port, tenant);
}

function toArrival({ row, tenant, events, ...memory }: Incoming<"memory">): Arrival {
  return { memory, events };
}
