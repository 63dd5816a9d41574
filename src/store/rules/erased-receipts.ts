/** A message that was erased, and when. */
export interface ErasedAt {
  readonly seq: number;
  readonly erasedAt: string;
}

/** A receipt from before an erasure may be a hash over erased content, so it is not loaded again. */
export function mayHoldErased(
  { firstSeq, at }: { readonly firstSeq: number; readonly at: string },
  erased: readonly ErasedAt[],
): boolean {
  return erased.some(({ seq, erasedAt }) => seq < firstSeq && at <= erasedAt);
}
