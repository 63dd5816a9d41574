/** A stem that a question is searched by. */
export interface QuestionTerm {
  readonly stem: string;
  /** Inverse document frequency in the collection. */
  readonly weight: number;
}
