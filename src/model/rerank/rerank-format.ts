/** How a service wants to be asked for a ranking, and how it answers. Pure: no request is made here. */
export interface RerankFormat {
  /** Most documents of one request. */
  readonly mostDocuments: number;
  /** Whether scores are logits, which a sigmoid brings between 0 and 1. */
  readonly givesLogits: boolean;
  headers(apiKey: string): Readonly<Record<string, string>>;
  body(asked: RerankQuestion): object;
  /** The list of what was ranked; anything when the answer is none. */
  results(answer: unknown): unknown;
  /** Where in one of the results its score stands. */
  readonly scoreField: string;
}

interface RerankQuestion {
  /** Null where the service runs one model only. */
  readonly model: string | null;
  readonly query: string;
  readonly documents: readonly string[];
  readonly topN: number;
}

export const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });
