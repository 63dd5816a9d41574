/**
 * Leases of compaction, in the thread. SQLite has no lock that ends with its process, so leases expire. On one machine, the
 * lease of an ended process is free immediately.
 */
import { hostname } from "node:os";
import { fileErrorCode } from "../../text/file-problem.ts";
import type { Scope } from "../../types.ts";
import { compactionBusy } from "../store-errors.ts";
import { requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";

export interface LockRequest {
  readonly scope: Scope;
  readonly conversation: string;
  /** Machine, process and a unique random token. */
  readonly holder: string;
  readonly leaseMs: number;
}

const BUSY_ADVICE =
  "Try again in 30 seconds: a killed process holds its lock for that long. Nothing was written.";

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/**
 * A lease that ends later than this was written by a wrong clock, and is ignored. If its holder is still at work, publishing
 * detects that another process was faster.
 */
const MOST_AHEAD_MS = 600_000;

/** Takes the lease if it is free, expired, or its holder is known to be gone. */
export function takeLock(database: Database, request: LockRequest): void {
  const taken = database.transaction(() => {
    const id = requireConversation(database, request.scope, request.conversation).conversation_id;
    const held = database.one<{ holder: string }>(
      "SELECT holder FROM compaction_locks WHERE conversation_id = ?",
      id,
    );
    return database.run(
      `INSERT INTO compaction_locks (conversation_id, holder, expires_at) VALUES (?, ?, ${NOW} + ?)
       ON CONFLICT (conversation_id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
       WHERE expires_at <= ${NOW} OR expires_at > ${NOW} + ? OR ?`,
      id,
      request.holder,
      request.leaseMs,
      Math.max(request.leaseMs, MOST_AHEAD_MS),
      held !== undefined && isGone(held.holder) ? 1 : 0,
    );
  });
  if (taken === 0) throw compactionBusy(BUSY_ADVICE);
}

/** Holders of this thread whose compactions ended but whose leases could not be deleted, for example on a full disk. */
const given = new Set<string>();

/** Whether the holder has certainly ended. Unknown for a process on another machine. */
function isGone(holder: string): boolean {
  const [host, pid] = holder.split(" ");
  if (given.has(holder)) return true;
  return host === hostname() && Number(pid) !== process.pid && !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return fileErrorCode(error) !== "ESRCH";
  }
}

/** Changes nothing if another holder has taken it over. */
export function renewLock(database: Database, { holder, leaseMs }: LockRequest): void {
  database.transaction(() =>
    database.run(`UPDATE compaction_locks SET expires_at = ${NOW} + ? WHERE holder = ?`, leaseMs, holder),
  );
}

export function giveBackLock(database: Database, { holder }: LockRequest): void {
  given.add(holder);
  database.transaction(() => database.run("DELETE FROM compaction_locks WHERE holder = ?", holder));
  given.delete(holder);
}

/** For a deleted conversation. */
export function dropLock(database: Database, conversationId: number): void {
  database.run("DELETE FROM compaction_locks WHERE conversation_id = ?", conversationId);
}
