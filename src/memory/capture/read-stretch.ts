/** What was said since the last time, as far as one reading takes it. */
import type { MemoryDependencies, Said } from "../memory-dependencies.ts";
import { cleanMessage } from "./clean-message.ts";

/** A message without what hosts and this engine put into it. */
export interface ReadMessage extends Said {
  readonly text: string;
}

export interface Stretch {
  readonly conversation: string;
  /** Up to where it was captured before, and up to where this stretch goes. */
  readonly from: number;
  readonly to: number;
  /** What counts of it, oldest first; may be empty. */
  readonly messages: readonly ReadMessage[];
  /** Whether more follows it. */
  readonly isPart: boolean;
}

type Use = Pick<MemoryDependencies, "store" | "settings" | "readSaid" | "countTokens" | "complete">;

/** Null when nothing was said since. */
export async function readStretch(conversation: string, use: Use): Promise<Stretch | null> {
  const from = await use.store.capturedTo(conversation);
  const said = await use.readSaid(conversation, { from: from + 1, to: Number.MAX_SAFE_INTEGER });
  const last = said.at(-1);
  if (last === undefined) return null;
  const messages: ReadMessage[] = [];
  let tokens = 0;
  for (const message of said) {
    const read = readable(message, use);
    if (read === null) continue;
    tokens += use.countTokens(read.text);
    if (messages.length > 0 && tokens > use.settings.captureMaxTokens)
      return { conversation, from, to: read.seq - 1, messages, isPart: true };
    messages.push(read);
  }
  return { conversation, from, to: last.seq, messages, isPart: false };
}

function readable(message: Said, { settings, complete }: Use): ReadMessage | null {
  const speaks =
    message.role === "user" ||
    (message.role === "assistant" && settings.captureAssistant && complete !== null);
  if (!speaks || message.text === null) return null;
  const { text } = cleanMessage(message.text);
  return /[\p{L}\p{N}]/u.test(text) ? { ...message, text } : null;
}
