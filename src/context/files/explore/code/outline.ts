/** What an outline of code is made of, whoever made it. */
export interface Definition {
  /** Without a body, and without the texts and numbers in it. */
  readonly signature: string;
  /** From 1. */
  readonly line: number;
  readonly isPublic: boolean;
  /** Names of methods and the like. */
  readonly members: readonly string[];
}

export interface Outline {
  readonly imports: readonly string[];
  readonly definitions: readonly Definition[];
  /** Some of the text could not be parsed. */
  readonly hasErrors: boolean;
}
