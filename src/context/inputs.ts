/**
 * The input schemas, shared by the library and every face: unknown and invalid input is rejected by name,
 * before anything happens. Signals and callbacks are not data; they are added to each call in `require-input.ts`.
 */
import { z } from "zod";
import { ASSEMBLE_FORMATS } from "../message/wire-formats.ts";
import { FILE_KINDS } from "../store/file-store.ts";
import { givenId } from "../text/given.ts";
import { type ConversationRef, RELATIONS, ROLES } from "../types.ts";

const MOST_HITS = 200;
const MOST_LINES = 50;
const LONGEST_SNIPPET = 4_000;
export const MOST_READ_BYTES = 512_000;

export const PLAIN_MODES = ["full_text", "regex", "exact"] as const;
const GREP_MODES = [...PLAIN_MODES, "hybrid"] as const;

/** Checked where it is used, with advice in the error: faces pass a conversation as text only. */
const conversation = z.custom<ConversationRef>();
const positive = z.int().min(1);
const fromZero = z.int().min(0);
const text = z.string().min(1);
const yes = z.boolean();

export const TURN = z
  .union([text, positive])
  .describe("A turn: its key, or the number of one of its messages.");

export const lookInInput = z.strictObject({
  conversations: z
    .array(conversation)
    .min(1)
    .readonly()
    .exactOptional()
    .describe("Only these conversations, by id or session id. Default: all, archived ones too."),
  project: text
    .exactOptional()
    .describe("Only conversations that were started in this folder or below it; . is the current folder."),
  kinds: z
    .array(z.enum(["message", "summary"]))
    .min(1)
    .readonly()
    .exactOptional()
    .describe("Only messages, or only summaries. Default: both."),
  roles: z
    .array(z.enum(ROLES))
    .min(1)
    .readonly()
    .exactOptional()
    .describe("Only messages of these roles. Leaves out summaries."),
  tool: text.exactOptional().describe("Only messages that call or answer this tool."),
  since: text
    .exactOptional()
    .describe(
      "Only from this time on: ISO 8601, a duration before now (90m, 12h, 3d, 2w), or today, yesterday, 'last week', 'last month'. Without an offset: UTC.",
    ),
  before: text.exactOptional().describe("Before this time, in the same forms as `since`."),
});

export const MODES_TOLD =
  'full_text (default): any of the words, "phrases" and prefixes*, best match first. regex: every match of an RE2 pattern, newest first. exact: every match of this literal text, newest first.';
const HYBRID_TOLD = "hybrid: by words, semantically and by neighbouring messages, best match first";

export const grepInput = z.strictObject({
  pattern: text.describe("Words, text or pattern to search for."),
  mode: z.enum(GREP_MODES).exactOptional().describe(`${MODES_TOLD} ${HYBRID_TOLD}; needs searchByMeaning.`),
  ignoreCase: yes.exactOptional().describe("Ignore case, for regex and exact. Default false."),
  ...lookInInput.shape,
  sort: z
    .enum(["relevance", "time"])
    .exactOptional()
    .describe("time: newest first. Default: relevance for full_text, time otherwise."),
  limit: positive.max(MOST_HITS).exactOptional().describe("Maximum number of hits. Default 20."),
  maxTokens: positive
    .exactOptional()
    .describe("Maximum tokens of hits; at least one hit is returned. Default: no limit."),
  cursor: text.exactOptional().describe("`next` from the previous page."),
  contextLines: fromZero
    .max(MOST_LINES)
    .exactOptional()
    .describe("Whole lines before and after the first match of each hit, instead of a snippet."),
  snippetLength: positive
    .max(LONGEST_SNIPPET)
    .exactOptional()
    .describe("Approximate length of a snippet, in characters. Default 240."),
});

export const grepFilesInput = grepInput.pick({
  pattern: true,
  mode: true,
  ignoreCase: true,
  conversations: true,
  limit: true,
  maxTokens: true,
  cursor: true,
  snippetLength: true,
});

export const recentInput = z.strictObject({
  ...lookInInput.shape,
  kinds: lookInInput.shape.kinds.describe("Only messages (default), only summaries, or both."),
  limit: positive.max(MOST_HITS).exactOptional().describe("Maximum number of entries. Default 20."),
  cursor: text.exactOptional().describe("`next` from the previous page."),
});

/** A range of a file. */
export const rangeInput = z.strictObject({
  startLine: positive.exactOptional().describe("First line, from 1."),
  endLine: positive.exactOptional().describe("Last line, inclusive."),
  startByte: fromZero.exactOptional().describe("First byte, from 0. Instead of lines."),
  endByte: fromZero.exactOptional().describe("End of the range in bytes, exclusive."),
});

export const readFileInput = z.strictObject({
  id: givenId.describe("file_…, or the line that represents it in a context."),
  ...rangeInput.shape,
  maxBytes: positive
    .max(MOST_READ_BYTES)
    .exactOptional()
    .describe("Maximum bytes of file content to return. Default 32,768."),
});

export const describeInput = z.strictObject({
  id: givenId.describe("msg_…, sum_… or file_…; for a file, the [LCM …] line from your context works too."),
  tokenCap: positive
    .exactOptional()
    .describe(
      "Maximum tokens of the answer. The answer also says which items could be opened in full within this limit. Default: no limit.",
    ),
  expandFile: yes
    .exactOptional()
    .describe("For a file: include its content. Default: only when lines or bytes are requested."),
  ...rangeInput.shape,
  maxBytes: readFileInput.shape.maxBytes,
});

export const expandInput = z.strictObject({
  summary: givenId.describe("The summary: sum_ and 16 hex digits."),
  levels: positive
    .exactOptional()
    .describe("Levels to descend; 1 returns its direct sources. Default: down to the messages."),
  includeMessages: yes.exactOptional().describe("False returns only summaries. Default true."),
  from: positive
    .exactOptional()
    .describe("First message to return: `next` from the previous page. Applies to the first summary."),
  maxTokens: positive.exactOptional().describe("Maximum tokens of summaries and messages. Default 20,000."),
});

export const readInput = z.strictObject({
  conversation,
  from: positive
    .exactOptional()
    .describe("First message to return, by its number in the conversation (seq). Default 1."),
  to: positive.exactOptional().describe("Last message to return, by its seq. Default: the newest."),
  roles: z.array(z.enum(ROLES)).min(1).readonly().exactOptional().describe("Only messages of these roles."),
  limit: positive.exactOptional().describe("Maximum number of messages. Default 1,000."),
});

export const assembleInput = z.strictObject({
  conversation,
  budget: positive
    .exactOptional()
    .describe("Maximum tokens of the context. Default: the setting contextBudget."),
  format: z.enum(ASSEMBLE_FORMATS).exactOptional().describe("Format of the messages. Default: original."),
  prompt: z
    .string()
    .exactOptional()
    .describe("What the model is about to be asked; used to recall memories and to rank by relevance."),
  relevance: yes
    .exactOptional()
    .describe("When not everything fits, show older items that match the prompt. Default false."),
  withoutSystem: yes
    .exactOptional()
    .describe("Leave out system messages, for a host that sends its own. Default false."),
});

/** Messages of the running turn have the host's own shape; only the library accepts them. */
export const assembleBesideHostInput = assembleInput.extend({
  pending: z
    .array(z.custom<object>((value) => typeof value === "object" && value !== null, "must be a message"))
    .readonly()
    .exactOptional()
    .describe(
      "Messages of the current turn that are not stored yet. They come last, unchanged, within the budget. Only with the format original.",
    ),
});

export const atInput = z.strictObject({ conversation, turn: TURN });
export const diffInput = z.strictObject({ conversation, from: TURN, to: TURN });

export const evaluateInput = z.strictObject({
  conversation,
  budget: positive
    .exactOptional()
    .describe("Tokens of the model's window. Default: the setting contextBudget."),
  observedTokens: fromZero
    .exactOptional()
    .describe("Tokens that the provider reported for the last call, if that is more than what is stored."),
});

export const compactInput = z.strictObject({
  conversation,
  budget: positive
    .exactOptional()
    .describe("Size of the model's context window, which determines the size of the fresh tail."),
  untilUnder: positive
    .exactOptional()
    .describe("Stop once the context has at most this many tokens. Default: compact as much as possible."),
  dryRun: yes.exactOptional().describe("Show what would be done without doing it. Default false."),
  deadlineMs: positive
    .exactOptional()
    .describe("Milliseconds after which no further pass starts. Default: no limit."),
  instructions: text.exactOptional().describe("What the model should keep in the summaries in particular."),
});

export const eraseInput = z.strictObject({
  conversation,
  from: positive
    .exactOptional()
    .describe("First message to erase, by its seq. Default: the whole conversation."),
  to: positive.exactOptional().describe("Last message to erase, by its seq. Default: the same as `from`."),
  also: yes
    .exactOptional()
    .describe(
      "Also remove the copies that are found: whole messages and lines, and the text of summaries. Without it, copies are only listed.",
    ),
  dryRun: yes
    .exactOptional()
    .describe("Only report what would be removed and which copies exist. Default false."),
  reason: text
    .exactOptional()
    .describe("The reason, for the audit log. It must not repeat the erased words."),
});

const hostContext = z
  .strictObject({
    host: text.exactOptional().describe("Name of the host, such as claude-code."),
    project: text.exactOptional().describe("Absolute path of the folder in which the session was started."),
    branch: text.exactOptional().describe("The git branch."),
    model: text.exactOptional().describe("The model that answers."),
    parent: text.exactOptional().describe("Id of the parent conversation."),
    relation: z
      .enum(RELATIONS)
      .exactOptional()
      .describe("fork: it continues from a point in its parent. child: a sub-agent."),
  })
  .exactOptional()
  .describe(
    "Where the conversation takes place. Host and project are taken from the first turn that names them.",
  );

export const entriesInput = z.strictObject({
  conversation,
  source: text.describe("A stable name of the source of the entries."),
  entries: z.custom<unknown>().describe("Entries of the host, oldest first."),
  cursor: z.custom<unknown>().optional().describe("Where to continue reading after these entries."),
  title: z.string().nullable().exactOptional().describe("Title of a new conversation."),
  titleIsAutomatic: z.boolean().exactOptional().describe("The host's model wrote the title. Default false."),
  hostContext,
});

export const resetInput = z.strictObject({
  conversation,
  mode: z
    .enum(["new", "reset"])
    .describe("new: keep the conversation and empty its context. reset: archive it. Nothing is removed."),
  retainDepth: z
    .int()
    .exactOptional()
    .describe(
      "With new: summaries of at least this depth stay in the context. Default: the setting newSessionRetainDepth.",
    ),
});

export const importInput = z.strictObject({
  follow: yes
    .exactOptional()
    .describe(
      "The host that writes the file only adds to it, so that the next import reads only what is new. Default false.",
    ),
});

export const buildIndexInput = z.strictObject({
  atLeast: positive.exactOptional().describe("Leave fewer documents than this unindexed. Default 1."),
});

export const embedInput = z.strictObject({});

export const transcriptInput = z.strictObject({
  conversation,
  version: positive.exactOptional().describe("Which version to write. Default: the newest."),
});

export const listConversationsInput = z.strictObject({
  archived: yes.exactOptional().describe("Include archived conversations. Default false."),
  project: lookInInput.shape.project,
  host: text.exactOptional().describe("Only conversations of this host, such as claude-code, codex or pi."),
  since: lookInInput.shape.since.describe(
    "Only conversations whose newest message is from this time on: ISO 8601, a duration before now (12h, 3d, 2w), or today, yesterday, 'last week', 'last month'.",
  ),
  before: lookInInput.shape.before.describe(
    "Only conversations whose newest message is before this time, in the same forms as `since`.",
  ),
  from: fromZero.exactOptional().describe("How many to skip: `next` from the previous page."),
  limit: positive.exactOptional().describe("Maximum number of conversations. Default 1,000."),
});

