import { statfsSync } from "node:fs";
import path from "node:path";
import { type ErrorCode, messageOf, PalimpsestError } from "../../errors.ts";

/** Primary result codes of SQLite that callers handle. */
const ERROR = 1;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

const DAMAGED =
  "Restore a backup with lcm restore FILE, or create a new database from the readable part with lcm verify repair=true. Both keep the damaged files under another name. To export what is intact, run: lcm export output=FILE";

const CODES: Readonly<Record<number, { code: ErrorCode; advice: string }>> = {
  [BUSY]: {
    code: "busy",
    advice: "Another process is writing to this store. Try again; nothing of this write was stored.",
  },
  [LOCKED]: {
    code: "busy",
    advice: "Another process is writing to this store. Try again; nothing of this write was stored.",
  },
  [READONLY]: {
    code: "store-readonly",
    advice: "Make the data folder and its files writable for this user, or choose another with `dataDir`.",
  },
  [IOERR]: { code: "store-unavailable", advice: "Check the disk that holds the data folder." },
  [CORRUPT]: { code: "store-corrupt", advice: DAMAGED },
  [FULL]: {
    code: "store-full",
    advice: "Free some space on the disk and try again; nothing of this write was stored.",
  },
  [CANTOPEN]: {
    code: "store-unavailable",
    advice: "Check that the data folder exists and that this user may write there.",
  },
  [NOTADB]: {
    code: "store-corrupt",
    advice:
      "The file is not an SQLite database, or is damaged. Choose another data folder, or restore a backup with lcm restore FILE, which keeps this file under another name.",
  },
};

export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED;
}

export function fromSqlite(error: unknown, file: string): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  const refused = fromConstraint(error);
  if (refused !== undefined) return refused;
  const code = isDamagedRead(error) || isDamagedSchema(error) ? CORRUPT : (primaryCode(error) ?? -1);
  const isFull = (code === IOERR || code === CANTOPEN) && isDiskFull(file);
  const known = CODES[isFull ? FULL : code];
  if (known === undefined) return new PalimpsestError("internal", messageOf(error), { cause: error });
  return new PalimpsestError(known.code, `${file}: ${isFull ? "the disk is full" : messageOf(error)}`, {
    advice: known.advice,
    cause: error,
  });
}

/** The file header has impossible values. */
export function damagedHeader(file: string, problem: string): PalimpsestError {
  return new PalimpsestError("store-corrupt", `${file}: ${problem}`, { advice: DAMAGED });
}

/** By the columns of a unique constraint. */
const CONSTRAINTS: Readonly<Record<string, { code: ErrorCode; message: string; advice: string }>> = {
  "UNIQUE constraint failed: memories.scope_id, memories.fact_key": {
    code: "busy",
    message: "another memory with the same fact key is active",
    advice: "Read it, and decide whether the new memory replaces it; nothing was written.",
  },
  "UNIQUE constraint failed: memories.uid": {
    code: "conflict",
    message: "a memory with the same id already exists",
    advice: "Give every memory its own id; nothing was written.",
  },
};

function fromConstraint(error: unknown): PalimpsestError | undefined {
  const known = CONSTRAINTS[messageOf(error)];
  if (known === undefined) return undefined;
  return new PalimpsestError(known.code, known.message, { advice: known.advice, cause: error });
}

/** Extended codes of IOERR for a file that is too short, or that the file system reports as damaged. */
const DAMAGED_READS: ReadonlySet<number> = new Set([2, 32, 33].map((kind) => IOERR | (kind << 8)));

function isDamagedRead(error: unknown): boolean {
  return DAMAGED_READS.has(resultCode(error) ?? -1);
}

/** Messages of a schema that differs from that of its version: the executed statements are always the same. */
const DAMAGED_SCHEMA =
  /^(no such (table|column|index)|table .* (already exists|has no column named)|index .* already exists|duplicate column name|unsupported file format|unable to use function|unrecognized token|near ")/;

function isDamagedSchema(error: unknown): boolean {
  return primaryCode(error) === ERROR && DAMAGED_SCHEMA.test(messageOf(error));
}

/** If SQLite has no space for the files beside the database, it only reports a failed write. */
function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path.dirname(file));
    return bavail * bsize < LEAST_ROOM;
  } catch {
    // The folder is gone, and is the actual problem.
    return false;
  }
}

/** The increment by which SQLite extends the shared-memory file of a write-ahead log. */
const LEAST_ROOM = 32_768;

function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error);
  return code === undefined ? undefined : code & 0xff;
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number")
    return undefined;
  return error.errcode;
}
