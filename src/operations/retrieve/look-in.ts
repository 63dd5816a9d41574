/** What searching and looking back have in common: where to look, and what is told of everything found. */
import { z } from "zod";
import type { Engine } from "../../engine.ts";
import { isPalimpsestError } from "../../errors.ts";
import { givenId } from "../../text/given.ts";
import { ROLES } from "../../types.ts";

/** Faces name conversations by a text. */
export const conversationNames = z
  .array(givenId)
  .min(1)
  .exactOptional()
  .describe("Only these conversations, by id or session id. Default: all, archived ones too.");

/** How a person says where to look. Names of sessions may hold a comma. */
export const LOOK_IN_FLAGS = {
  conversations: { value: "id", holdsCommas: true },
  since: { value: "time" },
  before: { value: "time" },
} as const;

export const nearTools = z
  .array(z.string())
  .readonly()
  .describe("Where nothing was found with `tool`: names of tools that may have been meant.");

/** What is told of everything found. */
export const foundIn = {
  id: z.string().describe("Of the message or the summary: open it with this."),
  kind: z.enum(["message", "summary"]).describe("What it is."),
  conversation: z.string().describe("Id of its conversation."),
  title: z.string().nullable().describe("Title of its conversation; null when it has none."),
  seq: z.int().describe("A message's place in it; of a summary, the first message it covers."),
  role: z.enum(ROLES).nullable().describe("Who spoke; null for a summary."),
  tools: z.array(z.string()).readonly().describe("Tools that it calls or answers."),
  createdAt: z
    .string()
    .describe("When it was said, ISO 8601 in UTC; of a summary, when the last it covers was."),
  tokenCount: z.int().describe("Its tokens."),
};

/** Adds the title of its conversation to something found. Each title is read once. */
export function titleAdder(engine: Engine) {
  const titles = new Map<string, Promise<string | null>>();
  return async <Found extends { readonly conversation: string }>(found: Found) => {
    const known = titles.get(found.conversation) ?? titleOf(engine, found.conversation);
    titles.set(found.conversation, known);
    return { ...found, title: await known };
  };
}

/** The conversation may have been deleted since it was found. */
async function titleOf(engine: Engine, conversation: string): Promise<string | null> {
  try {
    return (await engine.context.conversations.get(conversation)).title;
  } catch (error) {
    if (isPalimpsestError(error, "not-found")) return null;
    throw error;
  }
}
