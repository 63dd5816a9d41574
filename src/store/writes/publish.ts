/** Replaces the sources of a summary, or one that was made from them, by the summary, if they are still shown. */
import type { Scope } from "../../types.ts";
import type { HeldConversation, Port } from "../port.ts";
import { summaryItem } from "../rules/context-item.ts";
import { countItems, subtract } from "../rules/counts.ts";
import { areInPlace, contextMoved } from "../rules/in-place.ts";
import { type SourceFacts, summarise } from "../rules/summary-facts.ts";
import { merkleRoot } from "../seal.ts";
import { ORDINAL_GAP, type PublishWrite, type StoredSummary, type WriteResult } from "../store.ts";
import { insertEvents } from "../tables/compaction-events.ts";
import {
  dropContextItems,
  type ItemRow,
  insertContextItems,
  itemOfSummary,
  itemsBetween,
} from "../tables/context-items.ts";
import { endAfter, requireConversation, toConversation, updateEnd } from "../tables/conversations.ts";
import { insertSummaries, readSourceFacts } from "../tables/summaries.ts";

export async function publish(
  port: Port,
  scope: Scope,
  write: PublishWrite,
): Promise<Extract<WriteResult, { kind: "publish" }>> {
  const { row, held } = await requireConversation(port, scope, write.id);
  const { sources } = write.summary;
  const facts = await readSourceFacts(held, sources);
  const replaced = await replacedItems(held, write, facts);
  const summary: StoredSummary = { ...summarise(write.summary, facts), conversation: write.id };
  const number = row.last_summary + 1;
  const item = summaryItem(summary.firstSeq, number, summary.tokenCount);
  const parents = sources.type === "summaries" ? facts.map(({ position }) => position) : [];
  insertSummaries(held, [{ number, summary, parents }]);
  dropContextItems(
    held,
    replaced.map(({ ordinal }) => ordinal),
  );
  insertContextItems(held, [item]);
  insertEvents(held, [{ number, summaryNumber: number, event: write.event }]);
  const gone = replaced.map(({ token_count, stub_token_count }) => ({
    ...{ tokenCount: token_count, stubTokenCount: stub_token_count },
  }));
  const counts = subtract(countItems([item]), countItems(gone));
  const end = { ...endAfter(row, counts, write.at), last_summary: number };
  updateEnd(held, end);
  return { kind: "publish", conversation: toConversation(row, end), summary };
}

/** The items that the summary replaces, or `busy` if the context has changed. */
async function replacedItems(
  held: HeldConversation,
  { summary: { sources }, replaces }: PublishWrite,
  facts: readonly SourceFacts[],
): Promise<ItemRow[]> {
  if (replaces !== undefined) {
    const items = await itemOfSummary(held, replaces, merkleRoot(facts.map(({ hash }) => hash)));
    if (items.length === 0) throw contextMoved();
    return items;
  }
  const [first, last] = [facts[0]?.firstSeq ?? 0, facts.at(-1)?.firstSeq ?? 0];
  const items = await itemsBetween(held, first * ORDINAL_GAP, last * ORDINAL_GAP);
  if (items.length === 0 || !areInPlace(items, sources, facts)) throw contextMoved();
  return items;
}
