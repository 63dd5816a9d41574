/** Copies that an erasure could not reach or clean, for people. */
import { list } from "../text/terminal/table.ts";
import type { AfterErasing } from "./after-erasing.ts";

/** The limits of an erasure, shown after each one. */
const NOT_REACHED = "Exports and backups kept elsewhere still contain it.";

/** Logs and backups of a server are the responsibility of its operator. */
const GONE_FROM_TABLES = [
  "The text is removed from the tables. The server's write-ahead log contains it until it is recycled:",
  "its operator can run SELECT pg_switch_wal() and CHECKPOINT; old segments are then reused.",
  "The operator must also clean archived logs, replicas and base backups.",
].join("\n");

/** `again`: the command that cleans the files once more. */
export function renderCopies(
  after: AfterErasing,
  again: string,
  elsewhere: readonly string[] = [],
): string[] {
  const { filesCleaned, inServerLog, problem } = after;
  const gone = inServerLog ? GONE_FROM_TABLES : "The store's files no longer contain the text.";
  return [
    filesCleaned ? gone : `The store's files still contain the text: ${problem}\nClean them with: ${again}`,
    ...copiesLeft(after),
    ...elsewhere,
    NOT_REACHED,
  ];
}

function copiesLeft({ backups, missingBackups }: Pick<AfterErasing, "backups" | "missingBackups">): string[] {
  return [
    ...list("Earlier backups that still contain it:", backups),
    ...list("Earlier backups that were moved or deleted; any copies still contain it:", missingBackups),
  ];
}
