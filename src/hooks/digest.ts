/**
 * What a model is given back after its host has compacted: summaries and the newest messages, shortened, each with the id
 * under which every word of it can be opened.
 */
import type { Engine } from "../engine.ts";
import { fence } from "../message/own-text.ts";
import { textOfParts } from "../message/part-views.ts";
import { WRITTEN } from "../operations/model-text.ts";
import { toolCall } from "../operations/tool-call.ts";
import { counted } from "../text/counted.ts";
import { clip } from "../text/cut-text.ts";
import { parseMessageId } from "../text/identifiers.ts";
import { quoteText } from "../text/quote-text.ts";
import { collapseSpaces } from "../text/spaces.ts";
import type { Message, Role } from "../types.ts";

/** By it a digest is recognised in a transcript. */
export const DIGEST_ABOUT = "earlier messages of this session";

/** Tokens that the digest may take: a small part of any window. */
const DIGEST_TOKENS = 6_000;
const COMPACT_TO = DIGEST_TOKENS * 0.7;

/** Characters of a message that are shown: what a person asked for matters most. */
const SHOWN: Readonly<Record<Role, number>> = { user: 600, assistant: 300, tool: 120, system: 0 };

const HOST_TEXT = /^\s*<(?:local-command-|command-name|system-reminder|environment_context)/;

/** Refused with `not-found` when nothing of the session is on record. Null when none of it is to be shown. */
export async function digestOf(engine: Engine, sessionId: string): Promise<string | null> {
  await makeRoom(engine, sessionId);
  const { items, messages, conversation } = await engine.context.assemble({
    conversation: { sessionId },
    budget: DIGEST_TOKENS,
    withoutSystem: true,
  });
  if (conversation === null || items.length === 0) return null;
  const whole = await readWhole(
    engine,
    conversation,
    items.flatMap(({ id, type }) => (type === "message" ? [id] : [])),
  );
  const lines = items.flatMap(({ id, type }, i) => {
    if (type === "summary")
      return [`${id}, a summary of older messages:\n${quoteText(contentOf(messages[i]))}`];
    const message = whole.get(id);
    return message === undefined ? [] : messageLines(message);
  });
  const { messageCount } = await engine.context.conversations.get(conversation);
  return fence(DIGEST_ABOUT, [heading(conversation, messageCount), ...lines].join("\n"));
}

/** What does not fit is summarised, so that the digest reaches all of it. */
async function makeRoom(engine: Engine, sessionId: string): Promise<void> {
  const conversation = { sessionId };
  const { contextTokens } = await engine.context.conversations.get(conversation);
  if (contextTokens <= DIGEST_TOKENS) return;
  await engine.context.compact({ conversation, budget: DIGEST_TOKENS, untilUnder: COMPACT_TO });
}

function heading(conversation: string, messages: number): string {
  return [
    `The host has compacted this session. All ${counted(messages, "message")} are stored word for word in ${conversation}.`,
    `Before you rely on a name, number, path or decision, look it up: ${toolCall("lcm_grep", { pattern: "…", conversations: [conversation] })} searches; lcm_expand opens a sum_… id, lcm_read a msg_… id, lcm_describe a file_… id.`,
    WRITTEN,
  ].join("\n");
}

async function readWhole(
  engine: Engine,
  conversation: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Message>> {
  if (ids.length === 0) return new Map();
  const seqs = ids.map((id) => parseMessageId(id).seq);
  const range = { from: Math.min(...seqs), to: Math.max(...seqs) };
  const { messages } = await engine.context.read({ conversation, ...range });
  return new Map(messages.map((message) => [message.id, message]));
}

/** What the host puts beside the conversation it will put there again. */
function isByHost({ parts }: Message): boolean {
  return parts.every(
    (part) => part.type === "text" && (part.synthetic === true || HOST_TEXT.test(part.text)),
  );
}

function messageLines(message: Message): string[] {
  if (isByHost(message)) return [];
  const { id, role, parts } = message;
  const text = collapseSpaces(textOfParts(parts));
  const shown = SHOWN[role];
  return text === "" || shown === 0 ? [] : [`${id} (${role})\n${quoteText(clip(text, shown))}`];
}

function contentOf(message: unknown): string {
  const { content } = Object(message);
  return typeof content === "string" ? content : "";
}
