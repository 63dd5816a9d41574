/**
 * Everything that the engine has to know about one type of part. Each type has a file in this folder; `index.ts` lists
 * them, and the compiler demands that the list is complete. Reading, searching, summarising and sending ask the
 * definition and have no list of types of their own; only the page has one, in `web/src/message-view.tsx`.
 */
import { hideCredentials } from "../../text/credentials/hide-credentials.ts";
import type { Part } from "../../types.ts";
import type { Block } from "../block.ts";

/** Words of a part with a label that says what they are. */
export interface LabelledText {
  /** What the words are, then the names that belong to them; null for plain words. */
  readonly label: readonly (string | null)[] | null;
  /** Null where the label says everything. */
  readonly text: string | null;
}

/** A text as far as the limit for its kind allows. */
type ShowText = (text: string, kind: "text" | "reasoning" | "output") => string;

/** Declared as methods, so that `definitionOf` can give the definition of any part as one of every part. */
export interface PartDefinition<Of extends Part> {
  /** Reads a block of this type as Palimpsest itself writes it, or throws a `Misfit`. */
  read(block: Block): readonly Part[];
  /** What a person or a search would look for. */
  searchable(part: Of): readonly (string | null)[];
  /** The texts whose tokens count. */
  seenByModel(part: Of): readonly (string | null)[];
  /** The words that retrieval and the command line show, exactly as they were said. */
  texts(part: Of): readonly LabelledText[];
  /** The part with only the first `room` characters of these words. */
  cut(part: Of, room: number): Part;
  /** What the model that writes a summary reads of it. Empty where there is nothing to summarise. */
  inSource(part: Of, show: ShowText): string;
  /** The text whose sentences the offline summariser may quote. */
  quotable(part: Of): string;
  /** The part without its credentials, for a summary that repeats its words: nobody asked for them there, and they stay in the context. */
  withoutCredentials(part: Of): Part;
  /** What a provider is sent, because no provider has such a part. Empty where a model should read nothing. */
  inWords(part: Of): string;
}

/** For a part that is a mark without words: nothing to find, count, cut, summarise or send. */
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

/** For a part that is its `text`. */
export const IS_TEXT = {
  searchable: ({ text }) => [text],
  seenByModel: ({ text }) => [text],
  cut: (part, room) => ({ ...part, text: part.text.slice(0, room) }),
  inSource: ({ text }, show) => show(text, "text"),
  quotable: ({ text }) => text,
  withoutCredentials: (part) => ({ ...part, text: hideCredentials(part.text) }),
  inWords: ({ text }) => text,
} satisfies Partial<PartDefinition<TextualPart>>;
