/**
 * Checks every memory of a tenant once, and the data beside them. Reports, never repairs. Concurrent writes are not
 * a problem: a finding is checked again before it is reported.
 */
import { PalimpsestError } from "../../errors.ts";
import type { MemoryStore } from "../../store/memory-store.ts";
import { everyPage } from "../every-memory.ts";
import type { MemorySegmentMaker } from "../recall/index/memory-indexer.ts";
import { checkFaults, checkWords } from "./check-caches.ts";
import { type FindMessages, OriginCheck } from "./check-origins.ts";
import { VersionCheck } from "./check-versions.ts";
import type { MemoryReport } from "./memory-problem.ts";

export interface VerifyMemoriesOptions {
  readonly findMessages: FindMessages;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly memories: number }) => void;
}

export async function verifyMemories(
  { store, segments }: { readonly store: MemoryStore; readonly segments: MemorySegmentMaker },
  { findMessages, signal, onProgress }: VerifyMemoriesOptions,
): Promise<MemoryReport> {
  const stopIfAborted = () => {
    if (signal?.aborted === true) throw new PalimpsestError("cancelled", "the check was cancelled");
  };
  const versions = new VersionCheck(store);
  const origins = new OriginCheck(store, findMessages);
  let memories = 0;
  for await (const page of everyPage(store)) {
    stopIfAborted();
    for (const memory of page) {
      versions.meet(memory);
      origins.meet(memory);
    }
    memories += page.length;
    onProgress?.({ memories });
  }
  const problems = [
    ...(await versions.end()),
    ...(await origins.end(stopIfAborted)),
    ...(await checkFaults(store)),
    ...(await checkWords(store, segments, stopIfAborted)),
  ];
  return { memories, problems };
}
