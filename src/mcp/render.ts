/** What resources hold: facts in our words, and what was said quoted, as in the answers of tools. */
import { textOfParts } from "../context/ingest/read-parts.ts";
import type { MessageAnswer } from "../operations/message-schema.ts";
import type { SummaryAnswer } from "../operations/summary-schema.ts";
import { counted } from "../text/counted.ts";
import { oneLine } from "../text/escape-controls.ts";
import { quoteText } from "../text/quote-text.ts";
import type { Conversation } from "../types.ts";

export function conversationLine(conversation: Conversation): string {
  const { id, title, sessionId, messageCount, tokenCount, updatedAt, archivedAt } = conversation;
  const about = [
    `session ${oneLine(sessionId)}`,
    counted(messageCount, "message"),
    counted(tokenCount, "token"),
    `last changed ${updatedAt}`,
    ...(archivedAt === null ? [] : [`archived ${archivedAt}`]),
  ];
  return `${id} (${about.join(" | ")})\n${quoteText(oneLine(title ?? "untitled"))}`;
}

/** With at most so many characters of its text; what is left out is counted. */
export function renderMessage(message: MessageAnswer, mostCharacters = Number.POSITIVE_INFINITY): string {
  const { id, role, createdAt, tokenCount, parts, erasedAt, excluded } = message;
  const about = [role, createdAt, counted(tokenCount, "token"), ...(excluded === null ? [] : [excluded])];
  const head = `${id} (${about.join(" | ")})`;
  if (erasedAt !== null) return `${head}\nIts words were erased at ${erasedAt}.`;
  const text = textOfParts(parts);
  const left = text.length - mostCharacters;
  if (left <= 0) return `${head}\n${quoteText(text === "" ? "(no words)" : text)}`;
  const rest = `${counted(left, "more character")}: palimpsest://message/${id}`;
  return `${head}\n${quoteText(text.slice(0, mostCharacters))}\n${rest}`;
}

export function renderSummary(summary: SummaryAnswer): string {
  const { id, firstSeq, lastSeq, earliestAt, latestAt, tokens, sourceTokens, text, sources } = summary;
  const about = [
    `summary of messages ${firstSeq} to ${lastSeq}`,
    `${earliestAt} to ${latestAt}`,
    `${counted(tokens, "token")} for ${counted(sourceTokens, "token")}`,
    ...(sources.length === 0 ? [] : [`made from ${sources.join(", ")}`]),
  ];
  return `${id} (${about.join(" | ")})\n${text === null ? "Its words were erased." : quoteText(text)}`;
}
