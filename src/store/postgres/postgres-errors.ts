/** Maps errors of PostgreSQL, the driver and the network to our codes and adds advice. Never contains a password. */
import { type ErrorCode, messageOf, PalimpsestError } from "../../errors.ts";

interface Meaning {
  readonly code: ErrorCode;
  readonly advice: string;
}

const UNREACHABLE: Meaning = {
  code: "store-unavailable",
  advice: "Check that the PostgreSQL server runs and that host and port in the database URL are right.",
};
const REFUSED_LOGIN: Meaning = {
  code: "store-unavailable",
  advice: "Check user and password in the database URL, and the server's pg_hba.conf.",
};
const CONNECTION_LOST: Meaning = {
  code: "store-unavailable",
  advice: "The server closed the connection. Try again: the same call with the same keys is safe.",
};
const TRY_AGAIN: Meaning = { code: "busy", advice: "Try again; nothing of this write was stored." };
const NO_RIGHTS: Meaning = {
  code: "store-readonly",
  advice:
    "Let the owner of the database create the schema, or grant this user USAGE on it and SELECT, INSERT, UPDATE and DELETE on its tables.",
};
const DAMAGED: Meaning = {
  code: "store-corrupt",
  advice: "PostgreSQL found damage in its files. Keep them as they are and restore a backup: lcm restore.",
};

const TABLES_GONE: Meaning = {
  code: "store-corrupt",
  advice: "Tables of the store were dropped or changed. Restore a backup: lcm restore.",
};

/** By SQLSTATE (five characters), or by the name of a system error. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOENT: UNREACHABLE,
  EACCES: UNREACHABLE,
  ECONNRESET: CONNECTION_LOST,
  EPIPE: CONNECTION_LOST,
  "28000": REFUSED_LOGIN,
  "28P01": REFUSED_LOGIN,
  "3D000": {
    code: "store-unavailable",
    advice: "Create the database first (createdb), or correct its name in the database URL.",
  },
  "42501": NO_RIGHTS,
  "25006": {
    code: "store-readonly",
    advice:
      "This server or session is read-only (a standby, or default_transaction_read_only). Connect to the primary.",
  },
  "53100": {
    code: "store-full",
    advice: "Free some space on the database server's disk and try again; nothing of this write was stored.",
  },
  "53200": TRY_AGAIN,
  "53300": {
    code: "busy",
    advice:
      "The server has no free connections. Try again, or raise max_connections; nothing of this write was stored.",
  },
  "40001": TRY_AGAIN,
  "40P01": TRY_AGAIN,
  "55P03": TRY_AGAIN,
  "57014": TRY_AGAIN,
  "57P01": CONNECTION_LOST,
  "57P02": CONNECTION_LOST,
  "57P03": {
    code: "store-unavailable",
    advice: "The server is starting or stopping. Try again in a moment.",
  },
  "57P05": CONNECTION_LOST,
  "25P03": CONNECTION_LOST,
  "08000": CONNECTION_LOST,
  "08003": CONNECTION_LOST,
  "08006": CONNECTION_LOST,
  "22021": {
    code: "invalid-input",
    advice:
      "PostgreSQL cannot store a NUL character in keys and names. Remove it; nothing of this write was stored.",
  },
  "54000": {
    code: "invalid-input",
    advice: "A key or name is longer than 2,600 bytes. Nothing of this write was stored.",
  },
  "23505": {
    code: "conflict",
    advice:
      "Another process wrote the same key at the same time. Try again; nothing of this write was stored.",
  },
  "3F000": TABLES_GONE,
  "42P01": TABLES_GONE,
  "42703": TABLES_GONE,
  XX001: DAMAGED,
  XX002: DAMAGED,
};

/** By the name of a unique constraint. */
const BY_CONSTRAINT: Readonly<Record<string, Meaning>> = {
  memories_fact_idx: {
    code: "busy",
    advice:
      "Another memory of this fact is active. Read it and decide again; nothing of this write was stored.",
  },
  memories_uid_idx: {
    code: "conflict",
    advice: "A memory with this id is already on record. Nothing of this write was stored.",
  },
};

/** The driver's messages for a closed connection; these errors have no code. */
const LOST = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;

export function fromPostgres(error: unknown, location: string): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  const meaning = meaningOf(error) ?? (isConnectionLoss(error) ? CONNECTION_LOST : undefined);
  return meaning === undefined
    ? new PalimpsestError("internal", `${location}: ${messageOf(error)}`, { cause: error })
    : explained(meaning, error, location);
}

function meaningOf(error: unknown): Meaning | undefined {
  return BY_CONSTRAINT[constraintOf(error) ?? ""] ?? MEANINGS[errorCode(error) ?? ""];
}

/** A failed connection attempt: whatever the reason, the store cannot be reached. */
export function fromConnecting(error: unknown, location: string): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  return explained(MEANINGS[errorCode(error) ?? ""] ?? UNREACHABLE, error, location);
}

/** The connection was lost during COMMIT: the transaction may have been committed or not. */
export function uncertainCommit(error: unknown, location: string): PalimpsestError {
  return new PalimpsestError("store-unavailable", `${location}: the connection was lost during the commit`, {
    advice:
      "The commit may or may not have succeeded. Commit again with the same keys: duplicates are recognised.",
    cause: error,
  });
}

/** Two writers collided; the transaction was rolled back and can be repeated. */
export function isCollision(error: unknown): boolean {
  const code = errorCode(error);
  if (code === "40001" || code === "40P01") return true;
  return code === "23505" && constraintOf(error) === "conversations_session_idx";
}

/** A row that violates a constraint of the schema: no valid write does, so the input was wrong. */
export function isContradiction(error: unknown): boolean {
  return errorCode(error)?.startsWith("23") === true;
}

/** A statement that was ignored because an earlier one in its transaction had failed. */
export function isAftermath(error: unknown): boolean {
  return errorCode(error) === "25P02";
}

export function isConnectionLoss(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) return MEANINGS[code] === CONNECTION_LOST;
  return error instanceof Error && LOST.test(error.message);
}

function explained(meaning: Meaning, error: unknown, location: string): PalimpsestError {
  // Several addresses of one host fail together, and then only the single errors have the reason.
  const reason = error instanceof AggregateError ? error.errors.map(messageOf).join("; ") : messageOf(error);
  return new PalimpsestError(meaning.code, `${location}: ${reason}`, {
    advice: meaning.advice,
    cause: error,
  });
}

function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  return error.code === "XX000" ? codeBehind(error.message) : error.code;
}

/** A cluster that distributes rows reports a violated constraint as an internal error; its message still has the code. */
function codeBehind(message: string): string {
  const code = VIOLATIONS.find(([words]) => message.includes(words))?.[1];
  return code ?? "XX000";
}

const VIOLATIONS = [
  ["violates unique constraint", "23505"],
  ["violates foreign key constraint", "23503"],
  ["violates check constraint", "23514"],
  ["violates not-null constraint", "23502"],
] as const;

/** Without the shard number that a cluster adds to the name. */
function constraintOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("constraint" in error && typeof error.constraint === "string") return withoutShard(error.constraint);
  const named = /constraint "([^"]+)"/.exec(error.message)?.[1];
  return named === undefined ? undefined : withoutShard(named);
}

function withoutShard(constraint: string): string {
  return constraint.replace(/_\d+$/, "");
}
