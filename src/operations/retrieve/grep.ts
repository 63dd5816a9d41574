import { z } from "zod";
import { grepInput, MODES_TOLD, PLAIN_MODES } from "../../context/inputs.ts";
import type { GrepHit, GrepInput } from "../../context/retrieve/grep-messages.ts";
import type { Engine } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { ALL_CONVERSATIONS, CONVERSATION_ID } from "../aliases.ts";
import { fileHits, filesApart, NO_FILE_HITS, searchInFiles } from "../files/grep-files.ts";
import { defineOperation, type Steps, type Use } from "../operation.ts";
import { renderHits as renderHitsForPeople } from "./grep-page.ts";
import { renderHits } from "./grep-text.ts";
import { conversationNames, foundIn, LOOK_IN_FLAGS, nearTools, titleAdder } from "./look-in.ts";
import { snippetSchema } from "./snippet-schema.ts";

const whole = z.int();

/** With names that agents know. */
export const GREP_SCOPES = ["both", "messages", "summaries", "files"] as const;
const KINDS_OF = { both: ["message", "summary"], messages: ["message"], summaries: ["summary"] } as const;

const inputSchema = z.strictObject({
  ...grepInput.omit({ snippetLength: true }).shape,
  conversations: conversationNames,
  scope: z
    .enum(GREP_SCOPES)
    .exactOptional()
    .describe(
      "both (default): messages and summaries. messages, summaries: only these. files: line by line inside attached files and long tool results of any size.",
    ),
});

export type GrepArguments = z.infer<typeof inputSchema>;

const hitSchema = z.strictObject({
  ...foundIn,
  snippet: snippetSchema,
  matches: whole.describe("Number of matches in it, counted up to 1,000."),
  score: z.number().nullable().describe("Score of a ranked hit: BM25, or in mode hybrid between 0 and 1."),
});

export type FoundHit = z.infer<typeof hitSchema>;
export type GrepOutput = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  hits: z.array(hitSchema).describe("The hits, in order."),
  next: z.string().nullable().describe("`cursor` for the next page; null on the last page."),
  total: whole.nullable().describe("Total number of hits; null if it is only known on the last page."),
  searched: whole.describe("Number of messages and summaries that were searched."),
  opened: whole.describe("Number of these whose text had to be read."),
  nearTools,
  meaning: z
    .strictObject({
      model: z.string().describe("The embedding model."),
      notEmbedded: whole.describe("Messages without an embedding, which were searched by words only."),
      problem: z.string().nullable().describe("Why the semantic search was skipped; null if it was not."),
    })
    .nullable()
    .describe("In mode hybrid: coverage of the semantic search."),
  ...fileHits,
});

/** The input without semantic search: unusable modes are not offered. */
function wordsOnly(input: z.ZodType<object>): z.ZodType<object> {
  const mode = z.enum(PLAIN_MODES).exactOptional().describe(MODES_TOLD);
  return input instanceof z.ZodObject ? input.extend({ mode }) : input;
}

/** Flags that decide how much of the answer a person sees. */
export const grepView = z.strictObject({
  all: z.boolean().exactOptional().describe("Show every hit, not only the first page."),
  listConversations: z
    .boolean()
    .exactOptional()
    .describe("List only the conversations with hits, and how many hits each has."),
  count: z.boolean().exactOptional().describe("Print only the number of hits."),
});

const HYBRID_ADVICE =
  "mode hybrid also searches semantically: use it for a question rather than for a name or an error message.";

export const grep = defineOperation<GrepArguments, GrepOutput, FoundHit | Steps>({
  name: "grep",
  summary:
    "Search messages and summaries by words (best match first) or by pattern (every match), or search inside files.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["pattern"],
    flags: {
      ...LOOK_IN_FLAGS,
      ignoreCase: { letter: "i" },
      sort: { value: "order" },
      contextLines: { name: "context", letter: "C", value: "lines" },
      maxTokens: { value: "tokens" },
      listConversations: { letter: "l" },
      count: { letter: "c" },
    },
    view: grepView,
    also: {
      regex: {
        letter: "e",
        description: "The pattern is a regular expression: every match, newest first.",
        sets: { mode: "regex" },
      },
      exact: {
        letter: "F",
        description: "The pattern is literal text: every match, newest first.",
        sets: { mode: "exact" },
      },
    },
    examples: [
      ['lcm grep "which port"', "any of the words, best match first"],
      ["lcm grep --regex 'ECONN\\w+' -C 2", "every match of a pattern"],
      ["lcm grep -l --exact 'TODO:'", "conversations and hit counts"],
      ['lcm grep --mode hybrid "how do we ship it"', "by words and semantically"],
      ["lcm grep --scope files --exact 'Traceback'", "lines inside files of any size"],
    ],
    paged: true,
    working: "searching",
    outcome: ({ hits, fileHits }) => (hits.length + fileHits.length === 0 ? "not-found" : undefined),
    text: renderHitsForPeople,
  },
  tool: {
    name: "lcm_grep",
    isDelegated: true,
    description: [
      "Search all of this agent's conversations, including what is no longer in your context: messages, summaries, tool names, arguments and results.",
      "mode full_text ranks by the words of a question; regex and exact find every occurrence, newest first.",
      "Each hit has an id: lcm_read returns the exact text of a message; lcm_describe and lcm_expand open a summary.",
      "scope files searches lines inside attached files and long tool results; lcm_describe reads around a hit.",
    ].join(" "),
    defaults: { maxTokens: 10_000 },
    aliases: { conversationId: CONVERSATION_ID, allConversations: ALL_CONVERSATIONS },
    text: renderHits,
    shownTo: ({ searchesByMeaning }, shown) =>
      searchesByMeaning
        ? { ...shown, description: `${shown.description} ${HYBRID_ADVICE}` }
        : { ...shown, input: wordsOnly(shown.input) },
  },
  run: (engine, input, use) =>
    input.scope === "files"
      ? searchInFiles(engine, input, use.signal)
      : searchWhatWasSaid(engine, input, use),
});

async function searchWhatWasSaid(
  engine: Engine,
  { scope, ...input }: GrepArguments,
  { signal, onProgress }: Use<FoundHit | Steps>,
): Promise<GrepOutput> {
  const withTitle = titleAdder(engine);
  let told = Promise.resolve();
  const onHit = (hit: GrepHit) => {
    told = told.then(async () => onProgress?.(await withTitle(hit)));
  };
  const asked: GrepInput = {
    ...input,
    ...kindsOf(scope, input.kinds),
    signal,
    ...(onProgress === undefined
      ? {}
      : { onHit, onOpened: (done) => onProgress({ done, unit: "messages" }) }),
  };
  const { hits, ...rest } = await engine.context.grep(asked);
  const isNothing = hits.length === 0 && input.cursor === undefined && scope !== "summaries";
  // With `project`, for example, files cannot be searched.
  const apart =
    isNothing && input.project === undefined ? await filesApart(engine, input.conversations) : null;
  await told;
  return { ...NO_FILE_HITS, hits: await Promise.all(hits.map(withTitle)), ...rest, filesApart: apart };
}

/** `scope` and `kinds` are two forms of the same filter. */
function kindsOf(scope: GrepArguments["scope"], kinds: GrepInput["kinds"]) {
  if (scope === undefined || scope === "files") return {};
  if (kinds === undefined) return { kinds: KINDS_OF[scope] };
  throw new PalimpsestError("invalid-input", "scope and kinds cannot be used together", {
    advice: "Use one of them.",
  });
}
