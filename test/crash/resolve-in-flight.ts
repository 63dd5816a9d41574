/**
 * What became of an operation that was not acknowledged. One sign decides whether it happened; whether it
 * happened wholly is then seen by comparing everything.
 */
import { inRange, type Ledger } from "./ledger.ts";
import type { Answer, Operation } from "./operation.ts";
import type { StoreView, ViewedConversation } from "./store-view.ts";

/** The answer it would have got, or undefined when it left no trace. */
export function resolveInFlight(operation: Operation, ledger: Ledger, view: StoreView): Answer | undefined {
  switch (operation.kind) {
    case "commit":
      return findTurn(view, operation.session, operation.key);
    case "import":
      return findTranscript(view, operation.transcript);
    case "replay":
      return undefined;
    case "delete":
    case "discard":
      return doneIf(ledger.conversations.has(operation.conversation) && !view.has(operation.conversation));
    default:
      return doneIf(isChanged(operation, ledger, view.get(operation.conversation)));
  }
}

function doneIf(happened: boolean): Answer | undefined {
  return happened ? { kind: "done" } : undefined;
}

function findTurn(view: StoreView, session: string, key: string): Answer | undefined {
  for (const { id, sessionId, messages } of view.values()) {
    if (sessionId !== session) continue;
    const seqs = messages.flatMap((message) => (message.key.startsWith(`${key}#`) ? [message.seq] : []));
    if (seqs.length > 0) return { kind: "placed", conversation: id, seqs };
  }
  return undefined;
}

function findTranscript(view: StoreView, name: string): Answer | undefined {
  const found = [...view.values()].find(({ sessionId }) => sessionId === name);
  if (found === undefined) return undefined;
  return { kind: "read", conversation: found.id, characters: found.transcript?.length ?? 0 };
}

type Change = Extract<
  Operation,
  { kind: "rename" | "erase" | "clear" | "archive" | "retire" | "unarchive" | "delete" }
>;

function isChanged(operation: Change, ledger: Ledger, found: ViewedConversation | undefined): boolean {
  const expected = ledger.conversations.get(operation.conversation);
  if (expected === undefined || found === undefined) return false;
  switch (operation.kind) {
    case "rename":
      return found.title === operation.title;
    case "archive":
    case "retire":
      return found.archivedAt !== null;
    case "unarchive":
      return found.archivedAt === null;
    case "erase":
      return inRange(expected, operation).some(
        (message) => message.excluded !== "erased" && isExcluded(found, message.key, "erased"),
      );
    case "clear":
      return found.messages.some(
        ({ seq, excluded }) => excluded === "reset" && expected.messages.get(seq)?.excluded === null,
      );
    default:
      return false;
  }
}

function isExcluded({ messages }: ViewedConversation, key: string | null, reason: string): boolean {
  return messages.some((message) => message.key === key && message.excluded === reason);
}
