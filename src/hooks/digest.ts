/**
 * The digest for a model after its host has compacted: summaries and the newest messages, shortened, each with the id
 * for reading it in full.
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

/** The text that identifies a digest in a transcript. */
export const DIGEST_ABOUT = "earlier messages of this session";

/** Maximum tokens of the digest: a small part of any window. */
const DIGEST_TOKENS = 6_000;
const COMPACT_TO = DIGEST_TOKENS * 0.7;

/** Displayed characters of a message; requests of a person matter most. */
const SHOWN: Readonly<Record<Role, number>> = { user: 600, assistant: 300, tool: 120, system: 0 };

const HOST_TEXT = /^\s*<(?:local-command-|command-name|system-reminder|environment_context)/;

/** Throws `not-found` if nothing of the session is stored. Null if none of it is to be shown. */
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

/** Summarises what does not fit, so that the digest covers all of it. */
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

/** Messages that the host adds to the conversation, and will add again. */
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
