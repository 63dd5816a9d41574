/**
 * The rows of a damaged database that are still whole. A conversation is read to its end, and its chain verified, before any
 * row of it is returned: a damaged one is left out as a whole, because no store would load a part.
 */
import {
  conversationsOf,
  type DumpSource,
  dumpAudit,
  dumpConversation,
  dumpHead,
  type ScopedRow,
} from "../reads/dump.ts";
import { dumpMemories } from "../reads/dump-memories.ts";
import { type ChainEnd, follows } from "../seal.ts";
import type { DumpDamage, DumpRow } from "../store.ts";
import { Database } from "./database.ts";
import { dumpSource } from "./dump.ts";
import { readMessages } from "./messages.ts";
import { salvageBeside } from "./salvage/salvage-beside.ts";
import { fromSqlite } from "./sqlite-errors.ts";

export async function* dumpSoundRows(
  database: Database,
  file: string,
  onDamage: (damage: DumpDamage) => void,
): AsyncGenerator<DumpRow> {
  const source = dumpSource(database);
  const leftOut = new Set<string>();
  for await (const row of conversationsOf(source)) {
    const damage = await damageIn(database, source, file, row);
    if (damage !== null) {
      leftOut.add(row.uid);
      onDamage(damage);
      continue;
    }
    yield dumpHead(row);
    yield* dumpConversation(source, row, row.uid);
  }
  for (const rest of [() => dumpMemories(source, undefined, 1), () => dumpAudit(source)])
    try {
      for await (const row of rest()) if (!isOnlyAbout(row, leftOut)) yield row;
    } catch (error) {
      onDamage({ conversation: null, messages: 0, fromSeq: null, problem: damageOf(error, file) });
      database.forgetStatements();
    }
}

/** The same if table definitions are damaged, so that SQLite reads wrong values from the same rows. */
export async function* dumpSalvagedRows(
  file: string,
  onDamage: (damage: DumpDamage) => void,
): AsyncGenerator<DumpRow> {
  const { copy, problems, remove } = salvageBeside(file);
  try {
    for (const problem of problems) onDamage({ conversation: null, messages: 0, fromSeq: null, problem });
    const salvaged = new Database({ file: copy, readOnly: true });
    try {
      yield* dumpSoundRows(salvaged, copy, onDamage);
    } finally {
      salvaged.close();
    }
  } finally {
    remove();
  }
}

/** The progress of captures is useless without the conversation: if it is loaded again, it is captured from its beginning. */
function isOnlyAbout(row: DumpRow, conversations: ReadonlySet<string>): boolean {
  return row.row === "capture" && conversations.has(row.conversation);
}

async function damageIn(
  database: Database,
  source: DumpSource,
  file: string,
  row: ScopedRow,
): Promise<DumpDamage | null> {
  let end: ChainEnd = { lastSeq: 0, hash: "" };
  const damage = (problem: string): DumpDamage => ({
    conversation: row.uid,
    messages: row.last_seq,
    fromSeq: end.lastSeq < row.last_seq ? end.lastSeq + 1 : null,
    problem,
  });
  try {
    for await (const dumped of dumpConversation(source, row, row.uid)) {
      if (dumped.row !== "message") continue;
      if (!follows(end, dumped)) return damage(`message ${dumped.seq} does not match its hash`);
      end = { lastSeq: dumped.seq, hash: dumped.hash };
    }
    const isComplete = end.lastSeq === row.last_seq && end.hash === row.head_hash;
    return isComplete ? null : damage(`message ${end.lastSeq + 1} is missing`);
  } catch (error) {
    const problem = damageOf(error, file);
    database.forgetStatements();
    end = { ...end, lastSeq: lastReadable(database, row, end.lastSeq) };
    return damage(problem);
  }
}

/** A page of rows fails as a whole: the rows that cannot be read are found one by one. */
function lastReadable(database: Database, { conversation_id, last_seq }: ScopedRow, from: number): number {
  let last = from;
  try {
    while (last < last_seq) {
      const { rows } = readMessages(database, conversation_id, { from: last + 1, to: last + 1 });
      if (rows.length === 0) break;
      last++;
    }
  } catch {
    // This is the row: its error is already known.
    database.forgetStatements();
  }
  return last;
}

/** As text. A row that cannot be parsed is damaged as well; all other errors end the dump. */
function damageOf(error: unknown, file: string): string {
  const known = fromSqlite(error, file);
  if (known.code !== "store-corrupt" && known.code !== "internal") throw known;
  return known.message;
}
