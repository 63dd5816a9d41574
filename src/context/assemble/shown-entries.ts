/** The entries that a receipt speaks of, read again and cut as they were. What was erased since is missing. */
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, WindowItem } from "../../store/store.ts";
import type { AssembleDependencies } from "./assemble.ts";
import { cutEntry } from "./cut-entry.ts";
import { type Entry, toEntry } from "./entry.ts";
import { type Receipt, readRuns, type ShownRun } from "./receipt.ts";

export interface ShownEntry {
  readonly item: WindowItem;
  readonly entry: Entry;
}

export interface ShownEntries {
  readonly shown: readonly ShownEntry[];
  readonly missing: number;
}

export async function shownEntries(
  conversation: string,
  receipt: Pick<Receipt, "shown" | "cut">,
  { store, countTokens }: AssembleDependencies,
): Promise<ShownEntries> {
  const shown: ShownEntry[] = [];
  let missing = 0;
  for (const run of readRuns(receipt.shown)) {
    const read = await readRun(store, conversation, run);
    missing += read.missing;
    for (const item of read.items) {
      const whole = { ...toEntry(conversation, item, countTokens), reason: run.reason };
      const cutTo = receipt.cut?.[whole.id];
      shown.push({ item, entry: cutTo === undefined ? whole : cutEntry(whole, cutTo) });
    }
  }
  return { shown, missing };
}

async function readRun(
  store: ScopedStore,
  id: string,
  run: ShownRun,
): Promise<{ items: WindowItem[]; missing: number }> {
  if (run.type === "summary") {
    const summary = await store.summary(run.id);
    const isThere = summary !== undefined && summary.content !== null;
    return { items: isThere ? [{ ordinal: 0, type: "summary", summary }] : [], missing: isThere ? 0 : 1 };
  }
  const items: WindowItem[] = [];
  for await (const message of everyRow((from) => store.messages(id, { from, to: run.to }), run.from))
    if (message.content !== null) items.push({ ordinal: 0, type: "message", message });
  return { items, missing: run.to - run.from + 1 - items.length };
}
