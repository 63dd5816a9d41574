/**
 * Removes erased text from the database's own files. `secure_delete` is not enough: pages that were rearranged while they
 * contained the text keep remnants, so the file is rewritten, and the log is emptied. An erasure leaves a mark in its own
 * transaction. The next commit, open or close of the store resumes cleaning, so that a crash, or another process that reads,
 * only delays it.
 */
import { PalimpsestError } from "../../errors.ts";
import type { CommitOutcome } from "./commit.ts";
import type { Database } from "./database.ts";

/** `files`: nothing is done yet. `log`: only the log remains, which another process was reading. */
type Step = "files" | "log";

/** How long to wait for the log after an erasure, in later commits, and on request. */
const AFTER_ERASURE_MS = 250;
const PASSING_MS = 0;
const ASKED_MS = 5_000;

/** The next step; undefined if nothing is left to do. */
function stepLeft(database: Database): Step | undefined {
  return database.one<{ step: Step }>("SELECT min(step) AS step FROM erasure_cleanups HAVING count(*) > 0")
    ?.step;
}

/** How often a commit that adds messages checks for an erasure that another process left unfinished. */
const LOOK_EVERY_MS = 1_000;
const nextLooks = new WeakMap<Database, number>();

/**
 * Resumes cleaning after a group of commits. Commits that only add messages leave nothing to clean, so they check once a
 * second. While cleaning is known to be unfinished, every commit tries again.
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

/** Resumes unfinished cleaning as far as possible now. Returns whether everything is clean. */
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

/** On request: refused with `busy` if the log cannot be emptied. */
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
 * Returns whether everything is clean. The marks are deleted last: their remnants in the log reveal nothing. Marks that
 * another process sets meanwhile are kept.
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
