/**
 * One connection with its cached prepared statements, and the pragmas that durability depends on.
 */
import { existsSync, statSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { PalimpsestError } from "../../errors.ts";
import { ContentFolder } from "./contents/content-folder.ts";
import { fromSqlite, isBusy } from "./sqlite-errors.ts";

type SqlRow = Record<string, SQLOutputValue | Uint8Array>;

/** How long one attempt waits for another process's lock, and for how long attempts are repeated. */
const BUSY_TIMEOUT_MS = 5_000;
const LOCK_DEADLINE_MS = 60_000;

/**
 * 4 KiB pages that the log collects before a checkpoint: a page that many writes change is written to the file once. And the
 * page cache for writing. With the usual 1,000 pages and 2 MiB, a hundred thousand memories take a fifth longer.
 */
const LOG_PAGES = 4_000;
const CACHE_KIB = 16_000;

export interface DatabaseOptions {
  readonly file: string;
  readonly readOnly: boolean;
  /** Fail if the file contains no store instead of creating one. */
  readonly mustExist?: boolean;
  /** This user may not write the file or its folder. */
  readonly isFrozen?: boolean;
  /** Refuse to grow beyond this many pages. Tests simulate a full disk with it. */
  readonly maxPages?: number;
}

/**
 * Reading a database with a write-ahead log needs files beside it, which cannot be created in a read-only folder. Without a
 * log the database is not open elsewhere, and the one file contains everything.
 */
function pathOf({ file, isFrozen }: DatabaseOptions): string | URL {
  if (isFrozen !== true || hasLog(file)) return file;
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return url;
}

function hasLog(file: string): boolean {
  const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return size > 0 || existsSync(`${file}-shm`);
}

function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

export class Database {
  /** The folder beside the database, and contents that a transaction has dropped. */
  readonly contents: ContentFolder;
  readonly droppedContents = new Set<string>();
  readonly #connection: DatabaseSync;
  readonly #file: string;
  /** The identity of the open file. */
  readonly #identity: string | null;
  #check = () => {};
  readonly #statements = new Map<string, StatementSync>();
  readonly #listStatements = new Map<string, StatementSync>();

  constructor(options: DatabaseOptions) {
    this.contents = new ContentFolder(options.file);
    this.#file = options.file;
    // Read before it is opened: if it is replaced in between, calls fail instead of using a deleted file.
    const found = identityOf(options.file);
    try {
      this.#connection = new DatabaseSync(pathOf(options), {
        readOnly: options.readOnly,
        timeout: BUSY_TIMEOUT_MS,
        enableForeignKeyConstraints: true,
      });
      if (options.readOnly) this.#connection.exec("PRAGMA query_only = ON");
    } catch (error) {
      throw fromSqlite(error, options.file);
    }
    this.#identity = found ?? identityOf(options.file);
  }

  /** Sets how writes are made durable. This changes the file, so its owner must be checked before. */
  prepareForWriting(maxPages: number | undefined): void {
    this.#retryWhileBusy(() => this.#connection.exec("PRAGMA journal_mode = WAL"));
    this.#connection.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
    this.#connection.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA cache_size = -${CACHE_KIB}`);
    if (maxPages !== undefined) this.#connection.exec(`PRAGMA max_page_count = ${maxPages}`);
  }

  /** Whether the open file is still the one at its path. */
  get isInPlace(): boolean {
    return identityOf(this.#file) === this.#identity;
  }

  /**
   * A deleted file that is open still takes writes, which are lost with the process, and still answers reads: with rows that no
   * other process can see.
   */
  requireInPlace(): void {
    if (this.isInPlace) return;
    throw new PalimpsestError(
      "store-unavailable",
      `${this.#file} was deleted or replaced while it was open`,
      {
        advice:
          "Nothing was read or stored. Put the data folder back, or restart this process to create a new store.",
      },
    );
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** The same without the number of changed rows, for values that are already a list. */
  send(sql: string, values: readonly SQLInputValue[]): void {
    this.#prepare(sql).run(...values);
  }

  insert(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  one<Row extends SqlRow>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  all<Row extends SqlRow>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** Rows as lists of their columns: for statements that read many rows, because creating objects is slower. */
  lists<Row extends readonly unknown[]>(sql: string, ...values: SQLInputValue[]): Row[] {
    const statement = this.#prepare(sql, this.#listStatements);
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as Row[];
  }

  /** The statement is cached, so one iteration has to end, or be left, before the same one begins again. */
  iterate<Row extends SqlRow>(sql: string, ...values: SQLInputValue[]): IterableIterator<Row> {
    return this.#prepare(sql).iterate(...values) as IterableIterator<Row>;
  }

  /** Checkpoints the log into the file and truncates it. Returns whether no other process was reading it. */
  emptyLog(timeoutMs: number): boolean {
    this.#connection.exec(`PRAGMA busy_timeout = ${timeoutMs}`);
    try {
      return this.#connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
    } finally {
      this.#connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** Takes the write lock and waits up to a minute for other processes. Throws if the file was deleted or replaced. */
  begin(): void {
    this.requireInPlace();
    this.#retryWhileBusy(() => this.run("BEGIN IMMEDIATE"));
    try {
      this.#check();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** From now on, `check` runs at the beginning of each writing transaction, and aborts it by throwing. */
  checkBeforeWriting(check: () => void): void {
    this.#check = check;
  }

  /** Commits a writing transaction. Throws if the file is no longer at its path. */
  commit(): void {
    this.run("COMMIT");
    this.requireInPlace();
  }

  /** Runs work atomically. */
  transaction<Result>(work: () => Result): Result {
    this.begin();
    try {
      const result = work();
      this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** Runs reads in one snapshot, independent of concurrent writes. */
  snapshot<Result>(read: () => Result): Result {
    this.exec("BEGIN");
    try {
      return read();
    } finally {
      this.rollback();
    }
  }

  /** The same for reads through the port, which returns promises. */
  async inSnapshot<Result>(read: () => Promise<Result>): Promise<Result> {
    this.exec("BEGIN");
    try {
      return await read();
    } finally {
      this.rollback();
    }
  }

  get inTransaction(): boolean {
    return this.#connection.isTransaction;
  }

  rollback(): void {
    if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
  }

  /**
   * Call this after a failed read: a statement that failed reports the same error again on its next use, whatever its
   * parameters are.
   */
  forgetStatements(): void {
    this.#statements.clear();
    this.#listStatements.clear();
  }

  close(): void {
    this.forgetStatements();
    if (this.#connection.isOpen) this.#connection.close();
  }

  #prepare(sql: string, kept = this.#statements): StatementSync {
    let statement = kept.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      kept.set(sql, statement);
    }
    return statement;
  }

  #retryWhileBusy(attempt: () => void): void {
    const deadline = Date.now() + LOCK_DEADLINE_MS;
    for (;;) {
      try {
        attempt();
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (Date.now() > deadline)
          throw new PalimpsestError(
            "busy",
            "timed out waiting for another process that is writing to this store",
            {
              advice: "Try again; nothing of this write was stored.",
              cause: error,
            },
          );
      }
    }
  }
}
