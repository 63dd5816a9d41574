/**
 * Adds messages at the end of a conversation, with everything that is committed with them. Two round trips on PostgreSQL: one
 * that locks the conversation and reads what the decision needs, one that writes and commits.
 */
import { type ExclusionReason, isSaid, type Scope } from "../../types.ts";
import { HeldConversation, type Port } from "../port.ts";
import { messageItem } from "../rules/context-item.ts";
import { add, type Counts, countItems } from "../rules/counts.ts";
import { tellsFile } from "../rules/entry-identity.ts";
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
  updateHost,
  updateNames,
} from "../tables/conversations.ts";
import { markCleanup } from "../tables/erasure-cleanups.ts";
import { insertParts } from "../tables/message-parts.ts";
import { erasedInTurn, insertMessages, readOrigins } from "../tables/messages.ts";
import { toOrigin, writeLines } from "../tables/transcript-lines.ts";
import { writeState } from "../tables/transcripts.ts";
import { insertTurns } from "../tables/turns.ts";
import { keepApart } from "./keep-apart.ts";
import { enterContext, leaveContext } from "./move-messages.ts";
import { openForAppend } from "./open-for-append.ts";

type AppendResult = Extract<WriteResult, { kind: "append" }>;

export async function append(port: Port, scope: Scope, write: AppendWrite): Promise<AppendResult> {
  const { row: found, known, erased, turn, basis, created } = await openForAppend(port, scope, write);
  const held = new HeldConversation(port, scope, found.conversation_id);
  const named = nameSession(held, found, write.address);
  const row = updateHost(held, named, write.hostContext);
  if (turn !== undefined) {
    const placed = replayTurn(row.uid, write, turn, known);
    const gone = placed.includes(null) ? await erasedInTurn(held, turn) : [];
    const messages = fillErased(placed, turn, gone);
    await dropErasedContents(held, write, messages);
    return { kind: "append", conversation: toConversation(row), created, status: "duplicate", messages };
  }
  if (write.transcript !== null && basis !== null) requireBasis(write.transcript.plannedFrom, basis, row.uid);
  const head = { lastSeq: row.last_seq, tokens: row.token_count, hash: row.head_hash };
  const placement = placeMessages(row.uid, head, write, known, erased);
  const others = await otherMessages(held, write, placement, row.last_seq);
  const end = await writePlaced(held, row, write, placement, others ?? []);
  await dropErasedContents(held, write, placement.placed);
  const shown = retitled(held, { row, created }, write, erased.size > 0 || placement.placed.some(isErased));
  return {
    kind: "append",
    conversation: toConversation(shown, end),
    created,
    status: isReplay(write, placement.placed) ? "duplicate" : "committed",
    messages: placement.placed,
    ...(others === null ? {} : { left: others.length }),
  };
}

/** The content of an attached file is stored before its message: if the message was erased, the content is removed again. */
async function dropErasedContents(
  { port, scope }: HeldConversation,
  { messages, at }: AppendWrite,
  placed: readonly PlacedMessage[],
): Promise<void> {
  const given = messages.filter((_, index) => placed[index]?.erased === true).flatMap(({ files }) => files);
  const hashes = given.flatMap(({ content }) => content ?? []);
  if (hashes.length === 0) return;
  await port.contents.dropUnreferenced(scope, hashes);
  markCleanup(port, scope, at);
}

/**
 * A conversation may begin with text of the host only, and gets its title with the first request. The title of a new one may
 * come from a message that was erased elsewhere.
 */
function retitled(
  held: HeldConversation,
  { row, created }: { readonly row: ConversationRow; readonly created: boolean },
  { create }: AppendWrite,
  isErased: boolean,
): ConversationRow {
  if (!row.title_is_automatic || created !== isErased) return row;
  const title = created ? null : (row.title ?? create?.title ?? null);
  if (title === row.title) return row;
  const named = { ...row, title };
  updateNames(held, named);
  return named;
}

function isErased({ erased }: PlacedMessage): boolean {
  return erased === true;
}

function isReplay(write: AppendWrite, placed: readonly PlacedMessage[]): boolean {
  return (
    (write.turnKey === null || isErasedAttachment(write, placed)) &&
    placed.length > 0 &&
    placed.every((message) => message.existed)
  );
}

