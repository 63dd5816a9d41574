/** What comes in, what comes out, and what each kind of file contributes between them. */

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
  /** What the file is, in one line; the first of the text. */
  readonly title: string;
  /** Plain text of at most 400 tokens, the same for the same content. */
  readonly text: string;
  readonly tokens: number;
  /** The whole file was read. */
  readonly complete: boolean;
}

/** Facts of one sort, the most telling first. As many are shown as there is room for. */
export interface Section {
  /** `Columns (11):`; what is listed, and how many there are. */
  readonly lead: string;
  readonly items: readonly string[];
  /** How many there are, where more were counted than are listed. */
  readonly total?: number;
  /** They are a choice: what is left out of it is not counted. */
  readonly isChoice?: boolean;
  /** Where each stands among those shown, when that is not the order of their worth. */
  readonly positions?: readonly number[];
  /** Each on a line of its own, lines that indent themselves, or one after the other. */
  readonly layout: "lines" | "outline" | "inline";
  /** Share of the room that this section may fill before others had their turn. */
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
  /** Set when reading on would tell nothing more. */
  readonly isDone: boolean;
  finish(): Findings | Promise<Findings>;
}

/** What is known before the first piece is read. */
export interface Beginning {
  readonly name: string | null;
  readonly mime: string | null;
  readonly bytes: number;
  /** The first characters of the content. */
  readonly head: string;
  /** The head is the whole content. */
  readonly isWhole: boolean;
}
