/**
 * Starting afresh. `new` keeps the conversation and empties its context; `reset` archives the conversation, and
 * the next turn of the session opens another. Either way everything stays on record.
 */
import { PalimpsestError } from "../../errors.ts";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore } from "../../store/store.ts";
import { isoTime } from "../../text/timestamps.ts";
import type { Clock, ConversationRef } from "../../types.ts";
import { requireConversation } from "../read/read-messages.ts";
import { seqsUnder } from "../read/seqs-under.ts";

export interface ResetInput {
  readonly conversation: ConversationRef;
  readonly mode: "new" | "reset";
  /** With `new`: summaries of at least this depth stay in the context. Default 2. */
  readonly retainDepth?: number;
}

export async function reset(
  store: ScopedStore,
  clock: Clock,
  input: ResetInput,
): Promise<{ readonly conversation: string; readonly leftContext: number }> {
  if (!["new", "reset"].includes(input.mode))
    throw new PalimpsestError("invalid-input", "mode must be new or reset", {
      advice: "new empties the context; reset archives the conversation.",
    });
  const { id } = await requireConversation(store, input.conversation);
  const at = isoTime(clock());
  if (input.mode === "reset") {
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
  await store.commit([
    {
      kind: "append",
      address: { id },
      create: null,
      turnKey: null,
      messages: [],
      onOtherContent: "refuse",
      afterSeq: null,
      leaveContext: seqs.map((seq) => ({ seq, reason: "reset" as const })),
      enterContext: [],
      transcript: null,
      receipt: null,
      at,
    },
  ]);
  return { conversation: id, leftContext: seqs.length };
}

/** Messages under a summary that is not deep enough to be carried over. */
async function forgottenUnder(store: ScopedStore, id: string, retainDepth: number): Promise<number[]> {
  const summary = await store.summary(id);
  if (summary === undefined || summary.depth >= retainDepth) return [];
  return seqsUnder(store, summary);
}
