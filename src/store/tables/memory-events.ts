/** Operations on memories, in order; never their text. */
import { insertInto } from "../insert.ts";
import type { MemoryEvent, MemoryRef } from "../memory-store.ts";
import type { Port, Reader } from "../port.ts";
import { rowList } from "../row-list.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { sealedTable } from "../sealed-table.ts";
import { type Dialect, statement } from "../statement.ts";
import { refList, refName } from "./memory-refs.ts";

export const SEALED_EVENTS = sealedTable(
  "memory_events",
  { at: "time", action: "text", detail: "shown" },
  "memory",
  (d) => ({ [d.eventColumn]: 0 }),
);
const INSERT = insertInto(
  "memory_events",
  { scope: "scope", number: "memory", event_number: "position", ...SEALED_EVENTS.columns },
  { owner: "memory", sealed: SEALED_EVENTS },
);

interface PlacedEvent {
  readonly ref: MemoryRef;
  readonly event: MemoryEvent;
}

const COUNT = statement(
  (d) => `UPDATE memories SET event_count = event_count + coming.events
    FROM ${d.rows("$2", "coming", { scope: "text", number: "bigint", events: "bigint" })}
    WHERE ${d.memory("memories", "coming.scope", "coming.number")}`,
);

/** For stored memories: each counts its events. */
export function insertEvents(port: Port, tenant: string, events: readonly PlacedEvent[]): void {
  if (events.length === 0) return;
  insertFirstEvents(port, tenant, events);
  const counted = rowList(
    [...Map.groupBy(events, ({ ref }) => refName(ref)).values()],
    ([event]) => event?.ref.scope ?? "",
    ([event]) => event?.ref.number ?? 0,
    (own) => own.length,
  );
  port.send(COUNT, tenant, counted);
}

/** For new memories, whose rows already have the number of their events. */
export function insertFirstEvents(port: Port, tenant: string, events: readonly PlacedEvent[]): void {
  if (events.length === 0) return;
  port.insert(
    INSERT,
    [tenant],
    events.map(({ ref: { scope, number }, event: { at, action, detail } }) => ({
      scope,
      number,
      event_number: null,
      at,
      action,
      detail,
    })),
  );
}

const FORGET = statement(
  (d) =>
    `UPDATE memory_events SET detail = '{}', seal = NULL WHERE ${d.listedMemories("memory_events", "$2")}`,
);

/** The action and its time stay; its details may contain erased content. */
export function forgetDetails(port: Port, tenant: string, refs: readonly MemoryRef[]): void {
  port.send(FORGET, tenant, refList(refs));
}

const READ = statement((d) => {
  const events = d.join("memory_events", "e", d.sameMemory("e", "m"));
  return `SELECT e.at, e.action, e.detail FROM memories m ${events}
    WHERE ${d.inScopes("m", "$2")} AND m.uid = $3 ORDER BY e.${d.eventColumn}`;
});

export async function readMemoryEvents(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  id: string,
): Promise<MemoryEvent[]> {
  const rows = await reader.rows<MemoryEvent>(READ, tenant, scopes, id);
  return rows.map(({ at, action, detail }) => ({ at, action, detail }));
}

const READ_LISTED = statement(
  (
    d,
  ) => `SELECT ${d.scope("e")} AS scope, ${d.number("e")} AS number, e.at, e.action, e.detail FROM memory_events e
    WHERE ${d.listedMemories("e", "$2")} ORDER BY e.${d.eventColumn}`,
);

/** By the keys of the memories. */
export async function readEventsOf(
  reader: Reader,
  tenant: string,
  refs: readonly MemoryRef[],
): Promise<ReadonlyMap<string, readonly MemoryEvent[]>> {
  if (refs.length === 0) return new Map();
  const rows = await reader.rows<MemoryRef & MemoryEvent>(READ_LISTED, tenant, refList(refs));
  const events = Map.groupBy(rows, refName);
  return new Map(
    [...events].map(([name, own]) => [name, own.map(({ at, action, detail }) => ({ at, action, detail }))]),
  );
}

/** The events of the memory `m` as a JSON list. */
export function eventsJson(d: Dialect): string {
  const event = d.jsonObject({ at: d.json("e.at", "time"), action: "e.action", detail: "e.detail" });
  return d.nestedList(event, `memory_events e WHERE ${d.sameMemory("e", "m")}`, `e.${d.eventColumn}`);
}
