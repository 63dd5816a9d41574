/** The formats in which memories are imported, and what each of them cannot represent. */
export const EXCHANGE_FORMATS = [
  "palimpsest-jsonl",
  "palimpsest-markdown",
  "lancedb-pro",
  "mem0",
  "memory-markdown",
] as const;
export type ExchangeFormat = (typeof EXCHANGE_FORMATS)[number];

/** The file contains them, but a store takes only what it can verify. */
const OWN_LOSSES = [
  "embeddings (create them with lcm memory reembed)",
  "the history of each memory, which starts anew",
  "source messages, unless the conversation is also in this store",
];

/** What is always lost, for people to read. Losses of a single memory are listed in its `notTaken`. */
export const FORMAT_LOSSES: Readonly<Record<ExchangeFormat, readonly string[]>> = {
  "palimpsest-jsonl": OWN_LOSSES,
  "palimpsest-markdown": OWN_LOSSES,
  "lancedb-pro": [
    "rows beyond the newest 1,000 (10,000 in backups), which its export omits",
    "embeddings (create them with lcm memory reembed)",
    "sessions and messages that a memory came from",
    "history, admission records, bad recalls and suppression",
    "pending state and layer",
  ],
  mem0: [
    "graph relations",
    "embeddings (create them with lcm memory reembed)",
    "earlier versions of a memory, which its export omits",
    "hash, score, role, immutability and structured attributes",
    "metadata values that are long or nested, which are listed with each memory",
  ],
  "memory-markdown": [
    "code blocks outside lists, tables, comments and lines with only links; the report lists these lines",
    "front matter fields other than the date",
    "scopes (choose one with `scope`)",
    "times, unless the file name or front matter contains a date",
  ],
};
