/** A conversation as operations give it, and how callers name one. */
import { z } from "zod";
import { givenId } from "../text/given.ts";
import { type Conversation, RELATIONS } from "../types.ts";

export const conversationName = givenId.describe(
  "Which conversation: its id (conv_…), or the session id of the one that is active for a session.",
);

export const conversationSchema = z.strictObject({
  id: z.string().describe("conv_ and 16 hex digits: the same after export, merge or a move."),
  sessionId: z.string().describe("The host's id of the session."),
  sessionKey: z
    .string()
    .nullable()
    .describe("The stable key under which the host comes back, if it has one."),
  title: z
    .string()
    .nullable()
    .describe("Given by a person or host, else the start of the first user message."),
  titleIsAutomatic: z
    .boolean()
    .describe("Whether the title was taken from what was said; false when a person or the host gave it."),
  host: z.string().nullable().describe("The host it takes place in, such as claude-code; null if unknown."),
  project: z.string().nullable().describe("The folder that the session was started in; null if unknown."),
  branch: z.string().nullable().describe("The git branch of the newest turn; null if unknown."),
  model: z.string().nullable().describe("The model of the newest turn; null if unknown."),
  parent: z
    .string()
    .nullable()
    .describe("The conversation that it comes from, which may be deleted by now; null if there is none."),
  relation: z
    .enum(RELATIONS)
    .nullable()
    .describe("fork: it goes on from a point of its parent. child: its parent started it, as a sub-agent."),
  createdAt: z.string().describe("When it was stored first, ISO 8601 in UTC."),
  updatedAt: z.string().describe("When it was changed last, ISO 8601 in UTC."),
  archivedAt: z.string().nullable().describe("When it was archived; null while it is active."),
  messageCount: z.number().int().describe("Messages on record, erased ones counted."),
  tokenCount: z.number().int().describe("Tokens of all its messages."),
  headHash: z.string().describe("Hash of the newest message: the head of the chain."),
  contextItems: z.int().describe("Items in the context that the model sees: messages and summaries."),
  contextTokens: z.int().describe("Their tokens."),
  contextStubTokens: z.int().describe("The same with every long result of a tool as a stub."),
}) satisfies z.ZodType<Conversation>;
