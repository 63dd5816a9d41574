/** Rebuilds the index rows of messages and repairs the context and the summaries. */
import type { Scope } from "../../types.ts";
import type { HeldConversation, Port } from "../port.ts";
import type { ReindexWrite } from "../store.ts";
import { dropContextItems, placeMessages, placeSummaries, recountContext } from "../tables/context-items.ts";
import { requireConversation } from "../tables/conversations.ts";
import { readLostTranscripts } from "../tables/lost-transcripts.ts";
import { replaceParts } from "../tables/message-parts.ts";
import { dropSegmentsWith } from "../tables/search-segments.ts";
import { dropSummaries, forgetMissingSummaries } from "../tables/summaries.ts";
import { summariesWithAbove } from "../tables/summary-graph.ts";
import { writeState } from "../tables/transcripts.ts";
import { eraseSummaries } from "./erase.ts";
import { restoreMessages } from "./restore-message.ts";

export async function reindex(port: Port, scope: Scope, write: ReindexWrite): Promise<number> {
  const { row, held } = await requireConversation(port, scope, write.id);
  await restoreMessages(held, row, write.restoreMessages ?? []);
  if (write.restoreTranscripts === true)
    for (const { updatedAt, ...state } of await readLostTranscripts(port, scope, write.id))
      writeState(held, state, updatedAt);
  replaceParts(held, write.messages);
  await withdrawSummaries(held, write);
  dropContextItems(held, write.dropOrdinals);
  placeSummaries(held, write.enterSummaries);
  if (write.enterContext.length > 0) await placeMessages(held, write.enterContext);
  recountContext(held);
  return write.messages.length;
}

/**
 * Removes summaries that were changed, and everything made from them: their text may be part of it, and its root covers
 * theirs. A repair returns the items that they cover to the context.
 */
async function withdrawSummaries(held: HeldConversation, write: ReindexWrite): Promise<void> {
  await eraseSummaries(held, await summariesWithAbove(held, write.eraseSummaries));
  const dropped = await summariesWithAbove(held, write.dropSummaries);
  if (dropped.length > 0) {
    await dropSegmentsWith(held, "summary", dropped);
    dropSummaries(held, dropped);
  }
  if (write.forgetMissing) forgetMissingSummaries(held);
}
