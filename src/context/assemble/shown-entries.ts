/** Reads the items of a receipt from the store, as they were shown. */

import { everyRow } from "../../store/every-row.ts";
import type { Receipt } from "../read/receipt.ts";
import type { AssembleDependencies } from "./assemble.ts";
import { cutEntry } from "./cut-entry.ts";
import { type Entry, messageEntry, STUB, summaryEntry } from "./entry.ts";
import { readRuns, type ShownRun } from "./write-receipt.ts";

interface ShownEntries {
  readonly entries: readonly Entry[];
  /** Items that were erased since. */
  readonly missing: number;
}

type Reading = Pick<AssembleDependencies, "store" | "countTokens">;

export async function shownEntries(
  conversation: string,
  receipt: Pick<Receipt, "shown" | "cut">,
  use: Reading,
  /** When they were shown: later file descriptions are not used. Default: now. */
  before: string | null = null,
): Promise<ShownEntries> {
  const entries: Entry[] = [];
  let missing = 0;
  for (const run of readRuns(receipt.shown)) {
    const read = await readRun(conversation, run, use, before);
    missing += read.missing;
    for (const entry of read.entries) {
      const shown = { ...entry, reason: run.reason };
      const cutTo = receipt.cut?.[entry.id];
      entries.push(cutTo === undefined ? shown : cutEntry(shown, cutTo));
    }
  }
  return { entries, missing };
}

async function readRun(
  conversation: string,
  run: ShownRun,
  { store, countTokens }: Reading,
  before: string | null,
): Promise<{ entries: Entry[]; missing: number }> {
  if (run.type === "summary") {
    const summary = await store.summary(run.id);
    const isThere = summary !== undefined && summary.content !== null;
    return { entries: isThere ? [summaryEntry(summary, countTokens)] : [], missing: isThere ? 0 : 1 };
  }
  const entries: Entry[] = [];
  const isStub = run.reason === STUB;
  const shown = {
    payloads: isStub ? "stubs" : "context",
    ...(before === null ? {} : { describedBefore: before }),
  } as const;
  for await (const message of everyRow(
    (from) => store.messages(conversation, { from, to: run.to, ...shown }),
    run.from,
  ))
    if (message.content !== null) entries.push(messageEntry(conversation, message, isStub));
  return { entries, missing: run.to - run.from + 1 - entries.length };
}
