/** What was said in words, without tool calls, results and reasoning: for whoever reads facts out of it. */

import { partsOf } from "../../message/stored-value.ts";
import type { ScopedStore, StoredMessage } from "../../store/store.ts";
import type { ConversationRef, Message, Part, Role } from "../../types.ts";
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

/** All of a range, oldest first. What is not in the context, because it is on another branch, is left out. */
export async function readSaid(
  store: ScopedStore,
  conversation: ConversationRef,
  range: { readonly from: number; readonly to?: number },
): Promise<readonly SaidMessage[]> {
  const said: SaidMessage[] = [];
  let next: number | null = range.from;
  while (next !== null) {
    const page: Awaited<ReturnType<typeof readMessages>> = await readMessages(store, {
      conversation,
      from: next,
      ...(range.to === undefined ? {} : { to: range.to }),
    });
    said.push(...page.messages.filter(({ excluded }) => excluded !== "branch").map(toSaid));
    next = page.next;
  }
  return said;
}

function toSaid({ id, conversation, seq, role, createdAt, erasedAt, parts }: Message): SaidMessage {
  return { id, conversation, seq, role, createdAt, text: erasedAt === null ? saidInParts(parts) : null };
}

/** The same of a message as it is stored; null once erased. */
export function saidIn({ format, content }: Pick<StoredMessage, "format" | "content">): string | null {
  return content === null ? null : saidInParts(partsOf(format, content));
}

/** Without what a host put in. */
export function saidInParts(parts: readonly Part[]): string {
  const texts = parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : []));
  return texts.join("\n");
}
