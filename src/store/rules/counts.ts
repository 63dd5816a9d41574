/** How large a context is: its items and their tokens, as the conversation's row keeps them. */
export interface Counts {
  readonly items: number;
  readonly tokens: number;
  /** The same with every tool result as a stub. */
  readonly stubTokens: number;
}

export const NO_COUNTS: Counts = { items: 0, tokens: 0, stubTokens: 0 };

export function countItems(
  items: readonly { readonly tokenCount: number; readonly stubTokenCount: number | null }[],
): Counts {
  return {
    items: items.length,
    tokens: items.reduce((sum, item) => sum + item.tokenCount, 0),
    stubTokens: items.reduce((sum, item) => sum + (item.stubTokenCount ?? item.tokenCount), 0),
  };
}

export function add(a: Counts, b: Counts): Counts {
  return {
    items: a.items + b.items,
    tokens: a.tokens + b.tokens,
    stubTokens: a.stubTokens + b.stubTokens,
  };
}

export function subtract(a: Counts, b: Counts): Counts {
  return {
    items: a.items - b.items,
    tokens: a.tokens - b.tokens,
    stubTokens: a.stubTokens - b.stubTokens,
  };
}
