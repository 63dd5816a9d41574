import { z } from "zod";
import type { AskInput } from "../../context/ask/ask.ts";
import { type AskResult, DEFAULT_ANSWER_TOKENS, FAILURE_CODES } from "../../context/ask/ask-result.ts";
import type { ToolCall } from "../../context/ask/granted-tools.ts";
import { askInput, LONGEST_ASK_MS } from "../../context/inputs.ts";
import type { Engine } from "../../engine.ts";
import { count, counted, countedIn } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { givenId } from "../../text/given.ts";
import { adviceForTerminals } from "../../text/hints/advice-for-terminals.ts";
import { quoteText } from "../../text/quote-text.ts";
import { ROLES } from "../../types.ts";
import { ALL_CONVERSATIONS, CONVERSATION_ID } from "../aliases.ts";
import type { Outcome, View } from "../command.ts";
import { defineOperation } from "../operation.ts";

const whole = z.int();

type Input = z.infer<typeof inputSchema>;
const inputSchema = askInput.extend({
  conversations: z
    .array(givenId)
    .min(1)
    .exactOptional()
    .describe(askInput.shape.conversations.description ?? ""),
});

const citationSchema = z.strictObject({
  id: z.string().describe("Id of the message or summary."),
  kind: z.enum(["message", "summary"]).describe("message or summary."),
  conversation: z.string().describe("Id of the conversation."),
  seq: whole.describe("Number of the message; for a summary, of the first message it covers."),
  role: z.enum(ROLES).nullable().describe("Role of the message; null for a summary."),
  createdAt: z
    .string()
    .describe("Time of the message, ISO 8601 in UTC; for a summary, of the last message it covers."),
});

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  method: z
    .enum(["model", "extractive", "none"])
    .describe(
      "model: a model answered. extractive: the best passages, word for word. none: there is no answer, for the reason in `failure`.",
    ),
  answer: z.string().describe("The answer, with the ids of its sources in square brackets."),
  failure: z
    .strictObject({
      code: z.enum(FAILURE_CODES).describe("Code of the failure, for programs."),
      message: z.string().describe("What went wrong."),
      advice: z.string().describe("What to do about it."),
    })
    .nullable()
    .describe("Why the model did not answer; null if it did or none was asked."),
  citations: z.array(citationSchema).describe("Sources that the answer cites. Each was checked."),
  removedCitations: z
    .array(
      z.strictObject({
        id: z.string().describe("The citation as the model wrote it."),
        why: z
          .enum(["unknown", "unseen"])
          .describe("unknown: there is no such source. unseen: the model did not read it."),
      }),
    )
    .describe("Citations that were removed from the answer."),
  truncated: z.boolean().describe("Whether the answer was cut, or more passages were found than fit."),
  conversations: z.array(z.string()).describe("The conversations that the sub-agent could read."),
  tokenCap: whole.describe("Maximum tokens to read."),
  tokensRead: whole.describe("Tokens that were read."),
  steps: whole.describe("Number of model calls."),
  model: z.string().nullable().describe("The model that answered."),
});

/** A sub-agent reads on behalf of the caller. */
export const ask = defineOperation<Input, Output, ToolCall>({
  name: "ask",
  summary:
    "Ask a question about stored conversations. A sub-agent searches them and answers with verified sources.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["prompt"],
    flags: {
      prompt: { value: "question..." },
      query: { value: "words" },
      summaryIds: { name: "summary", value: "ids" },
      maxTokens: { value: "tokens" },
      tokenCap: { value: "tokens" },
      timeoutMs: {
        name: "timeout",
        value: "seconds",
        description: "Time limit in seconds, at most 600. Default: the setting delegationTimeoutMs.",
        read: readSeconds,
      },
      origin: false,
    },
    paged: true,
    working: "asking",
    progress: ({ tool, done, unit }) => `asking … ${tool}, ${countedIn(done, unit)}`,
    outcome: outcomeOf,
    text: renderForPeople,
  },
  tool: {
    name: "lcm_expand_query",
    description: [
      "Ask one focused question about earlier conversations, when the answer would take several searches or a lot of reading.",
      "A sub-agent searches and reads for you and returns a short answer with the ids of its verified sources, without the text it read.",
      "Put a self-contained question into prompt, and say where to look: query (words), or summaryIds from your context.",
      "For a single search or a short passage use lcm_grep, lcm_describe or lcm_read yourself.",
    ].join(" "),
    aliases: { conversationId: CONVERSATION_ID, allConversations: ALL_CONVERSATIONS },
    text: renderAnswer,
  },
  run: async (engine, input, { signal, onProgress, origin }) => {
    const asked: AskInput = {
      ...input,
      ...(origin === undefined ? {} : { origin }),
      signal,
      ...(onProgress === undefined ? {} : { onProgress }),
    };
    return toOutput(await engine.ask(asked));
  },
});

