/** The text of messages, without tool calls, results and reasoning, for extracting facts. */

import { partsOf } from "../../message/stored-value.ts";
import type { ScopedStore, StoredMessage } from "../../store/store.ts";
import { type ConversationRef, isSaid, type Message, type Part, type Role } from "../../types.ts";
import { readMessages } from "./read-messages.ts";

interface SaidMessage {
  readonly id: string;
  readonly conversation: string;
  readonly seq: number;
  readonly role: Role;
  readonly createdAt: string;
  /** Null once erased. */
  readonly text: string | null;
}

interface SaidRange {
  readonly from: number;
  readonly to?: number;
  /** Called with each page: reading stops after a page for which it returns true. */
  readonly isEnough?: (page: readonly SaidMessage[]) => boolean;
}

/** Small enough that a caller that needs only the first messages reads little more. */
const PAGE_MESSAGES = 250;

/** All messages of a range, oldest first, without other branches and without text that no participant wrote. */
export async function readSaid(
  store: ScopedStore,
  conversation: ConversationRef,
  range: SaidRange,
): Promise<readonly SaidMessage[]> {
  const said: SaidMessage[] = [];
  let next: number | null = range.from;
  while (next !== null) {
    const page: Awaited<ReturnType<typeof readMessages>> = await readMessages(store, {
      conversation,
      from: next,
      limit: PAGE_MESSAGES,
      ...(range.to === undefined ? {} : { to: range.to }),
    });
    const heard = page.messages
      .filter(({ excluded }) => excluded !== "branch" && isSaid(excluded))
      .map(toSaid);
    said.push(...heard);
    if (range.isEnough?.(heard) === true) break;
    next = page.next;
  }
  return said;
}

function toSaid({ id, conversation, seq, role, createdAt, erasedAt, parts }: Message): SaidMessage {
  return { id, conversation, seq, role, createdAt, text: erasedAt === null ? saidInParts(parts) : null };
}

/** The same for one stored message; null once erased, and if no participant wrote it. */
export function saidIn(message: Pick<StoredMessage, "format" | "content" | "excluded">): string | null {
  const { format, content, excluded } = message;
  return content === null || !isSaid(excluded) ? null : saidInParts(partsOf(format, content));
}

/** Without text that a host added. */
export function saidInParts(parts: readonly Part[]): string {
  const texts = parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : []));
  return texts.join("\n");
}
