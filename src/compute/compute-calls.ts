/**
 * The work that the compute worker does without keeping state. The same functions run on the caller's thread when the work is
 * small or no thread can be started. The code of a call is loaded on its first use, because most workers need only a part of
 * it.
 */
import type { ContentAbout } from "../context/files/explore/explorer.ts";
import type { BuiltSegment, IndexedDocument } from "../context/retrieve/index/build-segment.ts";
import type { MemoryDocument } from "../memory/recall/index/memory-document.ts";

export interface ComputeInputs {
  buildMessageSegment: readonly IndexedDocument[];
  mergeMessageSegments: readonly BuiltSegment[];
  buildMemorySegment: readonly MemoryDocument[];
  mergeMemorySegments: readonly Uint8Array[];
  exploreFile: { readonly content: Uint8Array; readonly about: ContentAbout };
}

export interface ComputeResults {
  buildMessageSegment: BuiltSegment;
  mergeMessageSegments: BuiltSegment;
  buildMemorySegment: Uint8Array;
  mergeMemorySegments: Uint8Array;
  exploreFile: string;
}

export type ComputeCall = keyof ComputeInputs;

type ComputeCalls = {
  readonly [Call in ComputeCall]: (input: ComputeInputs[Call]) => Promise<ComputeResults[Call]>;
};

export const COMPUTE_CALLS: ComputeCalls = {
  async buildMessageSegment(documents) {
    const { buildSegment } = await import("../context/retrieve/index/build-segment.ts");
    return buildSegment(documents);
  },
  async mergeMessageSegments(segments) {
    const { mergeSegments } = await import("../context/retrieve/index/merge-segments.ts");
    return mergeSegments(segments);
  },
  async buildMemorySegment(documents) {
    const { buildSegment } = await import("../memory/recall/index/build-segment.ts");
    return buildSegment(documents);
  },
  async mergeMemorySegments(contents) {
    const { mergeSegments } = await import("../memory/recall/index/merge-segments.ts");
    return mergeSegments(contents);
  },
  async exploreFile({ content, about }) {
    const { exploreContent } = await import("../context/files/explore/explore-content.ts");
    return exploreContent(content, about);
  },
};
