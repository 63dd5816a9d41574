/** What erasing could not reach, or could not clean, for people. */
import type { AfterErasing } from "../../operations/after-erasing.ts";
import { list } from "../list.ts";
import { NOT_REACHED } from "../not-reached.ts";

/** What a server keeps beside its tables is its operator's. */
const GONE_FROM_TABLES = [
  "The words are gone from the tables. The server's write-ahead log holds them until it is recycled:",
  "its operator can run CHECKPOINT, and old segments go as new ones are needed.",
  "Archived logs, replicas and base backups are the operator's as well.",
].join("\n");

/** `again`: the command that cleans the files once more. */
export function renderCopies(
  { filesCleaned, inServerLog, problem, backups, missingBackups }: AfterErasing,
  again: string,
  elsewhere: readonly string[] = [],
): string[] {
  const gone = inServerLog ? GONE_FROM_TABLES : "The words are gone from the store's own files too.";
  return [
    filesCleaned ? gone : `The store's own files still hold the words: ${problem}\nClean them with: ${again}`,
    ...list("Backups made earlier, which still contain it:", backups),
    ...list(
      "Backups made earlier that are not at their place any more; where they are, they contain it:",
      missingBackups,
    ),
    ...elsewhere,
    NOT_REACHED,
  ];
}
