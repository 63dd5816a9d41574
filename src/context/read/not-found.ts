/** Errors with suggestions: a missing id is answered with similar existing ones. Only ids of the scope are named. */
import { PalimpsestError } from "../../errors.ts";
import type { ScopedStore, StoredConversation } from "../../store/store.ts";
import { nearest } from "../../text/hints/nearest.ts";
import {
  isConversationId,
  isMessageId,
  isSummaryId,
  kindOfId,
  messageId,
  parseMessageId,
} from "../../text/identifiers.ts";

export async function noSummary(store: ScopedStore, id: unknown): Promise<PalimpsestError> {
  const given = String(id);
  const near = /^sum_\w{1,32}$/.test(given) ? nearest(given, await store.similarSummaryIds(given)) : [];
  return new PalimpsestError("not-found", `there is no summary ${given}`, {
    advice: didYouMean(near) ?? "List summaries with: lcm tree <conversation>",
  });
}

export async function noMessage(store: ScopedStore, id: string): Promise<PalimpsestError> {
  const { conversation, seq } = parseMessageId(id);
  const found = await store.conversation({ id: conversation });
  const advice = found === undefined ? await otherConversation(store, conversation, seq) : whatItHas(found);
  return new PalimpsestError("not-found", `there is no message ${id}`, { advice });
}

/** For the first message of a range. */
export function noMessageAt(
  { id, messageCount }: Pick<StoredConversation, "id" | "messageCount">,
  from: number,
): PalimpsestError {
  return new PalimpsestError("not-found", `${id} has no message ${from}`, {
    advice: messageCount === 0 ? "It has no messages." : `It has messages 1 to ${messageCount}.`,
  });
}

function whatItHas({ id, messageCount }: StoredConversation): string {
  if (messageCount === 0) return `${id} has no messages.`;
  return `${id} has messages 1 to ${messageCount}. Read some with: lcm read ${id} from=<number>`;
}

async function otherConversation(store: ScopedStore, conversation: string, seq: number): Promise<string> {
  const near = await nearConversations(store, conversation);
  const meant = didYouMean(near.map((id) => messageId(id, seq)));
  return meant ?? `There is no conversation ${conversation}. List conversations with: lcm conversations`;
}

/** Nearly the id of a message, with a character missing or added. */
const GARBLED_MESSAGE = /^msg_(\w{8,32})_([1-9]\d{0,8})$/;

export async function noConversation(store: ScopedStore, name: string): Promise<PalimpsestError> {
  const garbled = GARBLED_MESSAGE.exec(name);
  if (garbled !== null && !isMessageId(name)) {
    const [, conversation = "", seq = ""] = garbled;
    const advice = await otherConversation(store, `conv_${conversation}`, Number(seq));
    return new PalimpsestError("not-found", `there is no message ${name}`, { advice });
  }
  const [archived] = await archivedLike(store, name);
  if (archived !== undefined)
    return new PalimpsestError("not-found", `there is no active conversation ${name}`, {
      advice: `An archived conversation has the id ${archived.id}. List all with: lcm conversations archived=true`,
    });
  const advice =
    otherKind(name) ??
    didYouMean(await nearConversations(store, name)) ??
    "List conversations with: lcm conversations";
  return new PalimpsestError("not-found", `there is no conversation ${name}`, { advice });
}

/** The archived conversations of a session without an active one, newest first, among the recently changed ones. */
export async function archivedLike(store: ScopedStore, name: string): Promise<StoredConversation[]> {
  if (isConversationId(name)) return [];
  const { rows } = await store.conversations({ archived: true });
  return rows.filter(({ sessionId, sessionKey }) => sessionId === name || sessionKey === name);
}

/** Detects ids of other kinds, which are easily mistaken for a conversation's. */
function otherKind(name: string): string | null {
  if (kindOfId(name) === "memory") return `That is the id of a memory. See it with: lcm memory show ${name}`;
  if (isSummaryId(name)) return `That is the id of a summary. Show it with: lcm describe ${name}`;
  if (kindOfId(name) !== "message") return null;
  if (!isMessageId(name))
    return "A message id looks like msg_0123456789abcdef_42. Read a message by its number with: lcm read <conversation> from=42 to=42";
  const { conversation, seq } = parseMessageId(name);
  return `That is the id of a message. Read its conversation from there with: lcm read ${conversation} from=${seq}`;
}

/** By id or session id, among the recently changed ones: hosts often ask for sessions that do not exist yet. */
async function nearConversations(store: ScopedStore, name: string): Promise<string[]> {
  const { rows } = await store.conversations({ archived: true });
  const isId = kindOfId(name) === "conversation";
  return nearest(
    name,
    rows.map(({ id, sessionId }) => (isId ? id : sessionId)),
  );
}

function didYouMean(ids: readonly string[]): string | null {
  return ids.length === 0 ? null : `Did you mean ${ids.join(" or ")}?`;
}