export const listFilesInput = z.strictObject({
  conversation: conversation.exactOptional().describe("Only files of this conversation. Default: all."),
  kind: z
    .enum(FILE_KINDS)
    .exactOptional()
    .describe("Only attached files, or only tool results. Default: both."),
  from: fromZero.exactOptional().describe("Where to continue: `next` from the previous page."),
  limit: positive.exactOptional().describe("Maximum number of files. Default 1,000."),
});

export const migrateFilesInput = z.strictObject({
  conversation: conversation
    .exactOptional()
    .describe("Only this conversation. Default: all of this tenant and agent, archived ones too."),
  dryRun: yes.exactOptional().describe("Only report what would be done. Default false."),
  revert: yes
    .exactOptional()
    .describe("Undo an earlier run: put the payloads back into their messages. Default false."),
});

export const attachFileInput = z.strictObject({
  conversation,
  name: text.exactOptional().describe("Name of the file."),
  mime: text.exactOptional().describe("Media type, such as text/csv."),
  key: z
    .custom<string>()
    .exactOptional()
    .describe(
      "Identifies the turn: attaching the same content under the same key again changes nothing. Default: derived from hash and name.",
    ),
});

/** Messages, keys and receipts are checked when a turn is prepared: their shapes depend on the host and provider. */
export const commitTurnInput = z.strictObject({
  conversation,
  key: z.custom<string>().describe("Identifies the turn: committing it again changes nothing."),
  messages: z.custom<unknown>().describe("Messages in the provider's or host's own format, oldest first."),
  heartbeat: yes
    .exactOptional()
    .describe("True for a host's heartbeat poll, which is not stored. Default false."),
  receipt: z.custom<unknown>().exactOptional().describe("What the model saw before it produced this turn."),
  budget: positive
    .exactOptional()
    .describe(
      "Tokens of the model's window; decides when the conversation is compacted. Default: the setting contextBudget.",
    ),
  hostContext,
  strictness: z
    .enum(["refuse", "keep"])
    .exactOptional()
    .describe(
      "What to do with a message in an unknown format. refuse: reject the turn. keep: store its bytes. Default refuse.",
    ),
});

export const reconcileInput = z.strictObject({
  conversation,
  view: z.custom<unknown>().describe("The whole conversation as the host shows it, oldest first."),
  budget: positive
    .exactOptional()
    .describe(
      "Tokens of the model's window; decides when the conversation is compacted. Default: the setting contextBudget.",
    ),
  hostContext,
});

/** The longest time limit of a delegated question. */
export const LONGEST_ASK_MS = 600_000;

export const askInput = z.strictObject({
  prompt: z.string().min(1).max(20_000).describe("The question, understandable without context."),
  query: z
    .string()
    .min(1)
    .exactOptional()
    .describe("Words to search for first, if they differ from those of the question."),
  summaryIds: z
    .array(givenId)
    .min(1)
    .max(50)
    .exactOptional()
    .describe("Summaries to search below: sum_ and 16 hex digits."),
  conversations: z
    .array(conversation)
    .min(1)
    .readonly()
    .exactOptional()
    .describe(
      "Only these conversations, by id or session id. Default: those of the summaries, else those that match best.",
    ),
  maxTokens: positive
    .min(100)
    .max(20_000)
    .exactOptional()
    .describe("Maximum tokens of the answer, 100 to 20,000. Default 2,000."),
  tokenCap: positive
    .min(200)
    .exactOptional()
    .describe("Maximum tokens to read for the answer. Default: the setting delegationTokenCap."),
  timeoutMs: positive
    .max(LONGEST_ASK_MS)
    .exactOptional()
    .describe("Time limit in milliseconds, at most 600,000. Default: the setting delegationTimeoutMs."),
  origin: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "The session that asks; it can ask one question at a time. Default: the conversation that is searched. For an MCP client it is always the connection.",
    ),
});
