/**
 * Starts a fresh context. `new` keeps the conversation and empties its context; `reset` archives the conversation, and
 * the next turn of the session opens another one. All messages stay stored in both cases.
 */
import type { z } from "zod";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore } from "../../store/store.ts";
import { isoTime } from "../../text/timestamps.ts";
import type { resetInput } from "../inputs.ts";
import { requireConversation } from "../read/read-messages.ts";
import { seqsUnder } from "../read/seqs-under.ts";
import { type AppendDependencies, appendToConversation } from "./append-to-conversation.ts";

export type ResetInput = z.input<typeof resetInput>;

export async function resetConversation(
  input: ResetInput,
  use: AppendDependencies,
): Promise<{ readonly conversation: string; readonly leftContext: number }> {
  const { store, clock } = use;
  const { id } = await requireConversation(store, input.conversation);
  if (input.mode === "reset") {
    const at = isoTime(clock());
    await store.commit([{ kind: "update-conversation", id, archivedAt: at, at }]);
    return { conversation: id, leftContext: 0 };
  }
  const seqs: number[] = [];
  for await (const item of everyRow((from) => store.contextItems(id, { from })))
    seqs.push(
      ...(item.type === "message"
        ? [item.seq]
        : await forgottenUnder(store, item.summary, input.retainDepth ?? 2)),
    );
  await appendToConversation(
    { address: { id }, leaveContext: seqs.map((seq) => ({ seq, reason: "reset" })) },
    use,
  );
  return { conversation: id, leftContext: seqs.length };
}

/** Messages under a summary that is not deep enough to be kept. */
async function forgottenUnder(store: ScopedStore, id: string, retainDepth: number): Promise<number[]> {
  const summary = await store.summary(id);
  if (summary === undefined || summary.depth >= retainDepth) return [];
  return seqsUnder(store, summary);
}
