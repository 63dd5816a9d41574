/** All writes of a commit to memories in their order, inside one transaction. */
import { PalimpsestError } from "../../../errors.ts";
import {
  type CapturedWrite,
  EVERY_SCOPE,
  type MemoryAccess,
  type MemoryWrite,
  type MemoryWriteResult,
} from "../../memory-store.ts";
import type { Transaction } from "../transaction.ts";
import { requireLengths } from "../vectors/require-lengths.ts";
import { checkWrite } from "./check-writes.ts";
import { insertDecisions, moveCaptured } from "./decisions.ts";
import { eraseNamed } from "./erase-memories.ts";
import { type LastNumbers, lockMemories } from "./lock-memories.ts";
import { writeMemoryIndex } from "./memory-segments.ts";
import { remember } from "./remember.ts";
import { deletedConversation, overtaken } from "./require-untouched.ts";
import { revise } from "./revise.ts";
import { runsOf, type WritesOfKind } from "./runs-of.ts";
import { countUses } from "./uses.ts";
import { dropVectors, pruneVectors, replaceVectors } from "./write-vectors.ts";

export async function commitMemories(
  transaction: Transaction,
  access: MemoryAccess,
  writes: readonly MemoryWrite[],
): Promise<MemoryWriteResult[]> {
  for (const write of writes) {
    checkWrite(write);
    refuseOutside(access, write);
  }
  const lastNumbers = await lockMemories(transaction, access, writes);
  const numberIn = numbering(lastNumbers, writes);
  const results: MemoryWriteResult[] = [];
  for (const run of runsOf(writes))
    results.push(...(await runWrites(transaction, access, run, lastNumbers, numberIn)));
  return results;
}

/** Scopes of others do not exist for the holder. */
function refuseOutside({ scopes }: MemoryAccess, write: MemoryWrite): void {
  if (scopes === EVERY_SCOPE) return;
  if (write.kind === "captured" && scopes.length === 0) throw noScope("any");
  const scope = scopeWrittenTo(write);
  if (scope !== undefined && !scopes.includes(scope)) throw noScope(scope);
}

function scopeWrittenTo(write: MemoryWrite): string | undefined {
  if (write.kind === "remember") return write.memory.scope;
  if (write.kind === "decide") return write.decision.scope;
  return write.kind === "memory-index" ? write.segment?.scope : undefined;
}

function noScope(scope: string): PalimpsestError {
  return new PalimpsestError("not-found", `there is no memory scope ${scope} here`, {
    advice: "Write into a scope that you may see; nothing was written.",
  });
}

/** Gives out the numbers that were reserved with the scopes' locks. */
function numbering(lastNumbers: LastNumbers, writes: readonly MemoryWrite[]): (scope: string) => number {
  const next = new Map<string, number>();
  for (const write of writes)
    if (write.kind === "remember") {
      const { scope } = write.memory;
      next.set(scope, (next.get(scope) ?? lastNumbers.get(scope) ?? 0) - 1);
    }
  return (scope) => {
    const number = (next.get(scope) ?? 0) + 1;
    next.set(scope, number);
    return number;
  };
}

async function runWrites(
  transaction: Transaction,
  access: MemoryAccess,
  run: WritesOfKind,
  lastNumbers: LastNumbers,
  numberIn: (scope: string) => number,
): Promise<MemoryWriteResult[]> {
  const { tenant } = access;
  switch (run.kind) {
    case "remember": {
      const memories = await remember(transaction, tenant, run.writes, numberIn);
      return memories.map((memory) => ({ kind: run.kind, memory }));
    }
    case "revise": {
      const memories = await revise(transaction, access, run.writes);
      return memories.map((memory) => ({ kind: run.kind, memory }));
    }
    case "decide":
      insertDecisions(
        transaction,
        tenant,
        run.writes.map(({ decision }) => decision),
      );
      return run.writes.map(() => ({ kind: run.kind }));
    case "other":
      return [await runWrite(transaction, access, run.write, lastNumbers)];
  }
}

async function runWrite(
  transaction: Transaction,
  access: MemoryAccess,
  write: Extract<WritesOfKind, { kind: "other" }>["write"],
  lastNumbers: LastNumbers,
): Promise<MemoryWriteResult> {
  switch (write.kind) {
    case "use":
      return { kind: write.kind, memories: await countUses(transaction, access, write) };
    case "captured":
      await moveOrRefuse(transaction, access, write);
      return { kind: write.kind };
    case "vectors":
      await requireLengths(transaction, access.tenant, [write.vectors]);
      return { kind: write.kind, written: await replaceVectors(transaction, access, write) };
    case "drop-vectors":
      dropVectors(transaction, access, write);
      return { kind: write.kind };
    case "prune-vectors":
      return { kind: write.kind, vectors: await pruneVectors(transaction, access, write) };
    case "memory-index":
      return { kind: write.kind, segment: await writeMemoryIndex(transaction, access, write, lastNumbers) };
    case "erase-memories":
      return { kind: write.kind, ...(await eraseNamed(transaction, access, write)) };
  }
}

async function moveOrRefuse(
  transaction: Transaction,
  { tenant }: MemoryAccess,
  write: CapturedWrite,
): Promise<void> {
  const deleted = await transaction.one(
    `SELECT FROM audit_log WHERE tenant = $1 AND conversation_uid = $2
       AND NOT EXISTS (SELECT FROM conversations WHERE tenant = $1 AND uid = $2) LIMIT 1`,
    tenant,
    write.conversation,
  );
  if (deleted !== undefined) throw deletedConversation(write.conversation);
  if (!(await moveCaptured(transaction, tenant, write)))
    throw overtaken("another process has captured this conversation");
}
