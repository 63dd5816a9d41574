/** The messages since the last capture, as far as one run reads them. */
import type { MemoryDependencies, Said } from "../memory-dependencies.ts";
import { cleanMessage } from "./clean-message.ts";
import { isWorkTalk } from "./work-statements.ts";

/** A message without text that hosts and this engine added. */
export interface ReadMessage extends Said {
  readonly text: string;
}

export interface Stretch {
  readonly conversation: string;
  /** The position of the last capture, and the end of this stretch. */
  readonly from: number;
  readonly to: number;
  /** The messages to capture from, oldest first; may be empty. */
  readonly messages: readonly ReadMessage[];
  /** Whether more messages follow. */
  readonly isPart: boolean;
  /** The person talks about software in it and in the messages before it. */
  readonly isWork: boolean;
}

type Use = Pick<MemoryDependencies, "store" | "settings" | "readSaid" | "countTokens" | "complete">;

/** The number of messages before a stretch that help to recognise the topic. */
const LOOK_BACK = 200;

/** Null when there are no new messages. */
export async function readStretch(conversation: string, use: Use): Promise<Stretch | null> {
  const from = await use.store.capturedTo(conversation);
  const messages: ReadMessage[] = [];
  let tokens = 0;
  let rest: number | null = null;
  /** Whether one run has read enough. */
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
