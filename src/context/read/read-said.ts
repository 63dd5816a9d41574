/** The text of messages, without tool calls, results and reasoning, for extracting facts. */

import { partsOf } from "../../message/stored-value.ts";
import type { ScopedStore, StoredMessage } from "../../store/store.ts";
import { type ConversationRef, isSaid, type Message, type Part, type Role } from "../../types.ts";
import { readMessages } from "./read-messages.ts";

export interface SaidMessage {
  readonly id: string;
  readonly conversation: string;
  readonly seq: number;
  readonly role: Role;
  readonly createdAt: string;
  /** Null once erased. */
  readonly text: string | null;
}

export interface SaidRange {
  readonly from: number;
  readonly to?: number;
  /** Asked with each page in turn: nothing is read after one for which it says yes. */
  readonly isEnough?: (page: readonly SaidMessage[]) => boolean;
}

/** Few enough that whoever wants only the first of them reads little more. */
const PAGE_MESSAGES = 250;

/** All of a range, oldest first, without other branches and without text that nobody said. */
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

/** The same of a message as it is stored; null once erased, and where nobody said it. */
export function saidIn(message: Pick<StoredMessage, "format" | "content" | "excluded">): string | null {
  const { format, content, excluded } = message;
  return content === null || !isSaid(excluded) ? null : saidInParts(partsOf(format, content));
}

/** Without what a host put in. */
export function saidInParts(parts: readonly Part[]): string {
  const texts = parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : []));
  return texts.join("\n");
}
