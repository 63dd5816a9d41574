/** Runs all memory writes of a commit in order, inside one transaction. */
import type { CapturedWrite, MemoryWrite, MemoryWriteResult } from "../memory-store.ts";
import type { Port } from "../port.ts";
import { checkMemoryWrite } from "../rules/check-memory-write.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { countByScope, numbering } from "../rules/number-memories.ts";
import { deletedConversation, overtaken } from "../rules/overtaken.ts";
import { runsOf, type WritesOfKind } from "../rules/runs-of-writes.ts";
import { isDeleted } from "../tables/erased-origins.ts";
import { moveCaptured } from "../tables/memory-captures.ts";
import { insertDecisions } from "../tables/memory-decisions.ts";
import { findScopesOf, type LastNumbers, lockScopes } from "../tables/memory-scopes.ts";
import { countUses } from "../tables/memory-uses.ts";
import { eraseNamed } from "./erase-memories.ts";
import { remember } from "./remember.ts";
import { revise } from "./revise.ts";
import { writeMemoryIndex } from "./write-memory-index.ts";

/** State that the writes of one commit share. */
interface Commit {
  readonly port: Port;
  readonly access: MemoryScopes;
  readonly lastNumbers: LastNumbers;
  readonly numberIn: (scope: string) => number;
}

export async function commitMemories(
  port: Port,
  access: MemoryScopes,
  writes: readonly MemoryWrite[],
): Promise<MemoryWriteResult[]> {
  for (const write of writes) checkMemoryWrite(access, write);
  const created = countByScope(writes.flatMap((write) => (write.kind === "remember" ? [write.memory] : [])));
  const lastNumbers = await lockMemories(port, access, writes, created);
  const commit = { port, access, lastNumbers, numberIn: numbering(lastNumbers, created) };
  const results: MemoryWriteResult[] = [];
  for (const run of runsOf(writes)) results.push(...(await runWrites(commit, run)));
  return results;
}

/**
 * Every writer shares the tenant's lock and locks the rows of the scopes that it writes to exclusively; an erasure locks the
 * tenant exclusively, since memories derived from a memory may be in any scope. Conversations are locked before, which
 * prevents deadlocks.
 */
async function lockMemories(
  port: Port,
  access: MemoryScopes,
  writes: readonly MemoryWrite[],
  created: ReadonlyMap<string, number>,
): Promise<LastNumbers> {
  const isErasure = writes.some(({ kind }) => kind === "erase-memories");
  port.memories.lockTenant(access.tenant, isErasure ? "alone" : "shared");
  const ids = writes.flatMap((write) => (write.kind === "revise" ? [write.id] : []));
  const segments = writes.flatMap((write) => (write.kind === "memory-index" ? write.replaces : []));
  const found = await findScopesOf(port, access, ids, segments);
  const scopes = [...found, ...writes.flatMap((write) => scopeOf(write) ?? [])];
  return lockScopes(port, access.tenant, new Map(scopes.map((scope) => [scope, created.get(scope) ?? 0])));
}

function scopeOf(write: MemoryWrite): string | undefined {
  if (write.kind === "remember") return write.memory.scope;
  if (write.kind === "vectors") return write.ref.scope;
  return write.kind === "memory-index" ? write.segment?.scope : undefined;
}

async function runWrites(commit: Commit, run: WritesOfKind): Promise<MemoryWriteResult[]> {
  const { port, access, numberIn } = commit;
  switch (run.kind) {
    case "remember": {
      const memories = await remember(port, access.tenant, run.writes, numberIn);
      return memories.map((memory) => ({ kind: run.kind, memory }));
    }
    case "revise": {
      const memories = await revise(port, access, run.writes);
      return memories.map((memory) => ({ kind: run.kind, memory }));
    }
    case "decide":
      insertDecisions(
        port,
        access.tenant,
        run.writes.map(({ decision }) => decision),
      );
      return run.writes.map(() => ({ kind: run.kind }));
    case "other":
      return [await runWrite(commit, run.write)];
  }
}

async function runWrite(
  { port, access, lastNumbers }: Commit,
  write: Extract<WritesOfKind, { kind: "other" }>["write"],
): Promise<MemoryWriteResult> {
  switch (write.kind) {
    case "use":
      return { kind: write.kind, memories: await countUses(port, access, write) };
    case "captured":
      await moveOrRefuse(port, access, write);
      return { kind: write.kind };
    case "vectors":
      return { kind: write.kind, written: await port.memories.replaceVectors(access, write) };
    case "drop-vectors":
      port.memories.dropVectors(access, write);
      return { kind: write.kind };
    case "prune-vectors":
      return { kind: write.kind, vectors: await port.memories.pruneVectors(access, write) };
    case "memory-index":
      return { kind: write.kind, segment: await writeMemoryIndex(port, access, write, lastNumbers) };
    case "erase-memories":
      return { kind: write.kind, ...(await eraseNamed(port, access, write)) };
  }
}

async function moveOrRefuse(port: Port, { tenant }: MemoryScopes, write: CapturedWrite): Promise<void> {
  if (await isDeleted(port, tenant, write.conversation)) throw deletedConversation(write.conversation);
  if (!(await moveCaptured(port, tenant, write)))
    throw overtaken("another process has captured this conversation");
}
