/**
 * Databases of hosts that keep sessions in SQLite. They belong to their hosts, which may be writing to them, so they
 * are opened read-only. The tables show which host wrote a database.
 */
import { DatabaseSync } from "node:sqlite";
import { messageOf, PalimpsestError } from "../../errors.ts";
import { readLosslessClaw } from "./read-lossless-claw.ts";
import { readOpencode } from "./read-opencode.ts";
import { isBusy } from "./sqlite-errors.ts";

export interface HostDatabaseOptions {
  /** The last read state of each session, by its id: unchanged sessions are skipped, others are added. */
  readonly seen?: Map<string, string>;
}

export interface HostDatabase {
  readonly format: "opencode" | "lossless-claw";
  sessions(options?: HostDatabaseOptions): Generator<object>;
}

interface Kind {
  readonly format: HostDatabase["format"];
  readonly label: string;
  readonly tables: readonly string[];
  readonly advice: string;
  read(database: DatabaseSync, file: string, options: HostDatabaseOptions): Generator<object>;
}

const KINDS: readonly Kind[] = [
  {
    format: "opencode",
    label: "OpenCode",
    tables: ["session", "message", "part"],
    advice: "Write the session out with `opencode export` and import that file.",
    read: readOpencode,
  },
  {
    format: "lossless-claw",
    label: "lossless-claw",
    tables: ["conversations", "messages", "summaries"],
    advice: "Recover it with `sqlite3 lcm.db .recover | sqlite3 recovered.db` and import recovered.db.",
    read: readLosslessClaw,
  },
];

const BUSY_TIMEOUT_MS = 5_000;

export function hostDatabase(file: string): HostDatabase {
  const { format, label, advice, read } = use(file, "a host", undefined, (database) =>
    kindOf(database, file),
  );
  return {
    format,
    *sessions(options = {}) {
      const database = openForReading(file, label, advice);
      try {
        yield* read(database, file, options);
      } catch (error) {
        throw unreadable(error, file, label, advice);
      } finally {
        database.close();
      }
    },
  };
}

function use<Result>(
  file: string,
  label: string,
  advice: string | undefined,
  run: (database: DatabaseSync) => Result,
): Result {
  const database = openForReading(file, label, advice);
  try {
    return run(database);
  } catch (error) {
    throw unreadable(error, file, label, advice);
  } finally {
    database.close();
  }
}

function kindOf(database: DatabaseSync, file: string): Kind {
  const found = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = new Set(found.map(({ name }) => name));
  const kind = KINDS.find(({ tables }) => tables.every((name) => names.has(name)));
  if (kind !== undefined) return kind;
  const known = KINDS.map(({ label }) => label).join(" or ");
  throw new PalimpsestError("not-supported", `${file} is an SQLite database, but not one of ${known}`, {
    advice: "Export the session from its host, or write its messages as JSON lines and import those.",
  });
}

function openForReading(file: string, label: string, advice: string | undefined): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw unreadable(error, file, label, advice);
  }
}

function unreadable(
  error: unknown,
  file: string,
  label: string,
  advice: string | undefined,
): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  return new PalimpsestError(
    "invalid-input",
    `${file} cannot be read as a database of ${label}: ${messageOf(error)}`,
    {
      ...(advice === undefined ? {} : { advice }),
      isRetryable: isBusy(error),
      cause: error,
    },
  );
}
