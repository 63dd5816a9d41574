/** The forms in which memories come from elsewhere, and what each of them cannot carry. */
export const EXCHANGE_FORMATS = [
  "palimpsest-jsonl",
  "palimpsest-markdown",
  "lancedb-pro",
  "mem0",
  "memory-markdown",
] as const;
export type ExchangeFormat = (typeof EXCHANGE_FORMATS)[number];

/** The file has them; a store takes only what it can vouch for. */
const OWN_LOSSES = [
  "vectors and the word index, which are made again",
  "what was done to each, which begins anew",
  "where it was said, unless the conversation is in this store too",
];

/** What is always lost, in words for people. What is lost of one memory only stands in its `notTaken`. */
export const FORMAT_LOSSES: Readonly<Record<ExchangeFormat, readonly string[]>> = {
  "palimpsest-jsonl": OWN_LOSSES,
  "palimpsest-markdown": OWN_LOSSES,
  "lancedb-pro": [
    "rows beyond the newest 1,000, which its export leaves out (10,000 in its backups)",
    "vectors, which are made again",
    "sessions and messages that a memory came from",
    "its history and admission records, bad recalls and suppression",
    "whether a memory was pending, and its layer",
  ],
  mem0: [
    "relations of the graph",
    "vectors, which are made again",
    "earlier versions of a memory, which its export leaves out",
    "hash, score, role, immutability and structured attributes",
    "metadata that are not short values, which are named for each memory",
  ],
  "memory-markdown": [
    "blocks of code outside of lists, tables, comments and lines of links only, which are told by their lines",
    "fields of a file's head besides its date",
    "who may see it: the scope is the importer's choice",
    "times, unless the file's name or head has a date",
  ],
};
