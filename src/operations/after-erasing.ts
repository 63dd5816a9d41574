/** Places where erased text may remain: the database files, and earlier copies. */
import { z } from "zod";
import { type Engine, internalsOf } from "../engine.ts";
import { messageOf } from "../errors.ts";
import { knownBackups } from "./store/backup-records.ts";
import { listOldCopies } from "./store/backups.ts";

export const afterErasing = {
  filesCleaned: z
    .boolean()
    .describe("Whether the text is also removed from the store's files (on PostgreSQL, from its tables)."),
  inServerLog: z
    .boolean()
    .describe(
      "PostgreSQL only: whether the server's write-ahead log may contain the text until it is recycled.",
    ),
  problem: z.string().nullable().describe("Why the files could not be cleaned; null if they were."),
  backups: z
    .array(z.string())
    .describe("Earlier backups, and copies of a damaged database, that still contain it."),
  missingBackups: z
    .array(z.string())
    .describe(
      "Backups that are no longer where they were written; wherever they are, they still contain it.",
    ),
};

export interface AfterErasing {
  readonly filesCleaned: boolean;
  readonly inServerLog: boolean;
  readonly problem: string | null;
  readonly backups: string[];
  readonly missingBackups: string[];
}

export async function cleanUpAfterErasing(engine: Engine): Promise<AfterErasing> {
  const problem = await cleanFiles(engine);
  return { ...(await copiesKept(engine)), filesCleaned: problem === null, problem };
}

/** Finds copies that were made before the erasure. */
export async function copiesKept(engine: Engine): Promise<AfterErasing> {
  const { backups, missing } = await knownBackups(engine);
  return {
    filesCleaned: false,
    inServerLog: engine.store.engine === "postgres",
    problem: null,
    backups: [...backups.map(({ file }) => file), ...(await listOldCopies(engine.config))],
    missingBackups: [...missing],
  };
}

/** The erasure is done at this point: a failure here must be reported without hiding that. */
async function cleanFiles(engine: Engine): Promise<string | null> {
  try {
    const isClean = (await internalsOf(engine).conversations.uncleanedSince()) === null;
    if (!isClean) await engine.store.compactFiles();
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
