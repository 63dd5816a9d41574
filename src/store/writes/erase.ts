/** Erases content permanently. The seq, role, times and a digest that reveals nothing stay. */
import type { Scope } from "../../types.ts";
import type { HeldConversation, Port } from "../port.ts";
import type { Certified } from "../rules/certificate.ts";
import { type Counts, NO_COUNTS, subtract } from "../rules/counts.ts";
import { digestIdentity, identitiesOf, tellsFile } from "../rules/entry-identity.ts";
import { namingErased } from "../rules/naming-erased.ts";
import type { EraseWrite, WriteResult } from "../store.ts";
import { dropReceiptsAfter } from "../tables/assembly-receipts.ts";
import { setExclusions } from "../tables/context-exclusions.ts";
import { dropMessageItems } from "../tables/context-items.ts";
import { endAfter, requireConversation, updateEnd, updateNames } from "../tables/conversations.ts";
import { insertErasedKeys, readSalts } from "../tables/erased-keys.ts";
import { dropFiles } from "../tables/large-files.ts";
import { blankParts } from "../tables/message-parts.ts";
import { blankMessages, forgetKeys, type MessageEntry, readEntries } from "../tables/messages.ts";
import { dropSegmentsWith } from "../tables/search-segments.ts";
import { blankSummaries } from "../tables/summaries.ts";
import { summariesAbove } from "../tables/summary-graph.ts";
import { eraseLines, forgetLineHashes } from "../tables/transcript-lines.ts";
import { forgetTurnKeys } from "../tables/turns.ts";
import { eraseMadeFrom } from "./erase-memories.ts";
import { takeApartAbove } from "./move-messages.ts";
import { sealAgain } from "./seal-again.ts";
import { writeCertificate } from "./write-certificate.ts";

export async function erase(
  port: Port,
  scope: Scope,
  write: EraseWrite,
): Promise<Omit<Extract<WriteResult, { kind: "erase" }>, "kind">> {
  const { row, held } = await requireConversation(port, scope, write.id);
  const entries = await readEntries(held, write.seqs);
  const keys = await keysToRemember(port, scope, write, entries);
  const seqs = await blankMessages(held, write.seqs, write.at);
  forgetTellingKeys(held, entries);
  const { summaries, counts, receipts } = await forgetMessages(
    held,
    row.last_summary > 0,
    seqs,
    write.retold,
  );
  const memories = await eraseMadeFrom(port, scope.tenant, write.id, seqs, write.at);
  const lines = eraseLines(held, write.lines);
  updateNames(held, { ...row, title: write.title });
  updateEnd(held, { ...endAfter(row, counts, write.at), receipt_count: row.receipt_count - receipts });
  await sealAgain(port, scope.tenant);
  const audit = namingErased(write.audit, memories);
  const erased = entries.map(({ seq, digest }) => [seq, digest] as const);
  const certificate = await writeCertificate(port, scope, audit, {
    erased,
    ...(keys === null ? {} : { keys }),
  });
  return {
    certificate,
    messages: seqs.length,
    summaries,
    lines: await lines,
    memories: memories.erased.length,
    restored: memories.restored,
  };
}

/** Digests of the messages' identifiers; null if the write has no salt, or there is nothing to remember. */
async function keysToRemember(
  port: Port,
  scope: Scope,
  { id, salt }: EraseWrite,
  entries: readonly MessageEntry[],
): Promise<NonNullable<Certified["keys"]> | null> {
  if (salt === undefined) return null;
  const [known] = await readSalts(port, scope);
  const used = known ?? salt;
  const erased = entries.flatMap((entry) =>
    identitiesOf(entry, id).map((identity) => ({
      digest: digestIdentity(used, identity),
      conversation: id,
      seq: entry.seq,
    })),
  );
  insertErasedKeys(port, scope, used, erased);
  return erased.length === 0
    ? null
    : { salt: used, digests: erased.map(({ digest, seq }) => [digest, seq] as const) };
}

/** A key that contains the name or the hash of a file is erased, and so are such keys of turns. */
function forgetTellingKeys(held: HeldConversation, entries: readonly MessageEntry[]): void {
  const telling = entries.filter(({ key }) => tellsFile(key)).map(({ seq }) => seq);
  forgetKeys(held, telling);
  forgetTurnKeys(held, telling);
}

interface Forgotten {
  /** How many summaries lost their text. */
  readonly summaries: number;
  readonly counts: Counts;
  /** How many receipts were deleted. */
  readonly receipts: number;
}

/** Removes all data derived from the messages. */
async function forgetMessages(
  held: HeldConversation,
  hasSummaries: boolean,
  seqs: readonly number[],
  retold: readonly number[],
): Promise<Forgotten> {
  if (seqs.length + retold.length === 0) return { summaries: 0, counts: NO_COUNTS, receipts: 0 };
  const apart = await takeApartAbove({ held, hasSummaries }, [...seqs, ...retold]);
  await dropSegmentsWith(held, "message", seqs);
  held.port.derived.dropVectors(held, seqs);
  const summaries = hasSummaries ? await eraseSummariesAbove(held, [...seqs, ...retold]) : 0;
  await dropFiles(held, seqs);
  blankParts(held, seqs);
  const gone = await dropMessageItems(held, seqs);
  setExclusions(held, new Map(seqs.map((seq) => [seq, "erased"])));
  const receipts = await dropReceiptsAfter(
    held,
    [...seqs, ...retold].reduce((first, seq) => Math.min(first, seq)),
  );
  forgetLineHashes(held, seqs);
  return { summaries, counts: subtract(apart, gone), receipts };
}

/** Returns how many summaries lost their text. */
export async function eraseSummariesAbove(held: HeldConversation, seqs: readonly number[]): Promise<number> {
  return eraseSummaries(held, await summariesAbove(held, seqs));
}

export async function eraseSummaries(held: HeldConversation, numbers: readonly number[]): Promise<number> {
  if (numbers.length === 0) return 0;
  await dropSegmentsWith(held, "summary", numbers);
  return blankSummaries(held, numbers);
}
