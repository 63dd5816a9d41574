/** The sources of one summary: adjacent messages or summaries, or a summary that is written again. */

/** A summary that stands in the place of the sources, and gives it to the new one. */
export interface Standing {
  readonly summary: string;
  readonly tokenCount: number;
}

interface Sources {
  /** Of the sources. */
  readonly tokens: number;
  readonly replaces?: Standing;
}

export interface LeafChunk extends Sources {
  readonly kind: "leaf";
  readonly seqs: readonly number[];
  /** Hardly to be said in fewer words: no model is asked for it. */
  readonly isShort: boolean;
  /** Its summary lets its neighbours be condensed with it, and need not be shorter than it is. */
  readonly isBridge?: boolean;
}

export interface CondensedChunk extends Sources {
  readonly kind: "condensed";
  readonly depth: number;
  readonly ids: readonly string[];
}

export type Chunk = LeafChunk | CondensedChunk;

export function sourcesIn(chunk: Chunk): number {
  return chunk.kind === "leaf" ? chunk.seqs.length : chunk.ids.length;
}

/** What leaves the context when its summary comes in. */
export function leaving(chunk: Chunk): { readonly items: number; readonly tokens: number } {
  const { replaces, tokens } = chunk;
  return replaces === undefined
    ? { items: sourcesIn(chunk), tokens }
    : { items: 1, tokens: replaces.tokenCount };
}

/** The seq or the summary by which its first item is found in the context. */
export function firstItem(chunk: Chunk): number | string | undefined {
  return chunk.replaces?.summary ?? (chunk.kind === "leaf" ? chunk.seqs[0] : chunk.ids[0]);
}
