/** The schema of a conversation in results, and of references to one. */
import { z } from "zod";
import { givenId } from "../../text/given.ts";
import { type Conversation, RELATIONS } from "../../types.ts";

export const conversationName = givenId.describe(
  "Id of the conversation (conv_…), or a session id, which names the active conversation of that session.",
);

export const conversationSchema = z.strictObject({
  id: z
    .string()
    .describe("conv_ and 16 hex digits; does not change when the store is exported, merged or moved."),
  sessionId: z.string().describe("The host's session id."),
  sessionKey: z.string().nullable().describe("The host's stable session key, if it has one."),
  title: z
    .string()
    .nullable()
    .describe("Title set by a person or host, else the start of the first user message."),
  titleIsAutomatic: z
    .boolean()
    .describe("Whether the title was derived from the messages; false if a person or the host set it."),
  host: z.string().nullable().describe("The host, such as claude-code; null if unknown."),
  project: z.string().nullable().describe("The folder in which the session was started; null if unknown."),
  branch: z.string().nullable().describe("The git branch of the newest turn; null if unknown."),
  model: z.string().nullable().describe("The model of the newest turn; null if unknown."),
  parent: z
    .string()
    .nullable()
    .describe("The parent conversation, which may have been deleted; null if there is none."),
  relation: z
    .enum(RELATIONS)
    .nullable()
    .describe("fork: continues from a point in its parent. child: a sub-agent that its parent started."),
  createdAt: z.string().describe("When the conversation was first stored, ISO 8601 in UTC."),
  updatedAt: z.string().describe("When the conversation was last changed, ISO 8601 in UTC."),
  archivedAt: z.string().nullable().describe("When it was archived; null while it is active."),
  messageCount: z.number().int().describe("Messages on record, including erased ones."),
  tokenCount: z.number().int().describe("Tokens of all messages."),
  headHash: z.string().describe("Hash of the newest message: the head of the chain."),
  contextItems: z.int().describe("Number of items (messages and summaries) in the context."),
  contextTokens: z.int().describe("Tokens of the context."),
  contextStubTokens: z.int().describe("Tokens of the context if every long tool result were a stub."),
}) satisfies z.ZodType<Conversation>;
