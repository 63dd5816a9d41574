/**
 * Takes erased words out of the database's own files. `secure_delete` does not do it alone: pages that were rearranged while
 * the words were in them keep remnants, so the file is written anew, and the log is emptied. An erasure leaves a mark in its own
 * transaction. Whoever commits, opens or closes the store next goes on where cleaning stopped, so that a crash, or another
 * process that reads, only delays it.
 */
import { PalimpsestError } from "../../errors.ts";
import type { CommitOutcome } from "./commit.ts";
import type { Database } from "./database.ts";

/** `files`: all is still to be done. `log`: only the log is, which another process was reading. */
type Step = "files" | "log";

/** How long the log is waited for after an erasure, by whoever comes by later, and by whoever asks for it. */
const AFTER_ERASURE_MS = 250;
const PASSING_MS = 0;
const ASKED_MS = 5_000;

/** What is left to do; undefined when nothing is. */
function stepLeft(database: Database): Step | undefined {
  return database.one<{ step: Step }>("SELECT min(step) AS step FROM erasure_cleanups HAVING count(*) > 0")
    ?.step;
}

/** How often a commit that adds messages looks for an erasure that another process has left unfinished. */
const LOOK_EVERY_MS = 1_000;
const nextLooks = new WeakMap<Database, number>();

/**
 * Goes on with cleaning after a group of commits. Commits that only add messages leave nothing to clean, so they look once a second.
 * While cleaning is known to be unfinished, every commit tries again.
 */
export function finishCleaningAfter(database: Database, outcomes: readonly CommitOutcome[]): void {
  const now = performance.now();
  if (now < (nextLooks.get(database) ?? now) && outcomes.every(hasOnlyAdded)) return;
  const isClean = finishCleaning(database);
  nextLooks.set(database, isClean ? now + LOOK_EVERY_MS : now);
}

function hasOnlyAdded(outcome: CommitOutcome): boolean {
  if ("error" in outcome) return true;
  return outcome.results.every(
    (result) =>
      typeof result === "object" &&
      result.kind === "append" &&
      !result.messages.some(({ erased }) => erased === true),
  );
}

/** Goes on with an unfinished erasure as far as is possible now. Returns whether everything is clean. */
export function finishCleaning(database: Database): boolean {
  const step = stepLeft(database);
  if (step === undefined) return true;
  try {
    return clean(database, step, step === "files" ? AFTER_ERASURE_MS : PASSING_MS);
  } catch {
    // Locked, disk full, or damaged. The commit itself is done, the mark stays, and the next commit tries again.
    database.forgetStatements();
    return false;
  }
}

/** For whoever asks: refused with `busy` when the log cannot be emptied. */
export function compactFiles(database: Database): void {
  if (clean(database, "files", ASKED_MS)) return;
  throw new PalimpsestError(
    "busy",
    "another process is reading the store, so its files still contain erased text",
    {
      advice:
        "Run the same command again once that process has finished; the next process that writes to, opens or closes the store cleans them as well.",
    },
  );
}

/**
 * Answers with whether everything is clean. The marks go last: what that leaves in the log tells nothing. Marks that another
 * process sets meanwhile are not touched.
 */
function clean(database: Database, step: Step, timeoutMs: number): boolean {
  const marks = database.all<{ tenant: string; at: string }>("SELECT tenant, at FROM erasure_cleanups");
  const each = (sql: string) => {
    for (const { tenant, at } of marks) database.run(`${sql} WHERE tenant = ? AND at = ?`, tenant, at);
  };
  if (step === "files") {
    database.exec("VACUUM");
    each("UPDATE erasure_cleanups SET step = 'log'");
  }
  if (!database.emptyLog(timeoutMs)) return false;
  each("DELETE FROM erasure_cleanups");
  return true;
}
