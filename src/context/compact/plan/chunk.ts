/** The sources of one summary: adjacent messages or summaries, or a summary that is remade. */

/** A summary in the place of the sources, which the new one replaces. */
export interface Standing {
  readonly summary: string;
  readonly tokenCount: number;
}

interface Sources {
  /** Tokens of the sources. */
  readonly tokens: number;
  readonly replaces?: Standing;
}

export interface LeafChunk extends Sources {
  readonly kind: "leaf";
  readonly seqs: readonly number[];
  /** Too short to be summarised: no model is called. */
  readonly isShort: boolean;
  /** Its summary allows its neighbours to be condensed with it, and need not be shorter than the sources. */
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

/** What the summary replaces in the context. */
export function leaving(chunk: Chunk): { readonly items: number; readonly tokens: number } {
  const { replaces, tokens } = chunk;
  return replaces === undefined
    ? { items: sourcesIn(chunk), tokens }
    : { items: 1, tokens: replaces.tokenCount };
}

/** The seq or summary id of its first item in the context. */
export function firstItem(chunk: Chunk): number | string | undefined {
  return chunk.replaces?.summary ?? (chunk.kind === "leaf" ? chunk.seqs[0] : chunk.ids[0]);
}
