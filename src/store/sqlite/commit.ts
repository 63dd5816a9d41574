/**
 * The one way to change the store. Requests that wait at the same time share a transaction, so that one sync
 * to disk makes all of them durable; each still happens wholly or not at all.
 */
import type { Scope } from "../../types.ts";
import type { ReindexWrite, WriteResult } from "../store.ts";
import { append } from "./append.ts";
import { dropContextItem, placeKnownMessage, recountContext } from "./context-items.ts";
import { deleteConversation, requireConversation, updateConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { describeFile } from "./describe-file.ts";
import { erase } from "./erase.ts";
import { externalise, internalise } from "./externalise.ts";
import { removeDropped } from "./file-contents.ts";
import { type MemoryCommitRequest, runMemoryWrites } from "./memory-commit.ts";
import { replaceParts } from "./message-parts.ts";
import { keepEmbedded } from "./message-vectors.ts";
import type { PackedResult, PackedWrite, PackedWrites } from "./packed-commit.ts";
import { publish } from "./publish.ts";
import { messageRowId } from "./rows.ts";
import { placeKnownSummary } from "./summaries.ts";
import { withdrawSummaries } from "./withdraw-summaries.ts";
import { writeIndex } from "./write-index.ts";

export interface ScopedCommitRequest extends PackedWrites {
  readonly scope: Scope;
}

export type CommitRequest = ScopedCommitRequest | MemoryCommitRequest;

type Results = readonly WriteResult[] | readonly PackedResult[];
export type CommitOutcome = { readonly results: Results } | { readonly error: unknown };

export function commitTogether(database: Database, requests: readonly CommitRequest[]): CommitOutcome[] {
  if (requests.length === 1) return requests.map((request) => commitAlone(database, request));
  try {
    database.begin();
    const outcomes = requests.map((request) => commitInSavepoint(database, request));
    database.exec("COMMIT");
    removeDropped(database);
    return outcomes;
  } catch {
    // The shared transaction as a whole failed (full disk, lost lock): each request finds out for itself.
    database.rollback();
    return requests.map((request) => commitAlone(database, request));
  }
}

function commitAlone(database: Database, request: CommitRequest): CommitOutcome {
  try {
    database.begin();
    const results = runWrites(database, request);
    database.exec("COMMIT");
    removeDropped(database);
    return { results };
  } catch (error) {
    database.rollback();
    return { error };
  }
}

function commitInSavepoint(database: Database, request: CommitRequest): CommitOutcome {
  database.exec("SAVEPOINT request");
  try {
    const results = runWrites(database, request);
    database.exec("RELEASE request");
    return { results };
  } catch (error) {
    if (!database.inTransaction) throw error;
    database.exec("ROLLBACK TO request; RELEASE request");
    return { error };
  }
}

function runWrites(database: Database, request: CommitRequest): Results {
  if ("access" in request) return runMemoryWrites(database, request);
  return request.writes.map((write) => runWrite(database, request.scope, write, request.floats));
}

function runWrite(database: Database, scope: Scope, write: PackedWrite, floats: Float32Array): WriteResult {
  switch (write.kind) {
    case "append":
      return append(database, scope, write);
    case "publish":
      return publish(database, scope, write);
    case "update-conversation":
      return { kind: write.kind, conversation: updateConversation(database, scope, write) };
    case "delete-conversation":
      return { kind: write.kind, ...deleteConversation(database, scope, write) };
    case "erase":
      return { kind: write.kind, ...erase(database, scope, write) };
    case "reindex":
      return { kind: write.kind, messages: reindex(database, scope, write) };
    case "index":
      return { kind: write.kind, segment: writeIndex(database, scope, write) };
    case "embed":
      return { kind: write.kind, messages: keepEmbedded(database, scope, write, floats) };
    case "externalise":
      return { kind: write.kind, messages: externalise(database, scope, write) };
    case "internalise":
      return { kind: write.kind, messages: internalise(database, scope, write) };
    case "describe-file":
      return { kind: write.kind, seq: describeFile(database, scope, write) };
  }
}

function reindex(database: Database, scope: Scope, write: ReindexWrite): number {
  const { conversation_id } = requireConversation(database, scope, write.id);
  for (const { seq, parts } of write.messages)
    replaceParts(database, messageRowId(conversation_id, seq), parts);
  withdrawSummaries(database, conversation_id, write);
  for (const ordinal of write.dropOrdinals) dropContextItem(database, conversation_id, ordinal);
  for (const id of write.enterSummaries) placeKnownSummary(database, conversation_id, id);
  for (const seq of write.enterContext) placeKnownMessage(database, conversation_id, seq);
  recountContext(database, conversation_id);
  return write.messages.length;
}
