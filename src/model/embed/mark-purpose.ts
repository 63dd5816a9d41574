/** Families of models that were trained to be told in words whether a text is looked for or looked through. */
import type { EmbedPurpose } from "./embedder.ts";

type Marks = Readonly<Record<EmbedPurpose, string>>;

const SENTENCE_FOR_SEARCH: Marks = {
  query: "Represent this sentence for searching relevant passages: ",
  passage: "",
};

/** By what stands in the model's name. */
const FAMILIES: readonly (readonly [RegExp, Marks])[] = [
  [/nomic-embed/i, { query: "search_query: ", passage: "search_document: " }],
  [/(^|[/_-])e5-(small|base|large)(?!.*instruct)/i, { query: "query: ", passage: "passage: " }],
  [/mxbai-embed-large|snowflake-arctic-embed/i, SENTENCE_FOR_SEARCH],
  [/bge-(small|base|large)-en/i, SENTENCE_FOR_SEARCH],
];

export function markPurpose(text: string, model: string, purpose: EmbedPurpose): string {
  const marks = FAMILIES.find(([pattern]) => pattern.test(model))?.[1];
  return marks === undefined ? text : marks[purpose] + text;
}
