/**
 * Everything that the engine needs to know about one type of part. Each type has a file in this folder; `index.ts` lists
 * them, and the compiler checks that the list is complete. Reading, searching, summarising and sending use the
 * definition and have no type lists of their own; only the web page has one, in `web/src/message-view.tsx`.
 */
import { hideCredentials } from "../../text/credentials/hide-credentials.ts";
import type { Part } from "../../types.ts";
import type { Block } from "../block.ts";

/** Text of a part with a label that describes it. */
export interface LabelledText {
  /** The kind of text, then the names that belong to it; null for plain text. */
  readonly label: readonly (string | null)[] | null;
  /** Null if the label says everything. */
  readonly text: string | null;
}

/** Cuts a text to the limit of its kind. */
type ShowText = (text: string, kind: "text" | "reasoning" | "output") => string;

/** Declared as methods, so that `definitionOf` can return the definition of any part as one for every part. */
export interface PartDefinition<Of extends Part> {
  /** Reads a block of this type in Palimpsest's own form, or throws a `Misfit`. */
  read(block: Block): readonly Part[];
  /** Text that a person or a search may look for. */
  searchable(part: Of): readonly (string | null)[];
  /** The texts whose tokens count. */
  seenByModel(part: Of): readonly (string | null)[];
  /** The exact text that retrieval and the command line show. */
  texts(part: Of): readonly LabelledText[];
  /** The part with only the first `room` characters of this text. */
  cut(part: Of, room: number): Part;
  /** The text for the model that writes a summary. Empty if there is nothing to summarise. */
  inSource(part: Of, show: ShowText): string;
  /** The text whose sentences the offline summariser may quote. */
  quotable(part: Of): string;
  /** The part without its credentials, for a summary that repeats its text: the summary stays in the context without a request for it. */
  withoutCredentials(part: Of): Part;
  /** The text sent to a provider that has no such part. Empty if the model should read nothing. */
  inWords(part: Of): string;
}

/** For a part without text: nothing to find, count, cut, summarise or send. */
export const NO_WORDS = {
  searchable: () => [],
  seenByModel: () => [],
  cut: <Of extends Part>(part: Of) => part,
  inSource: () => "",
  quotable: () => "",
  inWords: () => "",
} satisfies Partial<PartDefinition<Part>>;

export function hideInText(text: string | null): string | null {
  return text === null ? null : hideCredentials(text);
}

type TextualPart = Extract<Part, { text: string }>;

/** For a part whose only text is `text`. */
export const IS_TEXT = {
  searchable: ({ text }) => [text],
  seenByModel: ({ text }) => [text],
  cut: (part, room) => ({ ...part, text: part.text.slice(0, room) }),
  inSource: ({ text }, show) => show(text, "text"),
  quotable: ({ text }) => text,
  withoutCredentials: (part) => ({ ...part, text: hideCredentials(part.text) }),
  inWords: ({ text }) => text,
} satisfies Partial<PartDefinition<TextualPart>>;
