/**
 * A thread that owns one connection, so that no caller's event loop ever waits for disk, lock or checkpoint. The writer takes
 * waiting requests and commits them together. After a `close`, an `open` call can open another database.
 */
import { type MessagePort, parentPort, receiveMessageOnPort } from "node:worker_threads";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { type Reply, type Request, toSent } from "../../threads/messages.ts";
import type { Scope } from "../../types.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import type { DumpDamage, DumpRow, EngineCheckOptions } from "../store.ts";
import { noStoreIn } from "../store-errors.ts";
import type { Loader } from "../writes/load.ts";
import { checkDatabase, READS, readInfo, readScopes, readTenants } from "./calls.ts";
import { compactFiles, finishCleaning, finishCleaningAfter } from "./clean-files.ts";
import { type CommitOutcome, type CommitRequest, commitTogether } from "./commit.ts";
import { giveBackLock, type LockRequest, renewLock, takeLock } from "./compaction-locks.ts";
import { collectGarbage } from "./contents/file-contents.ts";
import { OpenContents } from "./contents/open-contents.ts";
import { Database, type DatabaseOptions } from "./database.ts";
import { emptyStore } from "./empty-store.ts";
import { migrate, readVersion, requireCurrent, requireKnown } from "./migrate.ts";
import { fromSqlite } from "./sqlite-errors.ts";
import { portOf } from "./sqlite-port.ts";
import type { DumpKind } from "./start-dump.ts";

/** Rows of a dump in one answer. */
const DUMP_BATCH = 200;
const DUMP_BATCH_BYTES = 4 * 1024 * 1024;
/** Most requests that share one transaction, so that the first never waits long for the last. */
const GROUP_LIMIT = 128;

export interface DumpBatch {
  readonly rows: readonly DumpRow[];
  readonly damages: readonly DumpDamage[];
}

const port = parentPort as MessagePort;

let options: DatabaseOptions;
let database: Database;
let dump: AsyncIterator<DumpRow> | undefined;
/** Conversations that the dump has left out since the last call. */
const dumpDamages: DumpDamage[] = [];
let loader: Loader | undefined;
let contentWriters: OpenContents;

const CALLS: Record<string, (...values: never[]) => unknown> = {
  open,
  read: (name: keyof typeof READS, scope: Scope | MemoryScopes, values: readonly unknown[]) =>
    (
      READS[name] as (database: Database, scope: Scope | MemoryScopes, ...rest: readonly unknown[]) => unknown
    )(database, scope, ...values),
  scopes: () => readScopes(database),
  tenants: () => readTenants(database),
  info: () => readInfo(database, options),
  check: (how: EngineCheckOptions) => checkDatabase(database, how),
  compactFiles: () => compactFiles(database),
  collectGarbage: (dryRun: boolean) => collectGarbage(database, dryRun),
  contentBegin: () => contentWriters.begin(database),
  contentAdd: (id: number, piece: Uint8Array) => contentWriters.add(id, piece),
  contentEnd: (id: number) => contentWriters.end(database, id),
  contentAbandon: (id: number) => contentWriters.abandon(id),
  takeLock: (request: LockRequest) => takeLock(database, request),
  renewLock: (request: LockRequest) => renewLock(database, request),
  giveBackLock: (request: LockRequest) => giveBackLock(database, request),
  dumpNext: (kind: DumpKind) => nextDumpBatch(kind),
  loadBegin: async (replace: boolean) => {
    const loading = await import("../writes/load.ts");
    database.begin();
    if (replace) emptyStore(database);
    loader = new loading.Loader(portOf(database));
  },
  loadRows: async (rows: readonly DumpRow[]) => {
    for (const row of rows) await loader?.take(row);
  },
  loadEnd: async () => {
    const report = await loader?.finish();
    database.commit();
    loader = undefined;
    return report;
  },
  loadAbort: () => {
    loader?.abandon();
    loader = undefined;
    database.rollback();
  },
  close: () => {
    if (!options.readOnly && loader === undefined && database.isInPlace) finishCleaning(database);
    database.close();
  },
};

