/**
 * Reranks search results: a model reads the question with each text and scores how well they match. It is optional
 * and does not throw: the caller gets a ranking, or the reason why there is none, and then keeps the order.
 */
export type Rerank = (
  query: string,
  documents: readonly string[],
  options: RerankOptions,
) => Promise<RerankOutcome>;

interface RerankOptions {
  /** Maximum documents of the ranking. */
  readonly topN: number;
  readonly signal?: AbortSignal | undefined;
}

export type RerankOutcome =
  | { readonly ok: true; readonly ranking: readonly RankedDocument[] }
  | { readonly ok: false; readonly reason: RerankFailure; readonly message: string };

/** Best first. */
export interface RankedDocument {
  /** The document's index in the request. */
  readonly index: number;
  /** From 0 to 1. */
  readonly score: number;
}

export type RerankFailure =
  /** The key was rejected or is missing: a person must act. */
  | "authentication"
  | "rate-limit"
  | "timeout"
  /** The response is not a ranking of the given documents. */
  | "invalid-answer"
  | "unavailable"
  | "cancelled";

/** A function of the host's. It may throw. */
export type HostRerank = (
  query: string,
  documents: readonly string[],
  options: RerankOptions,
) => Promise<readonly RankedDocument[]>;
