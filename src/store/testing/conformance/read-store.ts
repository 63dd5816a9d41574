/** Reads a store in the form that the tests compare. */
import { expect } from "vitest";
import { chainHash, digestContent, merkleRoot } from "../../seal.ts";
import type { DumpRow, ScopedStore, StoredMessage } from "../../store.ts";

export function bytesOf(content: string | Uint8Array | null | undefined): Buffer | undefined {
  if (content === null || content === undefined) return undefined;
  return typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);
}

export async function readMessages(scoped: ScopedStore, id: string, query = {}): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page: Awaited<ReturnType<ScopedStore["messages"]>> = await scoped.messages(id, { ...query, from });
    messages.push(...page.rows);
    from = page.next;
  }
  return messages;
}

/** Seqs of messages and ids of summaries, in context order. */
export async function contextOf(scoped: ScopedStore, id: string): Promise<(number | string)[]> {
  const { rows } = await scoped.contextItems(id, {});
  return rows.map((item) => (item.type === "message" ? item.seq : item.summary));
}

export async function allConversations(scoped: ScopedStore, archived: boolean): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let from: number | null = 0; from !== null; ) {
    const page: Awaited<ReturnType<ScopedStore["conversations"]>> = await scoped.conversations({
      archived,
      from,
      limit: 3,
    });
    for (const row of page.rows) ids.add(row.id);
    from = page.next;
  }
  return ids;
}

/** Recomputes every hash of a conversation. Returns the number of checked messages. */
export async function verifyChain(scoped: ScopedStore, id: string): Promise<number> {
  let previous = "";
  const messages = await readMessages(scoped, id);
  for (const message of messages) {
    if (message.content !== null && message.salt !== null)
      expect(digestContent(message.salt, message.content)).toBe(message.digest);
    expect(chainHash(previous, message, message.digest)).toBe(message.hash);
    previous = message.hash;
  }
  expect(merkleRoot(messages.map((message) => message.hash))).toHaveLength(64);
  return messages.length;
}

export async function collect(rows: AsyncIterable<DumpRow>): Promise<DumpRow[]> {
  const list: DumpRow[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

export async function* feed(rows: readonly DumpRow[]): AsyncIterable<DumpRow> {
  yield* rows;
}

/** Whether a row of a dump concerns this conversation. */
export function belongsTo(row: DumpRow, conversation: string): boolean {
  if (row.row === "conversation") return row.id === conversation;
  return row.row !== "memory" && row.conversation === conversation;
}
