/** What was said in words, without tool calls, results and reasoning: for whoever reads facts out of it. */
import type { ScopedStore } from "../store/store.ts";
import type { ConversationRef, Message, Role } from "../types.ts";
import { readMessages } from "./read.ts";

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
  const texts = parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : []));
  return { id, conversation, seq, role, createdAt, text: erasedAt === null ? texts.join("\n") : null };
}
