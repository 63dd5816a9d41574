/**
 * What every store must do, on either engine. `describeStore` runs it against a real database, section by section in this
 * order: the last one checks the data that the others have left.
 */
import { afterAll, beforeAll, describe } from "vitest";
import { describeAppending } from "./conformance/appending.ts";
import { describeClosing } from "./conformance/closing.ts";
import { describeCompactionLock } from "./conformance/compaction-lock.ts";
import { describeContext } from "./conformance/context.ts";
import { describeConversations } from "./conformance/conversations.ts";
import { describeDescribedFiles } from "./conformance/described-files.ts";
import { describeErasure } from "./conformance/erasure.ts";
import { describeFiles } from "./conformance/files.ts";
import { describeManyWriters } from "./conformance/many-writers.ts";
import { describeMemories } from "./conformance/memories.ts";
import { describeMemoryDecisions } from "./conformance/memory-decisions.ts";
import { describeMemoryErasure } from "./conformance/memory-erasure.ts";
import { describeMemoryIndex } from "./conformance/memory-index.ts";
import { describeMemoryLoad } from "./conformance/memory-load.ts";
import { describeMemoryScopes } from "./conformance/memory-scopes.ts";
import { describeMemoryVectors } from "./conformance/memory-vectors.ts";
import { describeMemoryVersions } from "./conformance/memory-versions.ts";
import { describeMessageVectors } from "./conformance/message-vectors.ts";
import { describeReceipts } from "./conformance/receipts.ts";
import { describeScopes } from "./conformance/scopes.ts";
import { describeSearchIndex } from "./conformance/search-index.ts";
import { StoreInUse, type StoreUnderTest } from "./conformance/store-in-use.ts";
import { describeSummaries } from "./conformance/summaries.ts";
import { describeTranscripts } from "./conformance/transcripts.ts";
import { describeTurns } from "./conformance/turns.ts";
import { describeWholeStore } from "./conformance/whole-store.ts";

const SECTIONS = [
  describeClosing,
  describeAppending,
  describeTurns,
  describeReceipts,
  describeContext,
  describeSummaries,
  describeCompactionLock,
  describeConversations,
  describeErasure,
  describeTranscripts,
  describeSearchIndex,
  describeMessageVectors,
  describeFiles,
  describeDescribedFiles,
  describeScopes,
  describeManyWriters,
  describeMemories,
  describeMemoryVersions,
  describeMemoryScopes,
  describeMemoryDecisions,
  describeMemoryVectors,
  describeMemoryIndex,
  describeMemoryErasure,
  describeMemoryLoad,
  describeWholeStore,
];

export function describeStore(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} store`, () => {
    const use = new StoreInUse(create);
    beforeAll(() => use.open());
    afterAll(() => use.close());
    for (const describeSection of SECTIONS) describeSection(use);
  });
}
