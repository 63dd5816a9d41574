/**
 * Extracts candidates from a range of a conversation: with a model if there is one, otherwise with rules. Each
 * candidate names its source message; one whose evidence does not occur there is rejected.
 */
import type { MemoryCategory, MemoryText } from "../../memory-types.ts";
import type { Complete } from "../../model/complete.ts";
import { extractMemoriesPrompt } from "../../prompts/extract-memories.ts";
import { type ExtractedMemory, readExtractedMemories } from "../../prompts/read-extracted-memories.ts";
import { findQuote } from "./find-quote.ts";
import type { ReadMessage, Stretch } from "./read-stretch.ts";
import { captureByRules } from "./rules.ts";

export interface Extracted {
  readonly category: MemoryCategory;
  readonly text: MemoryText;
  readonly factKey: string | null;
  /** The person asked to remember it. */
  readonly explicit: boolean;
  readonly message: ReadMessage;
  readonly why: string;
}

export interface Extraction {
  readonly how: "model" | "rules";
  readonly candidates: readonly Extracted[];
  /** Rejected candidates, with the reason. */
  readonly refused: readonly { readonly abstract: string; readonly reason: string }[];
  /** Why the model's response was unusable, in which case rules extracted the candidates. */
  readonly problem: string | null;
}

export function extractByRules({ messages, isWork }: Pick<Stretch, "messages" | "isWork">): Extraction {
  const candidates = messages
    .filter(({ role }) => role === "user")
    .flatMap((message) =>
      captureByRules(message.text, isWork).candidates.map((one) => ({ ...one, message })),
    );
  return { how: "rules", candidates, refused: [], problem: null };
}

const ANSWER_TOKENS = 3_000;
const TRIES = 2;

/** A response that cannot be read is requested once more; then rules are used, so that retries end. */
export async function extractByModel(
  stretch: Stretch,
  complete: Complete,
  signal?: AbortSignal,
): Promise<Extraction> {
  let problem = "";
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await complete({
      purpose: "memory",
      ...extractMemoriesPrompt({ messages: stretch.messages.map(toTranscript), customInstructions: "" }),
      maxTokens: ANSWER_TOKENS,
      temperature: 0.1,
      ...(signal === undefined ? {} : { signal }),
    });
    const read = readExtractedMemories(answer.text);
    if (read.ok) return grounded(read.memories, read.refused, stretch);
    problem = read.reason;
  }
  return { ...extractByRules(stretch), problem };
}

function toTranscript({ seq, role, createdAt, text }: ReadMessage) {
  return { number: seq, speaker: role, at: createdAt.slice(0, 10), text };
}

function grounded(
  memories: readonly ExtractedMemory[],
  unread: readonly { readonly reason: string }[],
  { messages }: Stretch,
): Extraction {
  const candidates: Extracted[] = [];
  const refused = unread.map(({ reason }) => ({ abstract: "", reason }));
  const texts = messages.map(({ text }) => text);
  for (const { category, quote, message: named, ...text } of memories) {
    const place = messages.findIndex(({ seq }) => seq === named);
    const found = findQuote(quote, texts, place < 0 ? null : place);
    const message = found === null ? undefined : messages[found.index];
    if (message === undefined)
      refused.push({ abstract: text.abstract, reason: "Its evidence does not occur in these messages." });
    else
      candidates.push({
        category,
        text,
        factKey: null,
        explicit: false,
        message,
        why: "A model extracted it.",
      });
  }
  return { how: "model", candidates, refused, problem: null };
}
