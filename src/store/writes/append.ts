/**
 * Adds messages at the end of a conversation, with everything that belongs to the same moment. Two round trips on
 * PostgreSQL: one that locks the conversation and reads what the decision needs, one that writes and commits.
 */
import type { ExclusionReason, Scope } from "../../types.ts";
import { HeldConversation, type Port } from "../port.ts";
import { messageItem } from "../rules/context-item.ts";
import { add, type Counts, countItems } from "../rules/counts.ts";
import { keysDigest, type Placement, placeMessages, type SealedMessage } from "../rules/place-messages.ts";
import { placedInOrder } from "../rules/placed-in-order.ts";
import { fillErased, replayTurn } from "../rules/replay-turn.ts";
import { requireBasis } from "../rules/transcript-basis.ts";
import { withoutErasedHashes } from "../rules/without-erased-hashes.ts";
import type { AppendWrite, PlacedMessage, StoredTranscriptLine, WriteResult } from "../store.ts";
import { insertReceipts } from "../tables/assembly-receipts.ts";
import { activeAfter, setExclusions } from "../tables/context-exclusions.ts";
import { insertContextItems } from "../tables/context-items.ts";
import {
  type ConversationEnd,
  type ConversationRow,
  endAfter,
  nameSession,
  toConversation,
  updateEnd,
} from "../tables/conversations.ts";
import { insertParts } from "../tables/message-parts.ts";
import { erasedInTurn, insertMessages } from "../tables/messages.ts";
import { writeLines } from "../tables/transcript-lines.ts";
import { writeState } from "../tables/transcripts.ts";
import { insertTurns } from "../tables/turns.ts";
import { keepApart } from "./keep-apart.ts";
import { enterContext, leaveContext } from "./move-messages.ts";
import { openForAppend } from "./open-for-append.ts";

type AppendResult = Extract<WriteResult, { kind: "append" }>;

export async function append(port: Port, scope: Scope, write: AppendWrite): Promise<AppendResult> {
  const { row: found, known, turn, basis, created } = await openForAppend(port, scope, write);
  const held = new HeldConversation(port, scope, found.conversation_id);
  const row = nameSession(held, found, write.address);
  if (turn !== undefined) {
    const placed = replayTurn(row.uid, write, turn, known);
    const erased = placed.includes(null) ? await erasedInTurn(held, turn) : [];
    const messages = fillErased(placed, turn, erased);
    return { kind: "append", conversation: toConversation(row), created, status: "duplicate", messages };
  }
  if (write.transcript !== null && basis !== null) requireBasis(write.transcript.plannedFrom, basis, row.uid);
  const head = { lastSeq: row.last_seq, tokens: row.token_count, hash: row.head_hash };
  const placement = placeMessages(row.uid, head, write, known);
  const others = await otherMessages(held, write, placement, row.last_seq);
  const end = await writePlaced(held, row, write, placement, others ?? []);
  return {
    kind: "append",
    conversation: toConversation(row, end),
    created,
    status: isReplay(write, placement.placed) ? "duplicate" : "committed",
    messages: placement.placed,
    ...(others === null ? {} : { left: others.length }),
  };
}

function isReplay(write: AppendWrite, placed: readonly PlacedMessage[]): boolean {
  return write.turnKey === null && placed.length > 0 && placed.every((message) => message.existed);
}

/** The rest of the active path, where it is to be left; null otherwise. */
async function otherMessages(
  held: HeldConversation,
  { leaveOthersAfter }: AppendWrite,
  { placed }: Placement,
  last: number,
): Promise<readonly number[] | null> {
  if (leaveOthersAfter === null) return null;
  const known = placed.find(({ existed }) => existed)?.seq ?? last;
  const kept = new Set(placed.map(({ seq }) => seq));
  const active = await activeAfter(held, leaveOthersAfter === "first-known" ? known : leaveOthersAfter, last);
  return active.filter((seq) => !kept.has(seq));
}

/** Answers with where the conversation ends then. */
async function writePlaced(
  held: HeldConversation,
  row: ConversationRow,
  write: AppendWrite,
  placement: Placement,
  others: readonly number[],
): Promise<ConversationEnd> {
  const { placed, head, fresh } = placement;
  const joined = await writeFresh(held, fresh);
  writeTurn(held, write, placement);
  const [firstNew] = fresh;
  if (write.receipt !== null && firstNew !== undefined)
    insertReceipts(held, [{ firstSeq: firstNew.seq, at: write.at, content: write.receipt }]);
  const leaving = new Map(placement.leave);
  for (const { seq, reason } of write.leaveContext) leaving.set(seq, reason);
  for (const seq of others) leaving.set(seq, "branch");
  const conversation = { held, hasSummaries: row.last_summary > 0 };
  const left = await leaveContext(conversation, leaving);
  const entered = await enterContext(conversation, [...placement.enter, ...write.enterContext]);
  writeTranscript(held, write, placed);
  const end = {
    ...endAfter(row, add(joined, add(left, entered)), write.at),
    last_seq: head.lastSeq,
    token_count: head.tokens,
    head_hash: head.hash,
  };
  updateEnd(held, end);
  return end;
}

/** Answers with what joined the context. */
async function writeFresh(held: HeldConversation, fresh: readonly SealedMessage[]): Promise<Counts> {
  const kept = await keepApart(held, fresh);
  insertMessages(held, fresh, kept);
  insertParts(held, fresh);
  const shown = fresh.filter((message) => message.excluded === null);
  insertContextItems(held, shown.map(messageItem));
  const excluded = fresh.flatMap(({ seq, excluded }): [number, ExclusionReason][] =>
    excluded === null ? [] : [[seq, excluded]],
  );
  setExclusions(held, new Map(excluded));
  return countItems(shown);
}

function writeTurn(held: HeldConversation, write: AppendWrite, { placed, head }: Placement): void {
  if (write.turnKey === null) return;
  const firstSeq = placed[0]?.seq ?? head.lastSeq;
  insertTurns(held, [
    { key: write.turnKey, keysDigest: keysDigest(write), firstSeq, messageCount: placed.length },
  ]);
}

/** How far the host's transcript was read, and which lines it had. */
function writeTranscript(held: HeldConversation, write: AppendWrite, placed: readonly PlacedMessage[]): void {
  if (write.transcript === null) return;
  const { state, lines } = withoutErasedHashes(write.transcript, write, placed);
  writeState(held, state, write.at);
  const placeOf = placedInOrder(write, placed);
  const rows = lines.map(
    ({ messageKey, ...line }): StoredTranscriptLine => ({
      ...line,
      transcript: state.number,
      seq: messageKey === null ? line.seq : (placeOf(messageKey)?.seq ?? null),
    }),
  );
  // The last word on a line number counts.
  const byNumber = new Map(rows.map((row) => [row.line, row]));
  writeLines(held, [...byNumber.values()]);
}
