/** Loads the rows of a dump inside one transaction. Each conversation's chain is checked on the way. */
import type pg from "pg";
import { isPalimpsestError } from "../../errors.ts";
import { followRows } from "../follow-rows.ts";
import type { DumpRow, LoadOptions, LoadReport } from "../store.ts";
import { CONVERSATION_TABLES } from "../tables/conversations.ts";
import { corruptDump } from "../writes/corrupt-dump.ts";
import { Loader } from "../writes/load.ts";
import { MEMORY_TABLES } from "./memory-tables.ts";
import { beginKnown } from "./migrate.ts";
import { isContradiction } from "./postgres-errors.ts";
import { Transaction } from "./transaction.ts";

export async function loadRows(
  client: pg.Client,
  location: string,
  rows: AsyncIterable<DumpRow>,
  options: LoadOptions,
): Promise<LoadReport> {
  const transaction = new Transaction(client);
  try {
    await beginKnown(transaction, location);
    // The source of the rows may be slow.
    await transaction.script("SET LOCAL idle_in_transaction_session_timeout = 0");
    if (options.replace) await emptyStore(transaction);
    const loader = new Loader(transaction);
    for await (const row of followRows(rows, options)) await loader.take(row);
    const report = await loader.finish();
    await transaction.commit();
    return report;
  } catch (failure) {
    const { error } = await transaction.abort(failure);
    if (isContradiction(error) || isPalimpsestError(error, "not-found"))
      throw corruptDump("the rows of the export are inconsistent", error);
    throw error;
  }
}

async function emptyStore(transaction: Transaction): Promise<void> {
  await transaction.script(
    `TRUNCATE ${[...CONVERSATION_TABLES, ...MEMORY_TABLES].join(", ")}, message_parts, message_vectors,
       message_vector_bits, vector_progress, messages, large_files, file_contents, file_chunks, search_pages,
       search_runs, search_progress, search_segments, conversations, audit_log, erased_keys,
       tenant_counts`,
  );
  await transaction.script("UPDATE memory_scopes SET memory_count = 0");
}
