/**
 * A stretch of conversation as a prompt shows it: who said what, with a number to refer to. Every line that was said
 * carries a mark, so that nothing in it can pass for another speaker, and the whole stands in a frame.
 */
import { quoteText } from "../text/quote-text.ts";

export interface TranscriptMessage {
  /** By which the answer refers to it. */
  readonly number: number;
  readonly speaker: "user" | "assistant" | "system" | "tool";
  /** When it was said, as a date or a date and time; null when that is not known. */
  readonly at: string | null;
  readonly text: string;
}

export function renderTranscript(messages: readonly TranscriptMessage[]): string {
  return messages
    .map(
      ({ number, speaker, at, text }) =>
        `#${number} ${speaker}${at === null ? "" : `, ${at}`}:\n${quoteText(text)}`,
    )
    .join("\n");
}
