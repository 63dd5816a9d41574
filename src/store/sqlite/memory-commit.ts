/** Runs the writes of one memory commit, inside the transaction of whoever calls. */
import type { Database } from "./database.ts";
import { eraseOnRequest } from "./erase-memories.ts";
import type { ThreadAccess } from "./memory-access.ts";
import { capture, decide } from "./memory-decisions.ts";
import { writeMemoryIndex } from "./memory-segments.ts";
import { dropFaultyVectors, pruneVectors, replaceVectors } from "./memory-vectors.ts";
import {
  type PackedCommit,
  type PackedMemoryWrite,
  type PackedRemember,
  type PackedResult,
  unpackWrites,
} from "./packed-commit.ts";
import { Remembering } from "./remember.ts";
import { countUse, revise } from "./revise-memory.ts";

export interface MemoryCommitRequest extends PackedCommit {
  readonly access: ThreadAccess;
}

export function runMemoryWrites(
  database: Database,
  { access, ...packed }: MemoryCommitRequest,
): PackedResult[] {
  const writes = unpackWrites(packed);
  const memories = writes.flatMap((write) => (write.kind === "remember" ? [write.memory] : []));
  const remembering = new Remembering(database, access, memories);
  return writes.map((write) =>
    write.kind === "remember"
      ? remembering.remember(write, packed.floats)
      : runMemoryWrite(database, access, write, packed.floats),
  );
}

function runMemoryWrite(
  database: Database,
  access: ThreadAccess,
  write: Exclude<PackedMemoryWrite, PackedRemember>,
  floats: Float32Array,
): PackedResult {
  switch (write.kind) {
    case "revise":
      return { kind: write.kind, memory: revise(database, access, write) };
    case "use":
      return { kind: write.kind, memories: countUse(database, access, write) };
    case "decide":
      decide(database, access, write.decision);
      return { kind: write.kind };
    case "captured":
      capture(database, access, write);
      return { kind: write.kind };
    case "vectors":
      return { kind: write.kind, written: replaceVectors(database, access, write, floats) };
    case "drop-vectors":
      dropFaultyVectors(database, access, write);
      return { kind: write.kind };
    case "prune-vectors":
      return { kind: write.kind, vectors: pruneVectors(database, access, write) };
    case "memory-index":
      return { kind: write.kind, segment: writeMemoryIndex(database, access, write) };
    case "erase-memories":
      return { kind: write.kind, ...eraseOnRequest(database, access, write) };
  }
}
