/** Prevents other processes from compacting a conversation by a lease, which is renewed during the work. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Thread } from "../../threads/thread.ts";
import type { Scope } from "../../types.ts";
import type { LockRequest } from "./compaction-locks.ts";

export const DEFAULT_LEASE_MS = 30_000;
/** Two renewals may fail or come late before the lease runs out. */
const RENEWALS_PER_LEASE = 3;

export async function exclusively<Result>(
  writer: Thread,
  scope: Scope,
  conversation: string,
  leaseMs: number,
  run: () => Promise<Result>,
): Promise<Result> {
  const lock: LockRequest = {
    scope,
    conversation,
    holder: `${hostname()} ${process.pid} ${randomUUID()}`,
    leaseMs,
  };
  await writer.call("takeLock", lock);
  const renew = () => void writer.call("renewLock", lock).catch(leaseRunsOut);
  const timer = setInterval(renew, leaseMs / RENEWALS_PER_LEASE).unref();
  try {
    return await run();
  } finally {
    clearInterval(timer);
    await writer.call("giveBackLock", lock).catch(leaseRunsOut);
  }
}

/** A lease that cannot be renewed or released expires; work done under it stays valid. */
function leaseRunsOut(): void {}
