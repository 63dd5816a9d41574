import { z } from "zod";
import { expandInput } from "../../context/inputs.ts";
import {
  DEFAULT_EXPAND_TOKENS,
  type ExpandInput,
  type ExpandResult,
  requireSummary,
} from "../../context/retrieve/expand-summary.ts";
import { type Engine, internalsOf } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import type { StoredSummary } from "../../store/store.ts";
import { givenId } from "../../text/given.ts";
import { ALL_CONVERSATIONS, CONVERSATION_ID, renamed } from "../aliases.ts";
import { defineOperation } from "../operation.ts";
import { charactersWithin, cutMessage, wordsOf } from "./cut-message.ts";
import { renderForPeople } from "./expand-page.ts";
import { renderExpanded } from "./expand-text.ts";
import { conversationNames } from "./look-in.ts";
import { type MessageAnswer, messageSchema, toAnswer } from "./message-schema.ts";
import { type SummaryAnswer, summarySchema, toSummary } from "./summary-schema.ts";

export type ExpandArguments = z.infer<typeof inputSchema>;
const inputSchema = z.strictObject({
  summary: expandInput.shape.summary.exactOptional().describe("The summary: sum_ and 16 hex digits."),
  summaryIds: z
    .array(givenId)
    .min(1)
    .max(50)
    .exactOptional()
    .describe("Several summaries instead, opened in order within `maxTokens`."),
  query: z
    .string()
    .min(1)
    .exactOptional()
    .describe("Words to search summaries for, instead of ids. The three best matches are opened."),
  conversations: conversationNames.describe("For `query`: only these conversations. Default: all."),
  ...expandInput.omit({ summary: true }).shape,
});

const expansion = {
  conversation: z.string().describe("Id of the conversation."),
  summary: summarySchema.describe("The summary."),
  summaries: z
    .array(summarySchema)
    .describe(
      "Finer summaries, in the order of the messages they cover. Those before `from` were in earlier pages.",
    ),
  messages: z
    .array(messageSchema)
    .describe(
      "The exact messages. For a message listed in `cut`, `parts` are shortened and `original` is null.",
    ),
  next: z.int().nullable().describe("`from` for the next page; null on the last page."),
  cut: z
    .array(
      z.strictObject({
        id: z.string().describe("Id of the summary or message."),
        shown: z.int().describe("Number of characters returned. `read` continues at this offset."),
        length: z.int().describe("Characters of the whole item."),
      }),
    )
    .describe("Items that were cut because they exceed `maxTokens`."),
};
const expansionSchema = z.strictObject(expansion);
export type Expansion = z.infer<typeof expansionSchema>;

export type ExpandOutput = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  ...expansion,
  others: z.array(expansionSchema).describe("The same for the other summaries of `summaryIds`."),
  left: z.array(z.string()).describe("Ids of `summaryIds` that did not fit: request them again."),
});

export const expand = defineOperation({
  name: "expand",
  summary: "Expand a summary into the finer summaries below it and the exact messages it covers.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["summary"],
    flags: {
      summary: { isRequired: true },
      includeMessages: false,
      from: { value: "seq" },
      maxTokens: { value: "tokens" },
      ...{ summaryIds: false, query: false, conversations: false },
    },
    also: {
      "no-messages": { description: "Show only summaries, no messages.", sets: { includeMessages: false } },
    },
    paged: true,
    text: renderForPeople,
  },
  tool: {
    name: "lcm_expand",
    isDelegated: true,
    description: [
      "Open summaries: their sources, down to the exact messages, as much as fits into maxTokens. The answer says how to read the rest.",
      "levels 1 with includeMessages false gives an overview of a large summary; lcm_describe shows sizes before you open anything.",
    ].join(" "),
    defaults: { maxTokens: 4_000 },
    aliases: {
      maxDepth: renamed("levels"),
      tokenCap: renamed("maxTokens"),
      conversationId: CONVERSATION_ID,
      allConversations: ALL_CONVERSATIONS,
    },
    text: renderExpanded,
  },
  run: async (engine, { summary, summaryIds, query, conversations, ...input }, { signal }) => {
    const named = [...(summary === undefined ? [] : [summary]), ...(summaryIds ?? [])];
    if (query !== undefined) refuseBesideQuery({ summary, summaryIds });
    const search = { query, conversations, signal };
    const [first, ...others] = firstOf(named.length > 0 ? named : await findSummaries(engine, search));
    // Also checks summaries that may not fit.
    for (const other of others) await requireSummary(internalsOf(engine).conversations, other);
    const opened = await engine.context.expand({ ...input, summary: first });
    return { ...toExpansion(opened), ...(await expandOthers(engine, others, opened, input)) };
  },
});

