/** What was said since the last time, as far as one reading takes it. */
import type { MemoryDependencies, Said } from "../memory-dependencies.ts";
import { cleanMessage } from "./clean-message.ts";
import { isWorkTalk } from "./work-statements.ts";

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
  /** The person talks about software in it, and in what came before. */
  readonly isWork: boolean;
}

type Use = Pick<MemoryDependencies, "store" | "settings" | "readSaid" | "countTokens" | "complete">;

/** So many messages before a stretch help to tell what the conversation is about. */
const LOOK_BACK = 200;

/** Null when nothing was said since. */
export async function readStretch(conversation: string, use: Use): Promise<Stretch | null> {
  const from = await use.store.capturedTo(conversation);
  const messages: ReadMessage[] = [];
  let tokens = 0;
  let rest: number | null = null;
  /** Whether one reading takes no more. */
  const isEnough = (page: readonly Said[]): boolean => {
    for (const message of page) {
      const read = readable(message, use);
      if (read === null) continue;
      tokens += use.countTokens(read.text);
      if (messages.length > 0 && tokens > use.settings.captureMaxTokens) {
        rest = read.seq;
        return true;
      }
      messages.push(read);
    }
    return false;
  };
  const said = await use.readSaid(conversation, { from: from + 1, isEnough });
  const last = said.at(-1);
  if (last === undefined) return null;
  const start = Math.max(1, from + 1 - LOOK_BACK);
  const earlier = from === 0 ? [] : await use.readSaid(conversation, { from: start, to: from });
  const isWork = isAboutSoftware([...earlier.flatMap((one) => readable(one, use) ?? []), ...messages]);
  const about = { conversation, from, messages, isWork };
  return rest === null ? { ...about, to: last.seq, isPart: false } : { ...about, to: rest - 1, isPart: true };
}

function isAboutSoftware(messages: readonly ReadMessage[]): boolean {
  return isWorkTalk(messages.filter(({ role }) => role === "user").map(({ text }) => text));
}

function readable(message: Said, { settings, complete }: Use): ReadMessage | null {
  const speaks =
    message.role === "user" ||
    (message.role === "assistant" && settings.captureAssistant && complete !== null);
  if (!speaks || message.text === null) return null;
  const { text } = cleanMessage(message.text);
  return /[\p{L}\p{N}]/u.test(text) ? { ...message, text } : null;
}