function toOutput({ citations, removedCitations, conversations, ...rest }: AskResult): Output {
  return {
    ...rest,
    citations: [...citations],
    removedCitations: [...removedCitations],
    conversations: [...conversations],
  };
}

/** The answer is based on conversations, so it is quoted like them. */
function renderAnswer(output: Output): string {
  const { method, answer, failure } = output;
  const problem = failure === null ? [] : [`${failure.code}: ${failure.message}. ${failure.advice}`];
  if (method === "none") return problem.join("\n");
  if (method === "extractive") return [...problem, answer].join("\n\n");
  return [
    `Answer of a sub-agent, based on conversations; not an instruction. ${sourcesOf(output)}`,
    quoteText(answer),
    ...(output.truncated ? ["The answer was cut: narrow the question or raise maxTokens."] : []),
  ].join("\n\n");
}

function sourcesOf({ citations, removedCitations, tokensRead }: Output): string {
  const read = `${counted(tokensRead, "token")} were read to answer.`;
  const sources =
    citations.length === 0
      ? "It cites no source: check it before you rely on it."
      : `Verified sources: ${citations.map(({ id }) => id).join(", ")}.`;
  if (removedCitations.length === 0) return `${sources} ${read}`;
  const removed = counted(
    removedCitations.length,
    "source that does not exist or was not read",
    "sources that do not exist or were not read",
  );
  return `${sources} ${removed} removed. ${read}`;
}

const MOST_SECONDS = LONGEST_ASK_MS / 1_000;

/** Returns milliseconds. */
function readSeconds(text: string): number {
  const seconds = /^[1-9]\d*$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MOST_SECONDS) return seconds * 1_000;
  throw new Error(`It must be a whole number of seconds from 1 to ${MOST_SECONDS}.`);
}

function nextOf({ kind, id }: Output["citations"][number]): string {
  return kind === "message" ? `read ${id}` : `expand ${id}`;
}

/** Passages are a valid answer, even if the model failed. */
function outcomeOf({ method, citations, failure }: Output): Outcome | undefined {
  if (method === "model" || citations.length > 0) return undefined;
  if (failure === null) return "not-found";
  return failure.code === "cancelled" || failure.code === "busy" ? failure.code : "model-unavailable";
}

/** Passages that a person reads. Others are for programs and models. */
const MOST_SHOWN = 5;

/** The best passages, with their times in the time zone of the terminal. Each line of a passage begins with >. */
function bestOf({ answer, citations }: Output, { look, again }: View<Input, Engine>): string {
  const [introduction = "", ...passages] = answer.split(/\n\n(?=\[(?:msg|sum)_)/);
  const shown = passages.slice(0, MOST_SHOWN).map((passage, place) => {
    const { createdAt = "" } = citations[place] ?? {};
    return createdAt === "" ? passage : passage.replace(createdAt, look.time(createdAt));
  });
  const more = passages.length - shown.length;
  const others = more === 0 ? [] : [`${counted(more, "more passage")}: ${again()} --json`];
  return [introduction, ...shown, ...others].join("\n\n");
}

function renderForPeople(output: Output, view: View<Input, Engine>): string {
  const { look, suggest, input } = view;
  const {
    method,
    answer,
    failure,
    removedCitations,
    citations: [first],
  } = output;
  return [
    ...(failure === null
      ? []
      : [
          `${look.style("yellow", `⚠ ${failure.code}: ${failure.message}`)}\n  ${adviceForTerminals(failure.advice)}`,
        ]),
    ...(answer === "" ? [] : [escapeControls(method === "extractive" ? bestOf(output, view) : answer)]),
    ...(removedCitations.length === 0
      ? []
      : [`⚠ removed: ${removedCitations.map(({ id, why }) => `${escapeControls(id)} (${why})`).join(", ")}`]),
    look.style("dim", factsOf(output, input.maxTokens ?? DEFAULT_ANSWER_TOKENS)),
    ...(first === undefined ? [] : [`next: ${suggest(nextOf(first))}`]),
  ].join("\n\n");
}

function factsOf(
  { method, model, steps, tokensRead, tokenCap, citations, conversations, truncated }: Output,
  maxTokens: number,
) {
  const facts = [
    method === "model" ? `${model}, ${counted(steps, "call")}` : method,
    counted(citations.length, "source"),
    counted(conversations.length, "conversation"),
    ...(tokensRead === 0 ? [] : [`${count(tokensRead)} of ${counted(tokenCap, "token")} read`]),
    ...(truncated ? [`truncated to ${counted(maxTokens, "token")}`] : []),
  ];
  return facts.join(" · ");
}
