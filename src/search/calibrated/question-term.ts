/** A stem of the question that the search uses. */
export interface QuestionTerm {
  readonly stem: string;
  /** Inverse document frequency in the collection. */
  readonly weight: number;
}
