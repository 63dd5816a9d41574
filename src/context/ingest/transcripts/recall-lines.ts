/** Gives an importer the lines that are on record, so that reading can go on behind them. */
import type { ScopedStore, StoredConversation, Transcript } from "../../../store/store.ts";
import type { Start } from "./choose-start.ts";
import type { LineImporter } from "./import-lines.ts";
import { storedLines } from "./stored-lines.ts";

/** How many messages back a tool result may look for its call. */
const RECENT_MESSAGES = 200;

/** Gives the highest seq among the recalled lines; 0 when there are none. */
export async function recallLines(
  importer: LineImporter,
  store: ScopedStore,
  versions: readonly Transcript[],
  start: Start,
  conversation: StoredConversation | undefined,
  isTree: boolean,
): Promise<number> {
  if (start.base === null || conversation === undefined) return 0;
  const toolCalls = isTree ? await recentToolCalls(store, conversation) : new Map<number, string[]>();
  let lastSeq = 0;
  for await (const line of storedLines(store, versions, start.base, { upTo: start.line })) {
    importer.recall(line, line.seq === null ? [] : (toolCalls.get(line.seq) ?? []));
    lastSeq = Math.max(lastSeq, line.seq ?? 0);
  }
  return lastSeq;
}

async function recentToolCalls(
  store: ScopedStore,
  { id, messageCount }: StoredConversation,
): Promise<Map<number, string[]>> {
  const calls = new Map<number, string[]>();
  const from = Math.max(1, messageCount - RECENT_MESSAGES + 1);
  const { rows } = await store.messages(id, { from, limit: RECENT_MESSAGES });
  for (const { seq, parts } of rows) {
    const pending = parts.filter((part) => part.toolStatus === "pending");
    calls.set(
      seq,
      pending.flatMap((part) => part.toolCallId ?? []),
    );
  }
  return calls;
}
