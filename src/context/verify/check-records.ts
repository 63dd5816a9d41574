/** Checks the references of records: receipts refer to a message, compaction events to a summary. */
import { everyRow } from "../../store/every-row.ts";
import type { StoreCheck } from "./integrity.ts";

export const checkRecords: StoreCheck = {
  name: "records",
  run: async (scoped, { id, messageCount }, report) => {
    for await (const { firstSeq } of everyRow((from) => scoped.receipts(id, { from })))
      if (firstSeq < 1 || firstSeq > messageCount)
        report({ message: `a receipt belongs to message ${firstSeq}, which does not exist` });
    for await (const event of everyRow((from) => scoped.compactionEvents(id, { from })))
      if (event.summary === "")
        report({
          message: `the compaction event of ${event.at} belongs to a summary that does not exist`,
          repair: { kind: "forget-missing-summaries" },
        });
  },
};
