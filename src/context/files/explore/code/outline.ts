/** The parts of a code outline, from a parser or from lines. */
export interface Definition {
  /** Without a body and without literals. */
  readonly signature: string;
  /** From 1. */
  readonly line: number;
  readonly isPublic: boolean;
  /** The enclosing definitions, as `Api::V1`; empty if there are none. */
  readonly path: string;
  /** The number of enclosing definitions. */
  readonly depth: number;
  /** A parser read it without an error: its signature contains names and no other text. */
  readonly isParsed: boolean;
  /** Names of methods and similar members. */
  readonly members: readonly string[];
}

export interface Outline {
  readonly imports: readonly string[];
  /** The packages or namespaces that the code itself belongs to. */
  readonly packages: readonly string[];
  readonly definitions: readonly Definition[];
  /** Made from a syntax tree instead of lines. */
  readonly isParsed: boolean;
  /** Some of the text could not be parsed. */
  readonly hasErrors: boolean;
}
