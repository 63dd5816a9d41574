/**
 * Takes in the memories of a dump, by id and in batches. What is new comes under the next numbers of its scope; what is
 * known is merged; and nothing that was erased here comes back.
 */
import { EVERY_SCOPE, type MemoryEvent, type StoredMemory } from "../../memory-store.ts";
import type { DumpRow } from "../../store.ts";
import type { Transaction } from "../transaction.ts";
import { nameOf, readEventsOf } from "./dump-memories.ts";
import { forgetErased } from "./forget-erased.ts";
import { insertMemories, insertMemoryEvents } from "./insert-memories.ts";
import { addCaptures, LoadedDecisions } from "./load-decisions.ts";
import { lockScopes, lockTenant } from "./lock-memories.ts";
import { mergeMemory } from "./merge-memory.ts";
import { findMemories } from "./read-memories.ts";
import { settleKeys } from "./settle-keys.ts";
import { keepUses, updateMemory } from "./update-memory.ts";
import { withNew } from "./with-new.ts";

type Incoming<Kind extends DumpRow["row"]> = Extract<DumpRow, { row: Kind }>;
export type MemoryDumpRow = Incoming<"memory" | "decision" | "capture">;
type Arrival = { readonly memory: StoredMemory; readonly events: readonly MemoryEvent[] };

const BATCH_ROWS = 500;

export class LoadedMemories {
  readonly #transaction: Transaction;
  readonly #decisions: LoadedDecisions;
  readonly #tenants = new Set<string>();
  #batch: MemoryDumpRow[] = [];
  added = 0;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
    this.#decisions = new LoadedDecisions(transaction);
  }

  async take(row: MemoryDumpRow): Promise<void> {
    const first = this.#batch[0];
    if (first?.tenant !== row.tenant || first.row !== row.row || this.#batch.length === BATCH_ROWS)
      await this.#flush();
    this.#batch.push(row);
  }

  async end(): Promise<void> {
    await this.#flush();
    for (const tenant of this.#tenants) await forgetErased(this.#transaction, tenant);
  }

  async #flush(): Promise<void> {
    const rows = this.#batch;
    const tenant = rows[0]?.tenant;
    if (tenant === undefined) return;
    this.#batch = [];
    if (!this.#tenants.has(tenant)) lockTenant(this.#transaction, tenant, "alone");
    this.#tenants.add(tenant);
    const memories = rows.filter((row) => row.row === "memory");
    if (memories.length > 0) await this.#takeMemories(tenant, memories.map(toArrival));
    await this.#decisions.add(tenant, rows.filter((row) => row.row === "decision").map(toDecision));
    addCaptures(
      this.#transaction,
      tenant,
      rows.filter((row) => row.row === "capture"),
    );
    await this.#transaction.settle();
  }

  async #takeMemories(tenant: string, arrivals: readonly Arrival[]): Promise<void> {
    const access = { tenant, scopes: EVERY_SCOPE } as const;
    const ids = arrivals.map(({ memory }) => memory.id);
    const here = new Map((await findMemories(this.#transaction, access, ids)).map((one) => [one.id, one]));
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
    const erased = await this.#erasedOf(
      tenant,
      arrivals.flatMap(({ memory }) => memory.supersededBy ?? []),
    );
    const known = await readEventsOf(this.#transaction, tenant, [...here.values()]);
    for (const { memory, events } of arrivals) {
      const before = here.get(memory.id);
      if (before === undefined) continue;
      const merged = mergeMemory(before, memory, (id) => erased.has(id));
      if (merged === before) continue;
      const [settled = merged] = await settleKeys(this.#transaction, tenant, [merged]);
      updateMemory(this.#transaction, tenant, before, settled);
      keepUses(this.#transaction, tenant, [settled]);
      const had = known.get(nameOf(before)) ?? [];
      const added = withNew(had, events).slice(had.length);
      insertMemoryEvents(
        this.#transaction,
        tenant,
        added.map((event) => ({ ref: before, event })),
      );
    }
  }

  async #erasedOf(tenant: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#transaction.rows<{ uid: string }>(
      "SELECT uid FROM memories WHERE tenant = $1 AND uid = ANY($2::text[]) AND erased_at IS NOT NULL",
      tenant,
      ids,
    );
    return new Set(rows.map(({ uid }) => uid));
  }

  async #add(tenant: string, arrivals: readonly Arrival[]): Promise<void> {
    const counts = new Map<string, number>();
    for (const { memory } of arrivals) counts.set(memory.scope, (counts.get(memory.scope) ?? 0) + 1);
    const next = new Map(await lockScopes(this.#transaction, tenant, counts));
    for (const [scope, count] of counts) next.set(scope, (next.get(scope) ?? 0) - count);
    const numbered = arrivals.map(({ memory }) => {
      const number = (next.get(memory.scope) ?? 0) + 1;
      next.set(memory.scope, number);
      return { ...memory, number };
    });
    const settled = await settleKeys(this.#transaction, tenant, numbered);
    insertMemories(this.#transaction, tenant, settled);
    keepUses(this.#transaction, tenant, settled);
    insertMemoryEvents(
      this.#transaction,
      tenant,
      arrivals.flatMap(({ events }, i) =>
        events.map((event) => ({ ref: settled[i] as StoredMemory, event })),
      ),
    );
    this.added += arrivals.length;
  }
}

function toArrival({ row, tenant, events, ...memory }: Incoming<"memory">): Arrival {
  return { memory, events };
}

function toDecision({ row, tenant, ...decision }: Incoming<"decision">) {
  return decision;
}