/** The key of its turn contained the file's name and hash, and is not stored again. */
function isErasedAttachment({ turnKey }: AppendWrite, placed: readonly PlacedMessage[]): boolean {
  return turnKey !== null && tellsFile(turnKey) && placed.every((message) => message.erased);
}

/** The rest of the active path, if it is left; otherwise null. */
async function otherMessages(
  held: HeldConversation,
  { leaveOthersAfter, messages }: AppendWrite,
  { placed }: Placement,
  last: number,
): Promise<readonly number[] | null> {
  if (leaveOthersAfter === null) return null;
  const isKnown = ({ existed }: PlacedMessage, i: number) => existed && isSaid(messages[i]?.excluded ?? null);
  const known = placed.find(isKnown)?.seq ?? last;
  const kept = new Set(placed.map(({ seq }) => seq));
  const active = await activeAfter(held, leaveOthersAfter === "first-known" ? known : leaveOthersAfter, last);
  return active.filter((seq) => !kept.has(seq));
}

/** Returns the new end of the conversation. */
async function writePlaced(
  held: HeldConversation,
  row: ConversationRow,
  write: AppendWrite,
  placement: Placement,
  others: readonly number[],
): Promise<ConversationEnd> {
  const { head, fresh } = placement;
  const joined = await writeFresh(held, fresh);
  const isTurn = writeTurn(held, write, placement);
  const [firstNew] = fresh;
  const hasReceipt = write.receipt !== null && firstNew !== undefined;
  if (hasReceipt) insertReceipts(held, [{ firstSeq: firstNew.seq, at: write.at, content: write.receipt }]);
  const leaving = new Map(placement.leave);
  for (const { seq, reason } of write.leaveContext) leaving.set(seq, reason);
  for (const seq of others) leaving.set(seq, "branch");
  const conversation = { held, hasSummaries: row.last_summary > 0 };
  const left = await leaveContext(conversation, leaving);
  const entered = await enterContext(conversation, [...placement.enter, ...write.enterContext]);
  await writeTranscript(held, write, placement);
  const end = {
    ...endAfter(row, add(joined, add(left, entered)), write.at),
    last_seq: head.lastSeq,
    token_count: head.tokens,
    head_hash: head.hash,
    turn_count: row.turn_count + (isTurn ? 1 : 0),
    receipt_count: row.receipt_count + (hasReceipt ? 1 : 0),
  };
  updateEnd(held, end);
  return end;
}

/** Returns the counts that were added to the context. */
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

/** Returns whether there was one to write. */
function writeTurn(held: HeldConversation, write: AppendWrite, { placed, head }: Placement): boolean {
  if (write.turnKey === null || isErasedAttachment(write, placed)) return false;
  const firstSeq = placed[0]?.seq ?? head.lastSeq;
  insertTurns(held, [
    { key: write.turnKey, keysDigest: keysDigest(write), firstSeq, messageCount: placed.length },
  ]);
  return true;
}

/** Stores how far the host's transcript was read, and its lines. */
async function writeTranscript(
  held: HeldConversation,
  write: AppendWrite,
  { placed, fresh }: Placement,
): Promise<void> {
  if (write.transcript === null) return;
  const { state, lines } = withoutErasedHashes(write.transcript, write, placed);
  writeState(held, state, write.at);
  const placeOf = placedInOrder(write, placed);
  const rows = lines.map(({ messageKey, ...line }) => ({
    ...line,
    transcript: state.number,
    seq: messageKey === null ? line.seq : (placeOf(messageKey)?.seq ?? null),
  }));
  // The last entry for a line number wins.
  const byNumber = new Map(rows.map((row) => [row.line, row]));
  writeLines(held, await withOrigins(held, [...byNumber.values()], fresh));
}

async function withOrigins(
  held: HeldConversation,
  lines: readonly Omit<StoredTranscriptLine, "origin">[],
  fresh: readonly SealedMessage[],
): Promise<StoredTranscriptLine[]> {
  const origins = new Map(fresh.map(({ seq, salt, createdAt }) => [seq, toOrigin(salt, createdAt)]));
  const known = lines.flatMap(({ seq, hash }) =>
    seq === null || hash === null || origins.has(seq) ? [] : [seq],
  );
  if (known.length > 0) for (const [seq, origin] of await readOrigins(held, known)) origins.set(seq, origin);
  return lines.map((line) => ({ ...line, origin: origins.get(line.seq ?? 0) ?? null }));
}
