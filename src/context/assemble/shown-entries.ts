/** What a receipt says was shown, read again from the store, as it was shown. */
import { everyRow } from "../../store/every-row.ts";
import type { AssembleDependencies } from "./assemble.ts";
import { cutEntry } from "./cut-entry.ts";
import { type Entry, messageEntry, summaryEntry } from "./entry.ts";
import { type Receipt, readRuns, type ShownRun } from "./receipt.ts";
import { stubOld } from "./stub-tool-results.ts";

export interface ShownEntries {
  readonly entries: readonly Entry[];
  /** Items that were erased since. */
  readonly missing: number;
}

type Reading = Pick<AssembleDependencies, "store" | "countTokens" | "stub">;

export async function shownEntries(
  conversation: string,
  receipt: Pick<Receipt, "shown" | "cut">,
  use: Reading,
): Promise<ShownEntries> {
  const entries: Entry[] = [];
  let missing = 0;
  for (const run of readRuns(receipt.shown)) {
    const read = await readRun(conversation, run, use);
    missing += read.missing;
    for (const entry of read.entries) {
      const shown = { ...asStub(entry, run, use), reason: run.reason };
      const cutTo = receipt.cut?.[entry.id];
      entries.push(cutTo === undefined ? shown : cutEntry(shown, cutTo));
    }
  }
  return { entries, missing };
}

function asStub(entry: Entry, run: ShownRun, { stub }: Reading): Entry {
  const wasStub = run.reason === "stub of an old tool result";
  return wasStub && stub !== null ? stubOld(entry, Number.POSITIVE_INFINITY, stub) : entry;
}

async function readRun(
  conversation: string,
  run: ShownRun,
  { store, countTokens }: Reading,
): Promise<{ entries: Entry[]; missing: number }> {
  if (run.type === "summary") {
    const summary = await store.summary(run.id);
    const isThere = summary !== undefined && summary.content !== null;
    return { entries: isThere ? [summaryEntry(summary, countTokens)] : [], missing: isThere ? 0 : 1 };
  }
  const entries: Entry[] = [];
  for await (const message of everyRow(
    (from) => store.messages(conversation, { from, to: run.to }),
    run.from,
  ))
    if (message.content !== null) entries.push(messageEntry(conversation, message));
  return { entries, missing: run.to - run.from + 1 - entries.length };
}
