/** The input and output of an exploration, and the contract of each kind of file. */

export interface ExploreInput {
  readonly name: string | null;
  readonly mime: string | null;
  readonly bytes: number;
  /** The content from its beginning. May be called more than once. */
  open(): AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}

export const KINDS = [
  "json",
  "jsonl",
  "csv",
  "yaml",
  "xml",
  "log",
  "code",
  "markdown",
  "text",
  "notebook",
  "diff",
  "binary",
  "empty",
] as const;
export type Kind = (typeof KINDS)[number];

export interface Exploration {
  readonly kind: Kind;
  /** The kind of file in one line; the first line of the text. */
  readonly title: string;
  /** Plain text of at most 400 tokens, the same for the same content. */
  readonly text: string;
  readonly tokens: number;
  /** The whole file was read. */
  readonly complete: boolean;
}

/** Facts of one kind, the most informative first. As many are shown as fit. */
export interface Section {
  /** `Columns (11):`; the heading of the list, with its size. */
  readonly lead: string;
  readonly items: readonly string[];
  /** The total, if more were counted than are listed. */
  readonly total?: number;
  /** The items are a selection: left-out items are not counted. */
  readonly isChoice?: boolean;
  /** The order of display, if it differs from the order of importance. */
  readonly positions?: readonly number[];
  /** Each on its own line, lines with their own indentation, or in one line. */
  readonly layout: "lines" | "outline" | "inline";
  /** Share of the room that this section may fill before the others. */
  readonly share: number;
}

export interface Findings {
  readonly kind: Kind;
  /** `CSV with a header`: what kind of file it is. */
  readonly label: string;
  /** Further facts for the first line, such as `34,032 rows`. */
  readonly facts: readonly string[];
  readonly sections: readonly Section[];
}

/** Reads a file of one kind as text, piece by piece. */
export interface Reading {
  write(text: string): void;
  /** Set when reading further would add nothing. */
  readonly isDone: boolean;
  finish(): Findings | Promise<Findings>;
}

/** The facts known before the first piece is read. */
export interface Beginning {
  readonly name: string | null;
  readonly mime: string | null;
  readonly bytes: number;
  /** The first characters of the content. */
  readonly head: string;
  /** The head is the whole content. */
  readonly isWhole: boolean;
}
