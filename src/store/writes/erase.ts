/** Removes content for good. What stays is the place it had: seq, role, times and a digest that says nothing. */
import type { Scope } from "../../types.ts";
import type { HeldConversation, Port } from "../port.ts";
import { type Counts, NO_COUNTS, subtract } from "../rules/counts.ts";
import { namingErased } from "../rules/naming-erased.ts";
import type { EraseWrite, WriteResult } from "../store.ts";
import { dropReceiptsAfter } from "../tables/assembly-receipts.ts";
import { writeAudit } from "../tables/audit-log.ts";
import { setExclusions } from "../tables/context-exclusions.ts";
import { dropMessageItems } from "../tables/context-items.ts";
import { endAfter, requireConversation, updateEnd, updateNames } from "../tables/conversations.ts";
import { dropFiles } from "../tables/large-files.ts";
import { blankParts } from "../tables/message-parts.ts";
import { blankMessages } from "../tables/messages.ts";
import { dropSegmentsWith } from "../tables/search-segments.ts";
import { blankSummaries } from "../tables/summaries.ts";
import { summariesAbove } from "../tables/summary-graph.ts";
import { eraseLines, forgetLineHashes } from "../tables/transcript-lines.ts";
import { eraseMadeFrom } from "./erase-memories.ts";
import { takeApartAbove } from "./move-messages.ts";

export async function erase(
  port: Port,
  scope: Scope,
  write: EraseWrite,
): Promise<Omit<Extract<WriteResult, { kind: "erase" }>, "kind">> {
  const { row, held } = await requireConversation(port, scope, write.id);
  const seqs = await blankMessages(held, write.seqs, write.at);
  const { summaries, counts } = await forgetMessages(held, row.last_summary > 0, seqs, write.retold);
  const memories = await eraseMadeFrom(port, scope.tenant, write.id, seqs, write.at);
  const lines = eraseLines(held, write.lines);
  updateNames(held, { ...row, title: write.title });
  updateEnd(held, endAfter(row, counts, write.at));
  writeAudit(port, scope, namingErased(write.audit, memories));
  return {
    messages: seqs.length,
    summaries,
    lines: await lines,
    memories: memories.erased.length,
    restored: memories.restored,
  };
}

interface Forgotten {
  /** How many summaries lost their text. */
  readonly summaries: number;
  readonly counts: Counts;
}

/** Removes whatever was made from the messages. */
async function forgetMessages(
  held: HeldConversation,
  hasSummaries: boolean,
  seqs: readonly number[],
  retold: readonly number[],
): Promise<Forgotten> {
  if (seqs.length === 0) return { summaries: 0, counts: NO_COUNTS };
  const apart = await takeApartAbove({ held, hasSummaries }, [...seqs, ...retold]);
  await dropSegmentsWith(held, "message", seqs);
  held.port.derived.dropVectors(held, seqs);
  const summaries = hasSummaries ? await eraseSummariesAbove(held, [...seqs, ...retold]) : 0;
  await dropFiles(held, seqs);
  blankParts(held, seqs);
  const gone = await dropMessageItems(held, seqs);
  setExclusions(held, new Map(seqs.map((seq) => [seq, "erased"])));
  dropReceiptsAfter(
    held,
    seqs.reduce((first, seq) => Math.min(first, seq)),
  );
  forgetLineHashes(held, seqs);
  return { summaries, counts: subtract(apart, gone) };
}

/** Answers with how many summaries lost their text. */
export async function eraseSummariesAbove(held: HeldConversation, seqs: readonly number[]): Promise<number> {
  return eraseSummaries(held, await summariesAbove(held, seqs));
}

export async function eraseSummaries(held: HeldConversation, numbers: readonly number[]): Promise<number> {
  if (numbers.length === 0) return 0;
  await dropSegmentsWith(held, "summary", numbers);
  return blankSummaries(held, numbers);
}
