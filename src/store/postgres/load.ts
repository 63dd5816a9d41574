/** Takes in the rows of a dump inside one transaction. Each conversation's chain is checked as it comes in. */
import type pg from "pg";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { followRows } from "../follow-rows.ts";
import type { DumpRow, LoadOptions, LoadReport } from "../store.ts";
import { addAudit } from "./audit-log.ts";
import { LoadedConversation } from "./load-conversation.ts";
import { corruptDump } from "./load-head.ts";
import { MEMORY_TABLES } from "./memory/dump-memories.ts";
import { LoadedMemories } from "./memory/load-memories.ts";
import { isContradiction } from "./postgres-errors.ts";
import { Transaction } from "./transaction.ts";
import { TABLES_BY_CONVERSATION } from "./update-conversation.ts";

export async function loadRows(
  client: pg.Client,
  rows: AsyncIterable<DumpRow>,
  options: LoadOptions,
): Promise<LoadReport> {
  const transaction = new Transaction(client);
  try {
    transaction.begin();
    // Whoever brings the rows may take their time.
    await transaction.script("SET LOCAL idle_in_transaction_session_timeout = 0");
    if (options.replace) await emptyStore(transaction);
    const report = await takeRows(transaction, followRows(rows, options));
    await transaction.commit();
    return report;
  } catch (failure) {
    const { error } = await transaction.abort(failure);
    if (isContradiction(error) || isPalimpsestError(error, "not-found"))
      throw corruptDump("the rows of the export contradict each other", error);
    throw error;
  }
}

async function emptyStore(transaction: Transaction): Promise<void> {
  await transaction.script(
    `TRUNCATE ${TABLES_BY_CONVERSATION.join(", ")}, messages, large_files, file_contents, file_chunks,
       search_pages, search_runs, search_progress, search_segments, conversations, audit_log,
       ${MEMORY_TABLES.join(", ")}`,
  );
}

async function takeRows(transaction: Transaction, rows: AsyncIterable<DumpRow>): Promise<LoadReport> {
  const report = { conversations: 0, messages: 0, summaries: 0, memories: 0, alreadyThere: 0 };
  const memories = new LoadedMemories(transaction);
  let current: LoadedConversation | undefined;
  const endCurrent = async () => {
    const counts = await current?.end();
    current = undefined;
    report.conversations += counts?.isNew ? 1 : 0;
    report.messages += counts?.added ?? 0;
    report.summaries += counts?.summaries ?? 0;
    report.alreadyThere += counts?.alreadyThere ?? 0;
  };
  for await (const row of rows) {
    if (row.row === "conversation") {
      await endCurrent();
      current = await LoadedConversation.start(transaction, row);
    } else if (row.row === "audit") {
      await endCurrent();
      addAudit(transaction, row, row);
    } else if (row.row === "memory" || row.row === "decision" || row.row === "capture") {
      await endCurrent();
      await memories.take(row);
    } else await belongingTo(current, row.conversation).take(row);
  }
  await endCurrent();
  await memories.end();
  await transaction.settle();
  report.memories = memories.added;
  return report;
}

function belongingTo(current: LoadedConversation | undefined, conversation: string): LoadedConversation {
  if (current?.id === conversation) return current;
  throw new PalimpsestError("invalid-input", `a row of ${conversation} stands outside its conversation`, {
    advice: "The export was changed. Make it again; nothing was written.",
  });
}
