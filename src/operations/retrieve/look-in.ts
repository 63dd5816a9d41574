/** Input and output that searching and listing recent messages share. */
import { z } from "zod";
import type { Engine } from "../../engine.ts";
import { isPalimpsestError } from "../../errors.ts";
import { oneLine } from "../../text/escape-controls.ts";
import { givenId } from "../../text/given.ts";
import type { Look } from "../../text/terminal/look.ts";
import { ROLES } from "../../types.ts";

/** Interfaces identify conversations by a string. */
export const conversationNames = z
  .array(givenId)
  .min(1)
  .exactOptional()
  .describe("Only these conversations, by id or session id. Default: all, archived ones too.");

/** Flags for the searched conversations. Session ids may contain a comma. */
export const LOOK_IN_FLAGS = {
  conversations: { value: "id", holdsCommas: true },
  since: { value: "time" },
  before: { value: "time" },
} as const;

export const nearTools = z
  .array(z.string())
  .readonly()
  .describe("If `tool` matched nothing: similar tool names.");

/** Fields of every hit. */
export const foundIn = {
  id: z.string().describe("Id of the message or summary."),
  kind: z.enum(["message", "summary"]).describe("message or summary."),
  conversation: z.string().describe("Id of the conversation."),
  title: z.string().nullable().describe("Title of the conversation; null if it has none."),
  seq: z.int().describe("Number of the message; for a summary, of the first message it covers."),
  role: z.enum(ROLES).nullable().describe("Role of the message; null for a summary."),
  tools: z.array(z.string()).readonly().describe("Tools that it calls or answers."),
  createdAt: z
    .string()
    .describe("Time of the message, ISO 8601 in UTC; for a summary, of the last message it covers."),
  tokenCount: z.int().describe("Tokens of the item."),
};

interface Filters {
  readonly conversations?: readonly string[] | undefined;
  readonly project?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly tool?: string | undefined;
  readonly since?: string | undefined;
  readonly before?: string | undefined;
}

/** A sentence after "nothing was found", with the flags that limit the search; empty if there are none. */
export function filtersHint(input: Filters, look: Look): string {
  const { conversations, project, kinds, roles, tool, since, before } = input;
  const flags = {
    conversation: conversations?.join(", "),
    project,
    kind: kinds?.join(","),
    role: roles?.join(","),
    tool,
    since: since && look.time(since),
    before: before && look.time(before),
  };
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  return ` Filters: ${given.map(([flag, value]) => `--${flag} ${oneLine(value ?? "")}`).join(", ")}`;
}

/** Adds the title of the conversation to a hit. Each title is read once. */
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
