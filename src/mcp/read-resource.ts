/** The text of each kind of resource. A further kind is one more entry in `RESOURCE_KINDS`. */
import { requireFileId, requireSummaryId } from "../context/read/wrong-kind.ts";
import type { Engine } from "../engine.ts";
import { listConversations } from "../operations/conversations/conversations-list.ts";
import { renderFile } from "../operations/files/file-text.ts";
import {
  explained,
  renderConversation,
  renderMessage,
  renderSummary,
  SAID,
  WRITTEN,
} from "../operations/model-text.ts";
import { charactersWithin, cutMessage, wordsOf } from "../operations/retrieve/cut-message.ts";
import { describe } from "../operations/retrieve/describe.ts";
import type { MessageAnswer } from "../operations/retrieve/message-schema.ts";
import { read } from "../operations/retrieve/read.ts";
import { runOperation } from "../operations/run-operation.ts";
import { tree } from "../operations/tree.ts";
import { counted } from "../text/counted.ts";
import type { Conversation } from "../types.ts";

/** Conversations in a list: the most recently active. */
const LISTED = 100;
/** The newest messages of a conversation. */
const NEWEST = 20;
/** Tokens of each; tool results can be megabytes. */
const MESSAGE_TOKENS = 500;
/** The newest summaries in its context. */
const SHOWN_SUMMARIES = 10;

export interface ResourceKind {
  /** `palimpsest://<name>/{id}` */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  read(engine: Engine, id: string): Promise<string>;
}

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  {
    name: "conversation",
    title: "A conversation",
    description: "The summaries and newest messages of a conversation, by id or session id.",
    read: readConversation,
  },
  {
    name: "summary",
    title: "A summary",
    description: "The text and sources of a summary.",
    read: readSummary,
  },
  {
    name: "message",
    title: "A message",
    description: "The full text of a message.",
    read: async (engine, id) => {
      const { messages } = await runOperation(read, engine, { id });
      return explained([SAID, ...messages.map((message) => renderMessage(message))].join("\n\n"));
    },
  },
  {
    name: "file",
    title: "A file",
    description:
      "The description of an attached file or long tool result, and its first 32 kB; lcm_describe reads the rest.",
    read: readFile,
  },
];

export async function latestConversations(engine: Engine): Promise<readonly Conversation[]> {
  return (await runOperation(listConversations, engine, { limit: LISTED })).conversations;
}

export async function readConversationList(engine: Engine): Promise<string> {
  const { conversations, next } = await runOperation(listConversations, engine, { limit: LISTED });
  const more =
    next === null ? "That is all." : `Only the ${LISTED} most recently active conversations are listed.`;
  return [
    `${counted(conversations.length, "conversation")}, most recently active first. ${SAID}`,
    ...conversations.map(renderConversation),
    more,
  ].join("\n\n");
}

async function readConversation(engine: Engine, name: string): Promise<string> {
  const { conversation, context } = await runOperation(tree, engine, { conversation: name });
  const standing = context.flatMap((place) => (place.type === "summary" ? [place.id] : []));
  const from = Math.max(1, conversation.messageCount - NEWEST + 1);
  const { messages } =
    conversation.messageCount === 0
      ? { messages: [] }
      : await runOperation(read, engine, { id: conversation.id, from, limit: NEWEST });
  const pieces = [
    WRITTEN,
    renderConversation(conversation),
    ...(await summaries(engine, standing)),
    `The newest ${counted(messages.length, "message")} of ${conversation.messageCount}:`,
    ...messages.map(renderShort),
  ];
  return explained(pieces.join("\n\n"));
}

function renderShort(message: MessageAnswer): string {
  const whole = wordsOf(message.parts);
  const shown = charactersWithin(whole, MESSAGE_TOKENS);
  return renderMessage(shown < whole.length ? cutMessage(message, shown) : message, { length: whole.length });
}

async function summaries(engine: Engine, standing: readonly string[]): Promise<string[]> {
  if (standing.length === 0) return [];
  const shown = standing.slice(-SHOWN_SUMMARIES);
  const texts = await Promise.all(
    shown.map(async (id) => renderSummary((await describeSummary(engine, id)).summary)),
  );
  return [`The newest ${counted(shown.length, "summary", "summaries")} of ${standing.length}:`, ...texts];
}

async function readFile(engine: Engine, id: string): Promise<string> {
  requireFileId(id);
  const input = { id, expandFile: true };
  const description = await runOperation(describe, engine, input);
  if (description.type !== "file") throw new Error(`${id} was described as another kind`);
  return renderFile(description, input);
}

async function readSummary(engine: Engine, id: string): Promise<string> {
  const { summary } = await describeSummary(engine, id);
  const { sources } = summary;
  const madeFrom = sources.length === 0 ? [] : [`Sources: ${sources.join(", ")}.`];
  return explained([WRITTEN, renderSummary(summary), ...madeFrom].join("\n\n"));
}

async function describeSummary(engine: Engine, id: string) {
  requireSummaryId(id);
  const description = await runOperation(describe, engine, { id });
  if (description.type !== "summary") throw new Error(`${id} was described as another kind`);
  return description;
}
