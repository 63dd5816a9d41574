/** From where on tool results are shown whole, if the newest compaction has not set it: one rule for both engines. */
import type { StubQuery } from "../store.ts";

/** Tokens of a context. */
export interface CountedContext {
  readonly all: number;
  /** With every tool result as a stub. */
  readonly asStubs: number;
  /** Of the `freshItems` newest ones. */
  readonly newest: number;
  /** Of the newest alone. */
  readonly last: number;
}

/**
 * Tokens of the newest items that are shown whole. Counted from the oldest item, the border is at a multiple of the step: it
 * moves only after that many new tokens, so everything sent before stays the same until then. The newest item, which a model
 * is waiting for, is also whole if all others fit beside it as stubs.
 */
export function wholeTokens(
  { all, asStubs, newest, last }: CountedContext,
  { above, freshTokens, stepTokens, fullAt }: Omit<StubQuery, "freshItems">,
): number {
  const step = Math.max(1, all > fullAt ? stepTokens / 2 : stepTokens);
  const fresh = Math.min(newest, freshTokens);
  const stepped = all - Math.floor(Math.max(0, all - fresh) / step) * step;
  return asStubs + last <= above ? Math.max(stepped, last) : stepped;
}
