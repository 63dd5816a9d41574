/** What an outline of code is made of, whoever made it. */
export interface Definition {
  /** Without a body, and without the texts and numbers in it. */
  readonly signature: string;
  /** From 1. */
  readonly line: number;
  readonly isPublic: boolean;
  /** The definitions that it stands in, as `Api::V1`; empty where there are none. */
  readonly path: string;
  /** How many those are. */
  readonly depth: number;
  /** A parser read it without an error: what its signature holds is names, and no text. */
  readonly isParsed: boolean;
  /** Names of methods and the like. */
  readonly members: readonly string[];
}

export interface Outline {
  readonly imports: readonly string[];
  /** The packages or namespaces that the code itself belongs to. */
  readonly packages: readonly string[];
  readonly definitions: readonly Definition[];
  /** Made from a syntax tree, and not from lines. */
  readonly isParsed: boolean;
  /** Some of the text could not be parsed. */
  readonly hasErrors: boolean;
}
