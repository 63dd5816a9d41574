/** What erasing could not reach, or could not clean, for people. */

import { list } from "../text/terminal/list.ts";
import type { AfterErasing } from "./after-erasing.ts";

/** What removing words cannot do, said whenever some were removed. */
export const NOT_REACHED = "Exports, and copies or backups kept elsewhere, are not reached.";

/** What a server keeps beside its tables is its operator's. */
const GONE_FROM_TABLES = [
  "The words are gone from the tables. The server's write-ahead log holds them until it is recycled:",
  "its operator can run SELECT pg_switch_wal() and CHECKPOINT, and old segments go as new ones are needed.",
  "Archived logs, replicas and base backups are the operator's as well.",
].join("\n");

/** `again`: the command that cleans the files once more. */
export function renderCopies(
  after: AfterErasing,
  again: string,
  elsewhere: readonly string[] = [],
): string[] {
  const { filesCleaned, inServerLog, problem } = after;
  const gone = inServerLog ? GONE_FROM_TABLES : "The words are gone from the store's own files too.";
  return [
    filesCleaned ? gone : `The store's own files still hold the words: ${problem}\nClean them with: ${again}`,
    ...copiesLeft(after),
    ...elsewhere,
    NOT_REACHED,
  ];
}

export function copiesLeft({
  backups,
  missingBackups,
}: Pick<AfterErasing, "backups" | "missingBackups">): string[] {
  return [
    ...list("Backups made earlier, which still contain it:", backups),
    ...list(
      "Backups made earlier that are not at their place any more; where they are, they contain it:",
      missingBackups,
    ),
  ];
}
