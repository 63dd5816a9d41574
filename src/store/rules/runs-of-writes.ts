/** Groups consecutive writes of one kind that do not depend on one another, so that they run together. */
import type { DecideWrite, MemoryWrite, RememberWrite, ReviseWrite } from "../memory-store.ts";

export type WritesOfKind =
  | { readonly kind: "remember"; readonly writes: readonly RememberWrite[] }
  | { readonly kind: "revise"; readonly writes: readonly ReviseWrite[] }
  | { readonly kind: "decide"; readonly writes: readonly DecideWrite[] }
  | {
      readonly kind: "other";
      readonly write: Exclude<MemoryWrite, RememberWrite | ReviseWrite | DecideWrite>;
    };

export function* runsOf(writes: readonly MemoryWrite[]): Generator<WritesOfKind> {
  let start = 0;
  while (start < writes.length) {
    const write = writes[start] as MemoryWrite;
    const end = endOfRun(writes, start);
    yield toRun(write, writes.slice(start, end));
    start = end;
  }
}

function endOfRun(writes: readonly MemoryWrite[], start: number): number {
  const kind = writes[start]?.kind;
  if (kind !== "remember" && kind !== "revise" && kind !== "decide") return start + 1;
  const touched = new Set<string>();
  let end = start;
  for (; end < writes.length; end++) {
    const write = writes[end] as MemoryWrite;
    if (write.kind !== kind || idsOf(write).some((id) => touched.has(id))) break;
    for (const id of idsOf(write)) touched.add(id);
  }
  return end;
}

function idsOf(write: MemoryWrite): readonly string[] {
  if (write.kind !== "remember") return write.kind === "revise" ? [write.id] : [];
  const { memory, supersedes, supersededBy } = write;
  return [memory.id, ...supersedes, ...(supersededBy === undefined ? [] : [supersededBy.id])];
}

function toRun(first: MemoryWrite, writes: readonly MemoryWrite[]): WritesOfKind {
  switch (first.kind) {
    case "remember":
      return { kind: first.kind, writes: writes.filter((write) => write.kind === "remember") };
    case "revise":
      return { kind: first.kind, writes: writes.filter((write) => write.kind === "revise") };
    case "decide":
      return { kind: first.kind, writes: writes.filter((write) => write.kind === "decide") };
    default:
      return { kind: "other", write: first };
  }
}