/** Summaries and a search query cannot be combined. */
function refuseBesideQuery(named: object): void {
  const [given] = Object.entries(named).find(([, value]) => value !== undefined) ?? [];
  if (given === undefined) return;
  throw new PalimpsestError("invalid-input", `query and ${given} cannot be used together`, {
    advice: `Use one of them: query finds summaries by words, ${given} by id.`,
  });
}

/** Maximum summaries that a search opens. */
const MOST_FOUND = 3;

async function findSummaries(
  engine: Engine,
  search: {
    readonly query: string | undefined;
    readonly conversations: readonly string[] | undefined;
    readonly signal: AbortSignal | undefined;
  },
): Promise<readonly string[]> {
  const { query: pattern, conversations, signal } = search;
  if (pattern === undefined) return [];
  const { hits } = await engine.context.grep({
    ...{ pattern, kinds: ["summary"], limit: MOST_FOUND },
    ...(conversations === undefined ? {} : { conversations }),
    signal,
  });
  if (hits.length > 0) return hits.map(({ id }) => id);
  throw new PalimpsestError("not-found", `no summary matches ${JSON.stringify(pattern)}`, {
    advice: "Try other words, or search the messages themselves with: lcm grep <words>",
  });
}

function firstOf(ids: readonly string[]): [string, ...string[]] {
  const [first, ...others] = new Set(ids);
  if (first !== undefined) return [first, ...others];
  throw new PalimpsestError("invalid-input", "expand needs a summary", {
    advice:
      "A summary id looks like sum_0123456789abcdef. Find summaries with: lcm grep <words>, or list them with: lcm tree <conversation>",
  });
}

/** Expands further summaries while tokens are left. Each is expanded from its beginning within the remaining tokens. */
async function expandOthers(
  engine: Engine,
  ids: readonly string[],
  first: ExpandResult,
  { from: _, maxTokens = DEFAULT_EXPAND_TOKENS, ...input }: Omit<ExpandInput, "summary">,
): Promise<Pick<ExpandOutput, "others" | "left">> {
  const others: Expansion[] = [];
  let [before, room] = [first, maxTokens - first.tokens];
  for (const [index, summary] of ids.entries()) {
    if (before.next !== null || room <= 0) return { others, left: ids.slice(index) };
    before = await engine.context.expand({ ...input, summary, maxTokens: room });
    room -= before.tokens;
    others.push(toExpansion(before));
  }
  return { others, left: [] };
}

function toExpansion(result: ExpandResult): Expansion {
  const { summary, summaries, messages, next } = result;
  const cut = cutsIn(result);
  const shown = new Map(cut.map((one) => [one.id, one.shown]));
  const toCutSummary = (one: StoredSummary) => cutSummary(toSummary(one), shown.get(one.id));
  return {
    conversation: summary.conversation,
    summary: toCutSummary(summary),
    summaries: summaries.map(toCutSummary),
    messages: messages.map((one) => shortened(toAnswer(one), shown.get(one.id))),
    next,
    cut,
  };
}

function cutSummary(summary: SummaryAnswer, characters: number | undefined): SummaryAnswer {
  if (characters === undefined) return summary;
  return { ...summary, text: summary.text?.slice(0, characters) ?? null };
}

function shortened(message: MessageAnswer, characters: number | undefined): MessageAnswer {
  return characters === undefined ? message : cutMessage(message, characters);
}

/** Cuts in characters, from which reading continues. */
function cutsIn({ summary, summaries, messages, cut }: ExpandResult): Expansion["cut"] {
  const words = new Map<string, string>([
    ...[summary, ...summaries].map(({ id, content }) => [id, content ?? ""] as const),
    ...messages.map(({ id, parts }) => [id, wordsOf(parts)] as const),
  ]);
  return cut
    .map(({ id, tokens }) => {
      const text = words.get(id) ?? "";
      return { id, shown: charactersWithin(text, tokens), length: text.length };
    })
    .filter(({ shown, length }) => shown < length);
}