async function nextDumpBatch(kind: DumpKind): Promise<DumpBatch> {
  if (dump === undefined) {
    const { startDump } = await import("./start-dump.ts");
    dump = startDump(database, options.file, kind, (damage) => dumpDamages.push(damage));
  }
  const batch: DumpRow[] = [];
  for (let bytes = 0; batch.length < DUMP_BATCH && bytes < DUMP_BATCH_BYTES; ) {
    const next = await dump.next();
    if (next.done === true) break;
    batch.push(next.value);
    bytes += "content" in next.value ? (next.value.content?.length ?? 0) : 0;
  }
  return { rows: batch, damages: dumpDamages.splice(0) };
}

async function open(given: DatabaseOptions): Promise<void> {
  options = given;
  dump = undefined;
  dumpDamages.length = 0;
  loader = undefined;
  contentWriters = new OpenContents();
  database = new Database(options);
  if (options.readOnly && options.isFrozen !== true) return;
  const version = readVersion(database, options.file);
  if (version === 0 && options.mustExist === true) throw noStoreIn(options.file);
  if (options.readOnly) requireCurrent(version, options.file);
  else await prepareForWriting();
}

async function prepareForWriting(): Promise<void> {
  database.prepareForWriting(options.maxPages);
  await migrate(database, options.file);
  // A newer version may change the schema while this process has the store open.
  database.checkBeforeWriting(() => requireKnown(database, options.file));
  finishCleaning(database);
}

/** Calls that work without the file: the first and the last ones. */
const WITHOUT_FILE: ReadonlySet<string> = new Set(["open", "close", "loadAbort", "contentAbandon"]);

function answer({ call, values }: Request): unknown {
  if (!WITHOUT_FILE.has(call)) database.requireInPlace();
  return (CALLS[call] ?? unknownCall)(...(values as never[]));
}

async function reply(id: number, run: () => unknown): Promise<void> {
  try {
    const result = await run();
    send([{ id, result }], transferables(result));
  } catch (error) {
    send([failure(id, error)]);
  }
}

function send(replies: readonly Reply[], transfer: ArrayBuffer[] = []): void {
  port.postMessage(replies, transfer);
}

function failure(id: number, error: unknown): Reply {
  // The database is undefined if it could not be opened.
  if (!isPalimpsestError(error)) database?.forgetStatements();
  return { id, error: toSent(fromSqlite(error, options.file)) };
}

/** The one large buffer of a packed page is transferred instead of copied. */
function transferables(result: unknown): ArrayBuffer[] {
  if (typeof result !== "object" || result === null || !("contents" in result)) return [];
  return result.contents instanceof Uint8Array && result.contents.buffer instanceof ArrayBuffer
    ? [result.contents.buffer]
    : [];
}

async function handle(requests: Request[]): Promise<void> {
  for (let i = 0; i < requests.length; ) {
    const request = requests[i] as Request;
    if (request.call !== "commit") {
      await reply(request.id, () => answer(request));
      i++;
      continue;
    }
    const group = [request];
    while (requests[i + group.length]?.call === "commit") group.push(requests[i + group.length] as Request);
    await commitGroup(group);
    i += group.length;
  }
}

async function commitGroup(group: readonly Request[]): Promise<void> {
  const outcomes = await commitTogether(
    database,
    group.map((request) => request.values[0] as CommitRequest),
  );
  finishCleaningAfter(database, outcomes);
  // All answers in one message: one wake-up of the caller's thread instead of hundreds.
  send(outcomes.map((outcome, index) => toReply((group[index] as Request).id, outcome)));
}

function toReply(id: number, outcome: CommitOutcome): Reply {
  return "error" in outcome ? failure(id, outcome.error) : { id, result: outcome.results };
}

function unknownCall(): never {
  throw new PalimpsestError("internal", "the store's thread does not know this call");
}

port.on("message", (first: Request) => {
  const requests = [first];
  while (requests.length < GROUP_LIMIT) {
    const waiting = receiveMessageOnPort(port) as { message: Request } | undefined;
    if (waiting === undefined) break;
    requests.push(waiting.message);
  }
  queue = queue.then(() => handle(requests));
});

let queue = Promise.resolve();
