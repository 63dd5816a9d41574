/**
 * The only way to change the store. Requests that wait at the same time share a transaction, so that one sync to disk makes
 * all of them durable; each is still atomic.
 */
import { isPalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import type { WriteResult } from "../store.ts";
import { commitMemories } from "../writes/commit-memories.ts";
import { runWrite } from "../writes/run-write.ts";
import { removeDropped } from "./contents/file-contents.ts";
import type { Database } from "./database.ts";
import {
  type PackedCommit,
  type PackedResult,
  type PackedWrite,
  packResult,
  unpackWrites,
} from "./packed-commit.ts";
import { portOf, type SqlitePort } from "./sqlite-port.ts";
import { keepEmbedded } from "./vectors/message-vectors.ts";

interface ScopedCommitRequest {
  readonly scope: Scope;
  readonly writes: readonly PackedWrite[];
}

interface MemoryCommitRequest extends PackedCommit {
  readonly access: MemoryScopes;
}

export type CommitRequest = ScopedCommitRequest | MemoryCommitRequest;

type Results = readonly WriteResult[] | readonly PackedResult[];
export type CommitOutcome = { readonly results: Results } | { readonly error: unknown };

/**
 * Nothing else may run in this thread until it is done. It only awaits answers that already exist, so no other call of the
 * thread runs in between.
 */
export async function commitTogether(
  database: Database,
  requests: readonly CommitRequest[],
): Promise<CommitOutcome[]> {
  if (requests.length === 1) return inOrder(requests, (request) => commitAlone(database, request));
  try {
    database.begin();
    const outcomes = await inOrder(requests, (request) => commitInSavepoint(database, request));
    database.commit();
    removeDropped(database);
    return outcomes;
  } catch (error) {
    database.rollback();
    // The file was deleted or replaced, and the deleted one already contains these rows.
    if (isPalimpsestError(error, "store-unavailable")) return requests.map(() => ({ error }));
    // The shared transaction as a whole failed (full disk, lost lock): each request is tried alone.
    return inOrder(requests, (request) => commitAlone(database, request));
  }
}

async function inOrder<Each, Result>(
  list: readonly Each[],
  run: (each: Each) => Promise<Result> | Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const each of list) results.push(await run(each));
  return results;
}

async function commitAlone(database: Database, request: CommitRequest): Promise<CommitOutcome> {
  try {
    database.begin();
    const results = await runWrites(database, request);
    database.commit();
    removeDropped(database);
    return { results };
  } catch (error) {
    database.rollback();
    return { error };
  }
}

async function commitInSavepoint(database: Database, request: CommitRequest): Promise<CommitOutcome> {
  database.exec("SAVEPOINT request");
  try {
    const results = await runWrites(database, request);
    database.exec("RELEASE request");
    return { results };
  } catch (error) {
    if (!database.inTransaction) throw error;
    database.exec("ROLLBACK TO request; RELEASE request");
    return { error };
  }
}

async function runWrites(database: Database, request: CommitRequest): Promise<Results> {
  const port = portOf(database);
  if ("access" in request)
    return (await commitMemories(port, request.access, unpackWrites(request))).map(packResult);
  return inOrder(request.writes, (write) => runOne(database, port, request.scope, write));
}

function runOne(
  database: Database,
  port: SqlitePort,
  scope: Scope,
  write: PackedWrite,
): Promise<WriteResult> | WriteResult {
  if (write.kind === "embed") return { kind: write.kind, messages: keepEmbedded(database, scope, write) };
  return runWrite(port, scope, write);
}
