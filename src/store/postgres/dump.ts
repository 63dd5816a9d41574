/** A dump from the snapshot of one transaction. */
import type pg from "pg";
import { type DumpSource, dumpRows as dump } from "../reads/dump.ts";
import { dumpDamagedRows } from "../reads/dump-damaged.ts";
import type { DumpRow } from "../store.ts";
import { CONVERSATION_TABLES } from "../tables/conversations.ts";
import { MEMORY_TABLES } from "./memory-tables.ts";
import { readMessagesWithFiles } from "./messages.ts";
import { contentPieces } from "./read-contents.ts";
import { Transaction } from "./transaction.ts";
import { readLines } from "./transcript-lines.ts";

/** Tables that `replace` empties. Locked first, because emptying does not wait for snapshots, only for locks. */
const TABLES = [
  ...[
    "conversations",
    "messages",
    "large_files",
    "file_contents",
    "file_chunks",
    "message_parts",
    "audit_log",
  ],
  ...CONVERSATION_TABLES,
  ...MEMORY_TABLES,
];

/** `withDamaged`: as the contract of the store says. */
export async function* dumpRows(client: pg.Client, withDamaged: boolean): AsyncGenerator<DumpRow> {
  const snapshot = new Transaction(client);
  snapshot.begin("REPEATABLE READ, READ ONLY");
  // The consumer of the rows may be slow.
  await snapshot.script("SET LOCAL idle_in_transaction_session_timeout = 0");
  await snapshot.script(`LOCK TABLE ${TABLES.join(", ")} IN ACCESS SHARE MODE`);
  const source = sourceOf(snapshot);
  yield* withDamaged ? dumpDamagedRows(goingOn(source, snapshot)) : dump(source);
  // A transaction keeps its first failure. Nothing was written, and it ends with its connection.
  if (!withDamaged) await snapshot.commit();
}

function sourceOf(snapshot: Transaction): DumpSource {
  return {
    dialect: snapshot.dialect,
    rows: (statement, ...values) => snapshot.rows(statement, ...values),
    one: (statement, ...values) => snapshot.one(statement, ...values),
    messagesWithFiles: (...query) => readMessagesWithFiles(snapshot, ...query),
    contentPieces: (...of) => contentPieces(snapshot, ...of),
    transcriptLines: (...query) => readLines(snapshot, ...query),
  };
}

/** A failed statement would end the transaction, and with it the rest of the dump. */
function goingOn(source: DumpSource, snapshot: Transaction): DumpSource {
  const guarded = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    await snapshot.script("SAVEPOINT before_read");
    try {
      return await read();
    } catch (error) {
      await snapshot.script("ROLLBACK TO SAVEPOINT before_read");
      throw error;
    } finally {
      await snapshot.script("RELEASE SAVEPOINT before_read");
    }
  };
  return {
    dialect: source.dialect,
    rows: (statement, ...values) => guarded(() => source.rows(statement, ...values)),
    one: (statement, ...values) => guarded(() => source.one(statement, ...values)),
    messagesWithFiles: (...query) => guarded(() => source.messagesWithFiles(...query)),
    contentPieces: (...of) => source.contentPieces(...of),
    transcriptLines: (...query) => guarded(() => source.transcriptLines(...query)),
  };
}
