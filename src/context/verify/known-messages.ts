/** What there is of a conversation, whichever agent has it: for whoever points to its messages. */
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore } from "../../store/store.ts";

interface KnownMessages {
  readonly last: number;
  readonly erased: readonly number[];
}

/** Undefined where no agent of the tenant has such a conversation. */
export async function knownMessages(
  agents: readonly ScopedStore[],
  conversation: string,
): Promise<KnownMessages | undefined> {
  for (const scoped of agents) {
    const found = await scoped.conversation({ id: conversation });
    if (found !== undefined)
      return { last: found.messageCount, erased: await erasedMessages(scoped, conversation) };
  }
  return undefined;
}

async function erasedMessages(scoped: ScopedStore, conversation: string): Promise<number[]> {
  const erased: number[] = [];
  const page = (from: number) => scoped.messages(conversation, { from, withoutContent: true });
  for await (const { seq, erasedAt } of everyRow(page, 1)) if (erasedAt !== null) erased.push(seq);
  return erased;
}
