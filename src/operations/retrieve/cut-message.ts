/** A message that is longer than the limit: its text up to a character, from which `read` continues. */
import { cutParts } from "../../context/retrieve/cut-parts.ts";
import { textsOfParts } from "../../context/retrieve/message-text.ts";
import { wholeCharacters } from "../../text/cut-text.ts";
import { lengthWithin } from "../../text/estimate-tokens.ts";
import type { Part } from "../../types.ts";
import type { MessageAnswer } from "./message-schema.ts";

/** Its original is omitted, since the beginning must not be mistaken for it. */
export function cutMessage(message: MessageAnswer, characters: number): MessageAnswer {
  return { ...message, original: null, parts: cutParts(message.parts, characters) };
}

/** The concatenated texts, as `read` counts them. */
export function wordsOf(parts: readonly Part[]): string {
  return textsOfParts(parts)
    .map(({ text }) => text)
    .join("");
}

/** How many of a text's characters fit into so many tokens. */
export function charactersWithin(text: string, tokens: number): number {
  return wholeCharacters(text, lengthWithin(text, tokens));
}

/** The exact bytes of an original from a result of `read`; null once erased. */
export function originalBytes(message: {
  readonly original: string | null;
  readonly encoding: "text" | "base64";
}): Uint8Array | null {
  if (message.original === null) return null;
  return Buffer.from(message.original, message.encoding === "base64" ? "base64" : "utf8");
}
